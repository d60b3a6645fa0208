// The way from the extension's pages to the local app, which the native host starts.

import { api } from "./browser.js";
import { make } from "./elements.js";
import { messageOf } from "./errors.js";
import { askHost, HostRequestError } from "./host-requests.js";
import { text } from "./texts.js";

/** Opens the local app in a tab of its own. */
export async function openLocalApp() {
  const { address } = await askHost({ type: "localApp" });
  // The host says where it listens; there is no app anywhere but on this machine.
  if (!/^http:\/\/127\.0\.0\.1:\d{1,5}\//.test(address)) throw new Error(text("app_wrong"));
  await api.tabs.create({ url: address });
}

/**
 * Lets a button open the local app; behind it is said why it did not, and what to do.
 *
 * @param {HTMLButtonElement} button
 * @param {() => void} [opened]
 */
export function leadToLocalApp(button, opened = () => {}) {
  const fault = make("p", { className: "fault app-fault", role: "alert" });
  button.after(fault);
  button.addEventListener("click", async () => {
    fault.textContent = "";
    button.disabled = true;
    try {
      await openLocalApp();
      opened();
    } catch (error) {
      const isAbsent = error instanceof HostRequestError && error.host && error.host.state !== "connected";
      fault.textContent = text(isAbsent ? "app_absent" : "app_failed", messageOf(error));
    }
    button.disabled = false;
  });
}
