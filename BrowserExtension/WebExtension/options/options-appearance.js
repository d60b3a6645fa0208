// The options page's part about the toolbar's button.

import { ask } from "../shared/asking.js";
import { inputByID } from "../shared/elements.js";

/** Shows what is chosen. */
export async function showAppearance() {
  const { showsBadge } = await ask({ type: "appearance" });
  inputByID("badge-switch").checked = showsBadge;
}

inputByID("badge-switch").addEventListener("change", () =>
  ask({ type: "set-badge", isShown: inputByID("badge-switch").checked }));
