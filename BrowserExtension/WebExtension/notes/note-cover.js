// In documents: covers a page with a note, and announces it before. The page stays as it is underneath.
//
// A modal dialog in a closed shadow root: no script of the site can read or press it, and the page gets
// neither clicks nor keys while it is open.

if (!tickbirdNote.cover) {
  const { page } = tickbirdNote;
  /** How often it is looked at whether the note is still before everything else. */
  const watchMilliseconds = 250;
  /** How many times a page may come before its note until it loses its scripts. */
  const toleratedDisturbances = 3;

  const coverStyle = `
    :host { all: initial !important; display: contents !important; }
    dialog {
      all: initial; position: fixed; inset: 0; display: block; width: 100%; height: 100%;
      overscroll-behavior: contain;
    }
    dialog::backdrop { background: transparent; }
  `;
  const announcementStyle = `
    :host {
      all: initial !important; position: fixed !important; inset: 0 !important;
      width: 100% !important; height: 0 !important; display: block !important;
      overflow: visible !important; visibility: visible !important; opacity: 1 !important;
    }
    .announcement {
      --ground: #f6f4ef; --text: #23262c; --line: #8d897f;
      position: absolute; top: 12px; left: 50%; transform: translateX(-50%);
      display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px;
      box-sizing: border-box; width: max-content; max-width: calc(100vw - 24px); padding: 10px 14px;
      font: 400 14px/1.4 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
      color-scheme: light dark; color: var(--text); background: var(--ground);
      border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 3px 14px rgb(0 0 0 / 25%);
    }
    @media (prefers-color-scheme: dark) {
      .announcement { --ground: #23262d; --text: #e9ebef; --line: #717988; }
    }
    button {
      padding: 4px 12px; font: inherit; color: inherit; background: transparent;
      border: 1px solid var(--line); border-radius: 8px; cursor: pointer;
    }
    button:hover { border-color: currentcolor; }
    button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
  `;

  /**
   * An element of the page with a closed shadow root.
   *
   * @param {string} style
   * @param {NoteElement[]} contents
   */
  const makeHost = (style, ...contents) => {
    const host = tickbirdNote.make(["div", {}]);
    const root = host.attachShadow({ mode: "closed" });
    tickbirdNote.addStyle(root, tickbirdNote.css + style);
    root.append(...contents.map(tickbirdNote.make));
    return { host, root };
  };

  /**
   * The elements of the page that are above all others, in its shadow roots too.
   *
   * @param {Element} host the note's element, which is left out
   * @param {Document | ShadowRoot} root
   * @returns {Element[]}
   */
  const topLayer = (host, root = document) => {
    const all = root === document ? page("querySelectorAll") : root.querySelectorAll.bind(root);
    const found = [...all(":popover-open, :modal, :fullscreen")];
    for (const each of all("*")) {
      const inner = each === host ? null : tickbirdNote.shadowRootOf(each);
      if (inner) found.push(...topLayer(host, inner));
    }
    return found.filter((each) => each !== host);
  };

  /** Takes the note away; null if there is none. */
  /** @type {(() => void) | null} */
  let removeCover = null;
  /** @type {(() => void) | null} */
  let removeAnnouncement = null;

  /**
   * Covers the page with a note, in place of one that covers it already. True if a note is there.
   *
   * @param {Messages.ShownNote} note
   */
  const cover = (note) => {
    removeAnnouncement?.();
    if (tickbirdNote.isShown) return true;
    removeCover?.();
    const { host, root } = makeHost(coverStyle, ["dialog", { closedby: "none" },
      tickbirdNote.parts(note, true)]);
    const dialog = /** @type {HTMLDialogElement} */ (root.querySelector("dialog"));
    const playing = [...page("querySelectorAll")("video, audio")]
      .filter((each) => each instanceof HTMLMediaElement && !each.paused);
    /** @type {Set<Element>} */
    let below = new Set();
    const raise = () => {
      if (host.parentNode !== page("documentElement")) Element.prototype.append.call(page("documentElement"), host);
      if (dialog.open) dialog.close();
      dialog.showModal();
      below = new Set(topLayer(host));
      for (const each of below) {
        each.addEventListener("beforetoggle", () => below.delete(each), { once: true });
      }
      // Not on a button: somebody may be typing.
      /** @type {HTMLElement | null} */ (root.querySelector(".reading"))
        ?.focus(/** @type {FocusOptions} */ ({ preventScroll: true, focusVisible: false }));
    };
    // What clicks go through is not found at a point, so it is looked at what has come since.
    tickbirdNote.isFront = () => host.isConnected && dialog.open && dialog.checkVisibility()
      && page("elementFromPoint")(innerWidth / 2, innerHeight / 2) === host
      && !tickbirdNote.isInTransition() && topLayer(host).every((each) => below.has(each));
    let disturbances = 0;
    const watch = setInterval(() => {
      // What nobody sees has no front.
      if (page("visibilityState") !== "visible" || tickbirdNote.isFront?.()) return;
      disturbances += 1;
      if (disturbances % toleratedDisturbances === 0) tickbirdNote.send({ type: "note-disturbed" });
      raise();
    }, watchMilliseconds);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    for (const each of /** @type {HTMLMediaElement[]} */ (playing)) each.pause();
    raise();
    tickbirdNote.listen(root, false);
    // A policy of the page's may keep the style out; such a page is loaded again.
    const isWhole = dialog.getBoundingClientRect().width >= innerWidth - 32;
    removeCover = () => {
      clearInterval(watch);
      tickbirdNote.isFront = undefined;
      removeCover = null;
      if (dialog.open) dialog.close();
      host.remove();
      for (const each of /** @type {HTMLMediaElement[]} */ (playing)) each.play().catch(() => {});
    };
    return isWhole;
  };

  /** Takes the note away that covers the page; false if there is none. */
  const uncover = () => {
    if (!removeCover) return false;
    removeCover();
    return true;
  };

  /**
   * Says that a note will cover the page. False if one is there already.
   *
   * @param {Messages.ShownNote} note
   */
  const announce = (note) => {
    if (tickbirdNote.isShown || removeCover) return false;
    removeAnnouncement?.();
    const { host, root } = makeHost(announcementStyle, ["div",
      { class: "announcement", lang: tickbirdNote.text("language"), dir: tickbirdNote.direction() },
      ["span", { role: "status" }, tickbirdNote.text("note_comes_back")],
      ["button", { type: "button", class: "now" }, tickbirdNote.text("note_show_now")],
      ["button", { type: "button", class: "view" },
        tickbirdNote.text("note_longer", tickbirdNote.duration(note.snoozeMinutes))]]);
    host.popover = "manual";
    for (const [name, choice] of /** @type {const} */ ([["now", "now"], ["view", "view"]])) {
      root.querySelector(`.${name}`)?.addEventListener("click", (event) => {
        if (!event.isTrusted) return;
        removeAnnouncement?.();
        tickbirdNote.send({ type: "note", choice });
      });
    }
    Element.prototype.append.call(page("documentElement"), host);
    try {
      host.showPopover();
    } catch {
      // A page hears of it before, and may have taken it away; the note comes all the same.
    }
    removeAnnouncement = () => {
      removeAnnouncement = null;
      host.remove();
    };
    return true;
  };

  /** Takes the announcement away, if there is one. */
  const conceal = () => removeAnnouncement?.();

  /** Goes back, also to what a browser's own button leaves out. */
  const back = () => history.back();

  Object.assign(tickbirdNote, { announce, back, conceal, cover, uncover });
}

// Firefox returns a script's last value to the background, and cannot return functions.
undefined;
