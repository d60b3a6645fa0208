// Context menus of a global page.

/**
 * @param {SafariFolderSettings} settings @param {SafariApplication} application
 * @param {(message: any) => Promise<any>} ask
 */
function makeContextMenus(settings, application, ask) {
  class ContextMenuItem extends SafariTarget {
    disabled = false;

    /** @param {string} identifier @param {string} title @param {string} [command] */
    constructor(identifier, title, command) {
      super();
      this.identifier = identifier;
      this.title = title;
      this.command = command || identifier;
    }
  }
  /**
   * What the menu had when it was opened last.
   *
   * @type {ContextMenuItem[]}
   */
  let shown = [];
  const declared = settings.contextItems.map(
    (item) => new ContextMenuItem(item.identifier, item.title, item.command),
  );

  /** @param {SafariBrowserTab} tab @param {unknown} packed */
  async function open(tab, packed) {
    const userInfo = unpackValue(packed);
    const items = [...declared];
    const contextMenu = {
      contextMenuItems: items,
      /** @param {string} identifier @param {string} title @param {string} [command] */
      appendContextMenuItem(identifier, title, command) {
        return this.insertContextMenuItem(items.length, identifier, title, command);
      },
      /** @param {number} index @param {string} identifier @param {string} title @param {string} [command] */
      insertContextMenuItem(index, identifier, title, command) {
        const item = new ContextMenuItem(String(identifier), String(title), command);
        items.splice(index, 0, item);
        return item;
      },
    };
    application.send(tab, new SafariEvent("contextmenu", { userInfo, contextMenu, bubbles: true }));
    for (const item of items) {
      item.disabled = false;
      const members = { command: item.command, userInfo, bubbles: true };
      dispatchSafariEvent([application, tab.browserWindow, tab, item], new SafariEvent("validate", members));
    }
    shown = items;
    const described = items.map(({ identifier, title, disabled }) => ({
      identifier, title: String(title), isHidden: Boolean(disabled),
    }));
    await ask({ call: "contextMenu", items: described }).catch((/** @type {Error} */ error) => {
      console.warn(`the menu is that of before: ${error.message}`);
    });
  }

  /** @param {SafariBrowserTab} tab @param {string} identifier @param {unknown} packed */
  function choose(tab, identifier, packed) {
    const item = [...shown, ...declared].find((one) => one.identifier === identifier);
    if (!item) return;
    const members = { command: item.command, userInfo: unpackValue(packed), bubbles: true };
    dispatchSafariEvent([application, tab.browserWindow, tab, item], new SafariEvent("command", members));
  }

  return { open, choose };
}
