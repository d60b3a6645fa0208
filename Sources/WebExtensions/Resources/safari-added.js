// Scripts and style sheets that a global page adds.

/**
 * @param {SafariFolderSettings} settings @param {(message: any) => void} post @param {string} baseURI
 */
function makeAddedContent(settings, post, baseURI) {
  let last = 0;
  /** @type {Map<string, string>} */
  const added = new Map();

  /** @param {unknown} patterns */
  const list = (patterns) => (Array.isArray(patterns) ? patterns.map(String) : []);

  /**
   * Patterns that browsers have too; others name no page here.
   *
   * @param {string[]} patterns
   */
  const sayable = (patterns) =>
    patterns.filter((pattern) => /^(https?|\*):\/\/(\*|(\*\.)?[^*/:]+)\//.test(pattern));

  /** The hosts that the extension may see. */
  const everywhere = () =>
    (settings.access.domains ?? ["*"]).flatMap((domain) =>
      settings.access.schemes.map((scheme) => `${scheme}://${domain}/*`),
    );

  /**
   * @param {string} url @param {unknown} whitelist @param {unknown} blacklist @param {unknown} runAtEnd
   */
  function addContentScriptFromURL(url, whitelist, blacklist, runAtEnd) {
    const path = new URL(url, baseURI);
    if (path.origin !== new URL(baseURI).origin) {
      console.warn(`${url} is no script of the extension; browsers run no other`);
      return url;
    }
    const id = `script-${++last}`;
    added.set(path.href, id);
    const matches = list(whitelist).length > 0 ? sayable(list(whitelist)) : everywhere();
    const isSaid = matches.length > 0 && sayable(list(blacklist)).length === list(blacklist).length;
    if (!isSaid) {
      console.warn(`${url}: browsers have no such patterns, so it is for no page`);
      return path.href;
    }
    const excluded = sayable(list(blacklist));
    const shim = "/tickbird-content.js";
    post({ call: "addScript", id, path: path.pathname, matches, excluded, isAtEnd: Boolean(runAtEnd), shim });
    return path.href;
  }

  /** @param {string} css @param {unknown} whitelist @param {unknown} blacklist */
  function addContentStyleSheet(css, whitelist, blacklist) {
    const id = `sheet-${++last}`;
    const url = `${baseURI}${id}.css`;
    added.set(url, id);
    const allowed = list(whitelist).length > 0 ? list(whitelist) : null;
    post({ call: "addSheet", id, css: String(css), pages: { allowed, excluded: list(blacklist) } });
    return url;
  }

  /** @param {string} url */
  function remove(url) {
    const id = added.get(url);
    if (!id) return;
    added.delete(url);
    post({ call: id.startsWith("sheet") ? "removeSheet" : "removeScript", id });
  }

  /** @param {string} kind */
  const removeAll = (kind) => () => {
    for (const [url, id] of [...added]) if (id.startsWith(kind)) remove(url);
  };

  return {
    addContentScriptFromURL,
    /** @param {string} source */
    addContentScript(source) {
      console.warn(`browsers run no script given as text (${String(source).slice(0, 60)} …)`);
      return `${baseURI}none-${++last}.js`;
    },
    addContentStyleSheet,
    /** @param {string} url @param {unknown} whitelist @param {unknown} blacklist */
    addContentStyleSheetFromURL(url, whitelist, blacklist) {
      const id = `sheet-${++last}`;
      const path = new URL(url, baseURI).href;
      added.set(path, id);
      const allowed = list(whitelist).length > 0 ? list(whitelist) : null;
      void fetch(path).then(async (answer) => {
        if (added.get(path) !== id) return;
        post({ call: "addSheet", id, css: await answer.text(), pages: { allowed, excluded: list(blacklist) } });
      });
      return path;
    },
    removeContentScript: remove,
    removeContentStyleSheet: remove,
    removeContentScripts: removeAll("script"),
    removeContentStyleSheets: removeAll("sheet"),
  };
}
