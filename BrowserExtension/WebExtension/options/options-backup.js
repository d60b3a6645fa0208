// The options page's file with everything: written, and read again after it was shown what it does.

import { keepNoteDefaults, noteDefaults, ownDefaults } from "../notes/note-defaults.js";
import { ask } from "../shared/asking.js";
import { byID, inputByID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, listed, size, text } from "../shared/texts.js";
import { additions, backupText, longestBackup, readBackup } from "./backup-file.js";
import { askAboutAddresses, describeList } from "./imported-lists.js";
import { askAboutRules, visible } from "./imported-rules.js";
import { choicesOfSites, describeChoices, describeNotes, describeSites, shown, statement } from "./imported-words.js";

/** @typedef {import("./backup-file.js").Backup} Backup */

/** How many notes the host gives at once, and how many are added at once. */
const portion = 200;

/** Shows nothing that it did not before: a plan that was made stays until it is carried out. */
export async function showBackup() {}

/** @returns {Promise<NativeHost.Note[]>} */
async function allNotes() {
  const notes = [];
  /** @type {number | null} */
  let offset = 0;
  while (offset !== null) {
    const part = /** @type {NativeHost.AnswersByRequest["list"]} */ (/** @type {unknown} */ (await ask({
      type: "change-note", tabId: -1, request: { request: "list", offset, limit: portion },
    })));
    notes.push(...part.notes);
    offset = part.next;
  }
  return notes;
}

/**
 * What is there.
 *
 * @returns {Promise<{ present: Backup, files: number }>} with the number of lists that are files of this
 *   machine, which are among the lists
 */
async function presentSettings() {
  const [{ sites }, { lists }, { text: ownRules }, notes, page, defaults, { isOn }, { entries: choices }, { showsBadge }] = await Promise.all([
    ask({ type: "sites" }), askHost({ type: "subscriptions" }), askHost({ type: "ownRules" }), allNotes(),
    ask({ type: "page", tabId: -1 }), noteDefaults(), ask({ type: "statistics", days: 1 }),
    ask({ type: "choices" }), ask({ type: "appearance" }),
  ]);
  const others = lists.filter(({ isOwn }) => !isOwn);
  const off = new Set(page.lists.filter((list) => !list.isOn).map(({ identifier }) => identifier));
  return {
    files: others.filter(({ isFile }) => isFile).length,
    present: {
      sites, choices, ownRules,
      lists: others.map(({ source, mirrors, name, isOn: isOnThere, identifier }) =>
        ({ source, mirrors, name, isOn: isOnThere, isOnHere: !off.has(identifier) })),
      notes: notes.map(({ kind, address, text: words, emoji, snoozeMinutes, plan }) =>
        ({ kind, address, text: words, emoji, snoozeMinutes, plan: plan ?? {} })),
      noteDefaults: defaults === ownDefaults ? null : defaults,
      countsStatistics: isOn,
      showsBadge,
    },
  };
}

byID("export").addEventListener("click", async () => {
  const said = byID("import-plan");
  try {
    const { present, files } = await presentSettings();
    // A file of this machine is none of another one's; own rules go as they are.
    const lists = present.lists.filter(({ source }) => /^https?:\/\//.test(source));
    const file = new Blob([backupText({ ...present, lists })], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(file), download: "tickbird-settings.json" });
    link.click();
    URL.revokeObjectURL(link.href);
    said.replaceChildren(make("p", { className: "note", textContent: files > 0
      ? counted("backup_files_left", files) : text("backup_exported") }));
  } catch (error) {
    said.replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
  }
});

// A file that was mended has the same name, which is no change.
inputByID("import").addEventListener("click", () => { inputByID("import").value = ""; });
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
 * @param {Backup} backup
 */
