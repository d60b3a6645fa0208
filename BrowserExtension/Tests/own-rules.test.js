import { fakeBrowser } from "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { addOwnRule, hidingRule, isOneSelector, siteDomain, takeBack, withRule, withoutRule } =
  await import("../WebExtension/own/own-rules.js");
const { blocks, requestRules } = await import("../WebExtension/own/request-rules.js");

const own = hidingRule("news.example", "#ad > .banner");
const rules = (text) => JSON.parse(text);

test("a rule that hides is an ordinary one, and the same as a filter", () => {
  assert.deepEqual(own.rule, {
    trigger: { "url-filter": ".*", "if-domain": ["*news.example"] },
    action: { type: "css-display-none", selector: "#ad > .banner" },
  });
  assert.equal(own.filter, "news.example###ad > .banner");
  assert.equal(siteDomain("127.0.0.1"), "127.0.0.1");
  for (const odd of ["a#@#b", ".a:style(x)", "a[b^=\"c\"]", "+js(a)"]) {
    assert.equal(hidingRule("news.example", odd).filter, null, odd);
  }
});

test("only one selector is one, whatever a page makes of its names", () => {
  for (const good of ["#ad", "div.a.b", "a[href^=\"https://x.example/\"]", "#a\\{b\\}".replace(/\\[{}]/g, "\\,"),
    "div:nth-of-type(2) > p", "[title=\"a{b}\"]"]) assert.ok(isOneSelector(good), good);
  for (const bad of ["", " #ad", "a, b", "a{display:block}", "a}b{", "a\nb", "#\\{", "x".repeat(401), null, 7, ["a"]]) {
    assert.ok(!isOneSelector(bad), String(bad));
  }
});

test("a rule comes behind the own rules, in their syntax, and once", () => {
  for (const empty of ["", " \n", "[]", " [ ]\n"]) assert.deepEqual(rules(withRule(empty, own).after), [own.rule]);
  const one = withRule("", own).after;
  assert.equal(withRule(one, own), null);
  const other = hidingRule("news.example", "#other");
  assert.deepEqual(rules(withRule(one, other).after), [own.rule, other.rule]);
  assert.equal(withRule("||a.example^", own).after, "||a.example^\nnews.example###ad > .banner\n");
  assert.equal(withRule("[Adblock Plus 2.0]\r\n||a^\r\n", own).after,
    "[Adblock Plus 2.0]\r\n||a^\r\nnews.example###ad > .banner\n");
  assert.equal(withRule("! x\nnews.example###ad > .banner\r\n", own), null);
  assert.throws(() => withRule("||a^\n", { ...own, filter: null }), /filter syntax/);
  assert.throws(() => withRule("[{} // end", own), /neither/);
});

test("what was added is taken back, and nothing else with it", () => {
  for (const before of ["", "[]", "||a^\n", "[\n  {\"trigger\":{\"url-filter\":\"a\"},\"action\":{\"type\":\"block\"}}\n]\n"]) {
    const written = withRule(before, own);
    assert.equal(withoutRule(written.after, written), before);
    // Another one was added meanwhile.
    const later = withRule(written.after, hidingRule("b.example", ".b"));
    const rest = withoutRule(later.after, written);
    assert.ok(!rest.includes("#ad") && rest.includes(".b"), rest);
    if (rest.startsWith("[")) assert.equal(rules(rest).length, rules(later.after).length - 1);
    // It is gone already, or there twice.
    assert.equal(withoutRule(later.before.replace(written.line, "") || "x", written), null);
    assert.equal(withoutRule(`${later.after}\n${later.after}`, written), null);
  }
});

/** A host with own rules, which somebody else may change before a write. */
function fakeHost(text, meddle = () => {}) {
  const host = { text, writes: 0 };
  fakeBrowser.runtime.sendMessage = async (message) => {
    if (message.type === "ownRules") return { type: "ownRules", text: host.text, rules: 0, notes: [] };
    assert.equal(typeof message.before, "string", "a text is never replaced unseen");
    host.writes += 1;
    meddle(host);
    if (message.before !== host.text) return { error: "your own rules were changed elsewhere" };
    if (host.refuses) return { error: "line 1 is wrong" };
    host.text = message.text;
    return { type: "ownRules", text: host.text, rules: 1, notes: [] };
  };
  return host;
}

