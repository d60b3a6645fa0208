if (window.top === window) {
  document.documentElement.setAttribute("data-end", document.body ? "parsed" : "early");
  safari.self.tab.dispatchMessage("hello", { at: new Date(0), none: undefined });
}

var inPage = document.createElement("script");
document.documentElement.setAttribute("data-others", typeof chrome + " " + typeof browser);
inPage.textContent = "document.documentElement.dataset.inPage = typeof safari;";
document.head.appendChild(inPage);
