document.documentElement.setAttribute("data-start", document.body ? "late" : "early");
safari.self.addEventListener("message", function (event) {
  if (event.name === "greeting") document.documentElement.setAttribute("data-greeting", event.message.text);
  if (event.name === "marked") document.documentElement.setAttribute("data-marked", event.message);
}, false);
document.addEventListener("contextmenu", function (event) {
  safari.self.tab.setContextMenuEventUserInfo(event, event.target.id);
}, false);
