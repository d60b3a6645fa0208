if (window.top === window) {
  document.documentElement.setAttribute("data-end", document.body ? "parsed" : "early");
  safari.self.tab.dispatchMessage("hello", { at: new Date(0), none: undefined });
}
