// `safari` for the pages of an older folder: the global page, pop-overs, and pages in tabs.

/** @param {SafariFolderSettings} settings */
function makeFolderPageSafari(settings) {
  connectFolderPage(settings);
  // The page of the settings is not the extension's own.
  if (location.pathname !== "/tickbird-options.html") hideBrowserInterfaces();
}

/** @param {SafariFolderSettings} settings */
function connectFolderPage(settings) {
  const root = /** @type {any} */ (globalThis);
  const api = root.browser ?? root.chrome;
  // A page in a page of the web has what scripts in pages have.
  if (!api?.runtime?.id || !api.extension) {
    if (!root.parent?.tickbirdHome) return makeContentSafari(/** @type {any} */ (settings));
  }
  addAttributeHandlers(root);
  // WebSQL is gone from browsers; Safari gave null without a quota.
  root.openDatabase ??= () => null;

  const outer = root.parent !== root && /** @type {any} */ (sameOrigin(() => root.parent.tickbirdHome));
  if (outer && !outer.global) {
    const made = makeGlobalSafari(outer, settings, root);
    outer.global = root;
    root.safari = {
      application: made.application,
      extension: made.extension,
      self: Object.assign(new SafariTarget(), { contentWindow: root }),
    };
    root.tickbirdPopovers = made.popovers;
    return;
  }

  const home = findHome();
  const isPopover = new URLSearchParams(location.search).get("tickbird") === "popover";
  if (!home) {
    const isOptions = location.pathname === "/tickbird-options.html";
    if (isPopover || isOptions) return location.replace(`/tickbird-waiting.html?${location.pathname}`);
    makeContentSafari(/** @type {any} */ (settings));
    return;
  }
  const shared = home.global.safari;
  if (!isPopover) {
    // A page in a tab has both: messages as scripts in pages have them, and the rest.
    makeContentSafari(/** @type {any} */ (settings));
    root.safari = { ...root.safari, application: shared.application, extension: shared.extension };
    return;
  }
  const popover = home.global.tickbirdPopovers.find((/** @type {any} */ one) => one.path === location.pathname);
  const self = Object.assign(popover ?? new SafariTarget(), { contentWindow: root, visible: true });
  self.hide = () => root.close();
  const leave = /** @type {Array<() => void>} */ ([]);
  const extension = Object.create(shared.extension, {
    settings: { value: forThisPage(shared.extension.settings, leave), enumerable: true },
  });
  root.safari = { application: forThisPage(shared.application, leave), extension, self };
  addEventListener("pagehide", () => {
    for (const step of leave.splice(0)) step();
    if (self.contentWindow === root) Object.assign(self, { contentWindow: null, visible: false });
  });
  const style = document.createElement("style");
  const [width, height] = [Math.min(popover?.width ?? 400, 800), Math.min(popover?.height ?? 300, 600)];
  style.textContent = `html { width: ${width}px; min-height: ${height}px; }`;
  document.documentElement.append(style);
  // In Safari the page was loaded when its pop-over is shown, so that it hears of it too.
  addEventListener("load", () => {
    const path = [shared.application, self];
    dispatchSafariEvent(path, new SafariEvent("popover", { bubbles: true }));
  });

  /**
   * An object of the global page whose listeners end with this page, which is a new one each time.
   *
   * @param {any} shared @param {Array<() => void>} ends
   */
  function forThisPage(shared, ends) {
    return new Proxy(shared, {
      get: (target, key) => {
        const value = target[key];
        if (key === "addEventListener") {
          return (/** @type {any[]} */ ...values) => {
            value.apply(target, values);
            ends.push(() => target.removeEventListener(...values));
          };
        }
        return typeof value === "function" ? value.bind(target) : value;
      },
      set: (target, key, value) => {
        target[key] = value;
        return true;
      },
    });
  }

  /** The page that has the global page in it. */
  function findHome() {
    const views = sameOrigin(() => api.extension.getViews()) ?? [];
    for (const view of [...views, sameOrigin(() => api.extension.getBackgroundPage?.())]) {
      const found = sameOrigin(() => view?.tickbirdHome);
      if (found?.global?.safari) return found;
    }
    return null;
  }

  /** @param {() => any} read */
  function sameOrigin(read) {
    try {
      return read() ?? null;
    } catch {
      return null;
    }
  }
}
