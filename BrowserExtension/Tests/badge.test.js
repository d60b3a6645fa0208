import { fakeBrowser, FakeEvent } from "./Support/browser.js";
import assert from "node:assert/strict";
import { mock, test } from "node:test";

for (const name of ["onBeforeRequest", "onSendHeaders", "onBeforeRedirect"]) {
  fakeBrowser.webRequest[name] = new FakeEvent();
}
const { Badge } = await import("../WebExtension/popup/badge.js");
const { RequestEvents } = await import("../WebExtension/deciding/request-events.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

test("tabs that are closed at once are not known, and not listened to, afterwards", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const tabs = new Tabs();
    const events = new RequestEvents(() => {});
    const asked = [];
    const badge = new Badge(tabs, { showsBadge: true }, (tabId) => {
      asked.push(tabId);
      tabs.shown(tabId);
      return "on";
    });
    for (let tabId = 1; tabId <= 2000; tabId++) {
      tabs.commit({ tabId, frameId: 0, url: "https://a.example/", documentId: `d${tabId}` });
      badge.committed(tabId);
      badge.tell(tabId, "words");
      if (tabId === 2000) continue;
      tabs.remove(tabId);
      badge.removed(tabId);
      events.tabClosed(tabId);
    }
    mock.timers.tick(10_000);
    mock.timers.tick(10_000);
    assert.deepEqual([...tabs.numbers], [2000]);
    assert.deepEqual([...new Set(asked)], [2000]);
    // What is late for one of them, whichever.
    for (let tabId = 1; tabId <= 2000; tabId++) events.wantTab(tabId, true);
    assert.equal(fakeBrowser.webRequest.onBeforeRequest.listeners.length, 2, "for documents, and for the tab that is open");
  } finally {
    mock.timers.reset();
  }
});
