import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";

fakeBrowser.runtime.getURL = (path) => `moz-extension://tickbird/${path}`;
const { SiteEffects } = await import("../WebExtension/deciding/site-effects.js");
const { SiteChoices } = await import("../WebExtension/shared/site-choices.js");

test("in Firefox large pictures wait also where a page offers several of them", () => {
  const { onHeadersReceived } = fakeBrowser.webRequest;
  const filters = [];
  onHeadersReceived.addListener = (_, filter) => { filters.push(filter); };
  const choices = new SiteChoices();
  choices.set("page.example", "media", true);
  new SiteEffects(null, null).listenAsNeeded(choices);
  assert.deepEqual(filters, [{ urls: ["<all_urls>"], types: ["image", "media", "imageset"] }]);
});
