// In documents, in Chromium: remembers over which element the browser's menu was opened last, since the menu's
// item does not say it. Firefox does.
//
// Nothing else is kept, and nobody is told: the picker's scripts, which run here too, ask when a person has
// chosen "Hide this element…". Registered before any script of the page, so that none comes before it.

addEventListener("contextmenu", (event) => {
  if (!event.isTrusted) return;
  const [target] = event.composedPath();
  globalThis.tickbirdMenuTarget = target instanceof Element ? new WeakRef(target) : undefined;
}, { capture: true, passive: true });
