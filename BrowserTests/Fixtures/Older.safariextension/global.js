var count = 0, loaded = false, changes = [], windowsAtStart = safari.application.browserWindows.length;

safari.application.addEventListener("message", function (event) {
  if (event.name !== "hello") return;
  var isWhole = event.message.at instanceof Date && "none" in event.message;
  var text = safari.extension.settings.greeting + (safari.extension.settings.isLoud ? "!" : "");
  event.target.page.dispatchMessage("greeting", { text: isWhole ? text : "broken" });
}, false);

safari.application.addEventListener("command", function (event) {
  if (event.command === "count") {
    count += 1;
    safari.extension.toolbarItems.forEach(function (item) { item.badge = count; });
  }
  if (event.command === "mark") {
    safari.application.activeBrowserWindow.activeTab.page.dispatchMessage("marked", event.userInfo);
  }
}, false);

safari.application.addEventListener("validate", function (event) {
  if (event.command === "mark") event.target.disabled = event.userInfo !== "here";
}, false);

safari.extension.settings.addEventListener("change", function (event) {
  changes.push([event.key, event.oldValue, event.newValue]);
}, false);

function block(host, done) {
  var rules = host && [{ trigger: { "url-filter": host }, action: { type: "block" } }];
  safari.extension.setContentBlocker(host === "broken" ? "[" : rules, function (error) {
    done(error ? String(error.message) : "set");
  });
}
