// The options page's file with everything: written, and read again after it was shown what it does.

import { ask } from "../shared/asking.js";
import { byID, inputByID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, listed, size, text } from "../shared/texts.js";
import { backupText, longestBackup, readBackup } from "./backup-file.js";

/** The id of the list of own rules. */
const ownID = "own-rules";

/** Shows nothing that it did not before: a plan that was made stays until it is carried out. */
export async function showBackup() {}

byID("export").addEventListener("click", async () => {
  const said = byID("import-plan");
  try {
    const [{ sites }, { lists }, { text: ownRules }] = await Promise.all([
      ask({ type: "sites" }), askHost({ type: "subscriptions" }), askHost({ type: "ownRules" }),
    ]);
    // A file of this machine is none of another one's; own rules go as they are.
    const all = lists.filter(({ id }) => id !== ownID);
    const own = all.filter(({ isFile }) => !isFile)
      .map(({ source, mirrors, name, isOn }) => ({ source, mirrors, name, isOn }));
    const file = new Blob([backupText({ sites, lists: own, ownRules })], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(file), download: "tickbird-settings.json" });
    link.click();
    URL.revokeObjectURL(link.href);
    const left = all.length - own.length;
    said.replaceChildren(make("p", { className: "note", textContent: left > 0
      ? counted("backup_files_left", left) : text("backup_exported") }));
  } catch (error) {
    said.replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
  }
});

inputByID("import").addEventListener("change", async () => {
  const said = byID("import-plan");
  const [file] = inputByID("import").files ?? [];
  if (!file) return;
  try {
    if (file.size > longestBackup) throw new Error(text("backup_too_long", size(longestBackup)));
    await plan(readBackup(await file.text()));
  } catch (error) {
    said.replaceChildren(make("p", { className: "fault",
      textContent: text("backup_wrong", file.name, messageOf(error)) }));
  }
});

/**
 * Says what a backup would add, and adds it when the person agrees; nothing is removed.
 *
 * @param {import("./backup-file.js").Backup} backup
 */
async function plan(backup) {
  const [{ sites }, { lists }, own] = await Promise.all([
    ask({ type: "sites" }), askHost({ type: "subscriptions" }), askHost({ type: "ownRules" }),
  ]);
  // Rules that are there stay as they are.
  const isNewText = backup.ownRules.trim() !== "" && backup.ownRules !== own.text;
  const hasRules = own.text.trim() !== "";
  const known = new Set(lists.map(({ source }) => source));
  const newSites = [...new Set(backup.sites)].filter((site) => !sites.includes(site));
  const newLists = backup.lists.filter(({ source }) => !known.has(source));
  const said = byID("import-plan");
  const items = [
    counted("backup_sites", newSites.length), counted("backup_lists", newLists.length),
    ...(isNewText ? [text(hasRules ? "backup_own_kept" : "backup_own")] : []),
    ...newLists.map(({ name, source }) => (name ? text("named_address", name, source) : source)),
  ];
  const status = make("p", { className: "note", role: "status" });
  const button = make("button", { type: "button", className: "primary", textContent: text("backup_take") });
  button.disabled = newSites.length + newLists.length === 0 && (!isNewText || hasRules);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const faults = [];
    const { wrong } = await ask({ type: "allow-sites", addresses: newSites });
    faults.push(...wrong.map((site) => text("sites_wrong", site)));
    if (isNewText && !hasRules) {
      try {
        await askHost({ type: "setOwnRules", text: backup.ownRules, before: own.text });
      } catch (error) {
        faults.push(messageOf(error));
      }
    }
    for (const { source, mirrors, name, isOn } of newLists) {
      status.textContent = text("backup_fetching", name || source);
      try {
        const { list } = await askHost({ type: "addList", source, mirrors, ...(name ? { name } : {}) });
        if (!isOn) await askHost({ type: "switchList", list: list.id, isOn });
      } catch (error) {
        faults.push(text("named_fault", name || source, messageOf(error)));
      }
    }
    status.textContent = faults.length === 0 ? text("backup_done")
      : text("backup_faults", listed(faults, "unit"));
  });
  said.replaceChildren(
    make("ul", {}, ...items.map((textContent) => make("li", { textContent, dir: "auto" }))), button, status);
}