test("what others write between reading and writing stays", async () => {
  const host = fakeHost("||a^\n", (each) => { if (each.writes < 3) each.text += `||b${each.writes}^\n`; });
  const written = await addOwnRule(own);
  assert.equal(host.text, "||a^\n||b1^\n||b2^\nnews.example###ad > .banner\n");
  assert.equal(host.writes, 3);
  host.text += "||later^\n";
  await takeBack(written);
  assert.equal(host.text, "||a^\n||b1^\n||b2^\n||later^\n");
  await assert.rejects(takeBack(written), /do not have this rule/);
  const busy = fakeHost("", (each) => { each.text += "x"; });
  await assert.rejects(addOwnRule(own), /changed elsewhere/);
  assert.equal(busy.writes, 5);
});

test("what the host refuses changes nothing, and is not tried again", async () => {
  const host = fakeHost("||a^\n");
  host.refuses = true;
  await assert.rejects(addOwnRule(own), /line 1 is wrong/);
  assert.equal(host.text, "||a^\n");
  assert.equal(host.writes, 1);
});

test("rules for a request go from narrow to wide, and none blocks the page", () => {
  const request = {
    url: "https://cdn.ads.example/js/a.js?b=1", page: "https://news.example/", resourceType: "script",
  };
  const all = requestRules(request, "ads.example", null);
  assert.deepEqual(all.map(({ width }) => width), ["exact", "path", "folder", "host", "site"]);
  assert.deepEqual(all.map(({ own: { filter } }) => filter), [
    "|https://cdn.ads.example/js/a.js?b=1|", "|https://cdn.ads.example/js/a.js", "|https://cdn.ads.example/js/",
    "||cdn.ads.example^", "||ads.example^",
  ]);
  const blocked = (url) => all.map(({ own: each }) => Number(blocks(each, url))).join("");
  assert.equal(blocked(request.url), "11111");
  assert.equal(blocked("https://cdn.ads.example/js/a.js?b=2"), "01111");
  assert.equal(blocked("https://cdn.ads.example/js/c.js"), "00111");
  assert.equal(blocked("wss://cdn.ads.example:8080/"), "00011");
  assert.equal(blocked("https://ads.example/"), "00001");
  assert.equal(blocked("https://badads.example/"), "00000");
  assert.deepEqual(requestRules(request, "ads.example", "news.example")[0].own.rule.trigger["if-domain"], ["*news.example"]);
  assert.match(requestRules(request, "ads.example", "news.example")[0].own.filter, /\$domain=news\.example$/);
  // A first-party request has no rules that would block the page.
  const own2 = { url: "https://news.example/x/y.js", page: "https://news.example/", resourceType: "script" };
  assert.deepEqual(requestRules(own2, "news.example", null).map(({ width }) => width), ["exact", "folder"]);
  assert.deepEqual(requestRules({ ...own2, resourceType: "top-document" }, "news.example", null), []);
  assert.deepEqual(requestRules({ ...own2, url: "data:text/plain,x" }, null, null), []);
  assert.deepEqual(requestRules({ ...own2, url: `https://a.example/${"x".repeat(2000)}` }, null, null), []);
});

test("an address that filters would misread is left to JSON, and matches itself alone", () => {
  for (const url of ["https://a.example/x*y", "https://a.example/a$script,image", "https://a.example/a^b|c?d[e]{1}(f)"]) {
    const [exact] = requestRules({ url, page: "https://p.example/", resourceType: "image" }, "a.example", null);
    assert.equal(exact.own.filter, null, url);
    assert.ok(blocks(exact.own, url), url);
    assert.ok(!blocks(exact.own, url.replace("x*y", "xxy").replace("$", "S").replace("^", "x")));
  }
});