async function plan(backup) {
  const { present } = await presentSettings();
  const found = additions({ ...backup, choices: await choicesOfSites(backup.choices) }, present);
  const sites = await describeSites(found.sites);
  // What was shown is what is taken.
  const added = { ...found, sites: sites.sites };
  const said = byID("import-plan");
  const items = [
    statement(counted("backup_sites", added.sites.length), sites.words),
    statement(counted("backup_choices", added.choices.length), describeChoices(added.choices)),
    statement(counted("backup_lists", added.lists.length), added.lists.flatMap(describeList)),
    statement(counted("backup_notes", added.notes.length), describeNotes(added.notes)),
    ...(added.keepsOwnRules ? [statement(text("backup_own_kept"))] : []),
    ...(added.takesDefaults ? [statement(text("backup_defaults"))]
      : added.keepsDefaults ? [statement(text("backup_defaults_kept"))] : []),
    ...(added.endsStatistics ? [statement(text("backup_statistics"))] : []),
    ...(added.hidesBadge ? [statement(text("backup_badge_off"))] : []),
  ];
  const status = make("p", { className: "note", role: "status" });
  const button = make("button", { type: "button", className: "primary", textContent: text("backup_take") });
  const others = added.sites.length + added.choices.length + added.lists.length + added.notes.length > 0
    || added.takesDefaults || added.endsStatistics || added.hidesBadge;
  // What a stranger's rules would do is not among the things that are agreed to by one press.
  const question = added.takesOwnRules ? askAboutRules(backup.ownRules, () => allow()) : null;
  const addresses = askAboutAddresses(added.lists);
  const allow = () => {
    button.disabled = question !== null && !question.isDecided || !others && !question?.isUsed;
  };
  allow();
  button.addEventListener("click", async () => {
    button.disabled = true;
    for (const asked of [question?.element, addresses.element]) if (asked) asked.disabled = true;
    const chosen = { ...added, takesOwnRules: question?.isUsed === true };
    const faults = await take(backup, chosen, present, addresses.allowed, (words) => { status.textContent = words; });
    status.textContent = faults.length === 0 ? text("backup_done") : text("backup_faults", listed(faults, "unit"));
  });
  said.replaceChildren(
    make("ul", { className: "import-plan" }, ...items),
    ...(question ? [question.element] : []), ...(addresses.element ? [addresses.element] : []), button, status);
}

/**
 * Adds what is new; what cannot be added is told, and keeps nothing else from being added.
 *
 * @param {Backup} backup
 * @param {ReturnType<typeof additions>} added
 * @param {Backup} present
 * @param {ReturnType<typeof askAboutAddresses>["allowed"]} localAddresses
 * @param {(words: string) => void} say
 */
async function take(backup, added, present, localAddresses, say) {
  /** @type {string[]} */
  const faults = [];
  const attempt = async (/** @type {() => Promise<unknown>} */ work, name = "") => {
    try {
      await work();
    } catch (error) {
      faults.push(name ? text("named_fault", shown(name), visible(messageOf(error))) : visible(messageOf(error)));
    }
  };
  await attempt(async () => {
    const { wrong } = await ask({ type: "allow-sites", addresses: added.sites });
    faults.push(...wrong.map((site) => text("sites_wrong", shown(site))));
  });
  await attempt(async () => {
    const { wrong } = await ask({ type: "take-choices", entries: added.choices });
    faults.push(...wrong.map((site) => text("sites_wrong", shown(site))));
  });
  if (added.takesOwnRules) {
    await attempt(() => askHost({ type: "setOwnRules", text: backup.ownRules, before: present.ownRules }));
  }
  if (added.takesDefaults) await attempt(() => keepNoteDefaults(backup.noteDefaults));
  if (added.hidesBadge) await attempt(() => ask({ type: "set-badge", isShown: false }));
  if (added.endsStatistics) await attempt(() => ask({ type: "count-statistics", isOn: false }));
  for (let done = 0; done < added.notes.length; done += portion) {
    say(text("backup_adding_notes", done, added.notes.length));
    await attempt(async () => {
      const answer = await ask({ type: "add-notes", notes: added.notes.slice(done, done + portion) });
      faults.push(...answer.faults.map(({ address, fault }) => text("named_fault", shown(address), visible(fault))));
    });
  }
  for (const each of added.lists) {
    const { source, mirrors, name, isOn, isOnHere } = each;
    say(text("backup_fetching", shown(name || source)));
    await attempt(async () => {
      const { list } = await askHost({
        type: "addList", source, mirrors, localAddresses: localAddresses(each), ...(name ? { name } : {}),
      });
      if (!isOn) await askHost({ type: "switchList", list: list.id, isOn });
      if (!isOnHere) await ask({ type: "switch", identifier: list.identifier, isOn: false });
    }, name || source);
  }
  return faults;
}
