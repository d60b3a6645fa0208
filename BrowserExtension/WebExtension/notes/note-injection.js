// Runs the scripts of notes in documents that are open already.

import { api, isFirefox } from "../shared/browser.js";

const files = ["/shared/direction.js", "/notes/note-look.js", "/notes/note-show.js", "/notes/note-cover.js"];

/**
 * Calls a function of `tickbirdNote` in a tab's document, and returns what it returns; undefined where
 * no script of an extension can run.
 *
 * The scripts are run before it; those that are there already stay as they are.
 *
 * @param {number} tabId
 * @param {"listen" | "show" | "cover" | "uncover" | "announce" | "conceal" | "back"} name
 * @param {unknown[]} values what it is given, as JSON has it
 * @param {WebExt.ScriptDetails["runAt"]} runAt Firefox: when it is called
 */
export async function inDocument(tabId, name, values = [], runAt = "document_start") {
  try {
    if (isFirefox) {
      for (const file of files) {
        await api.tabs.executeScript(tabId, { file, runAt: "document_start" });
      }
      const code = `tickbirdNote.${name}(...${JSON.stringify(values)})`;
      return (await api.tabs.executeScript(tabId, { code, runAt }))[0];
    }
    const target = { tabId, frameIds: [0] };
    await api.scripting.executeScript({ target, files, injectImmediately: true });
    const [answer] = await api.scripting.executeScript({
      target,
      func: (/** @type {string} */ called, /** @type {unknown[]} */ given) =>
        /** @type {Record<string, any>} */ (globalThis.tickbirdNote)[called](...given),
      args: [name, values],
      injectImmediately: true,
    });
    return answer?.result;
  } catch (error) {
    // The document is gone already, or closed to extensions.
    console.debug(error);
    return undefined;
  }
}
