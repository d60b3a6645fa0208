import { messages } from "./Support/browser.js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const { counted, text } = await import("../WebExtension/shared/texts.js");

const folder = new URL("../WebExtension/", import.meta.url);
const locales = readdirSync(new URL("_locales/", folder));
const read = (path) => readFileSync(new URL(path, folder), "utf8");
const texts = new Map(locales.map((locale) =>
  [locale, JSON.parse(read(`_locales/${locale}/messages.json`))]));
const english = texts.get("en");
const pluralForm = /_(zero|one|two|few|many|other)$/;
/** What stands for values in a text, sorted. */
const values = ({ message }) => [...new Set(message.match(/\$\d/g) ?? [])].sort().join();

/** All scripts, pages and manifests in one text. */
const sources = readdirSync(folder, { recursive: true })
  .filter((name) => /\.(js|html|json)$/.test(name) && !name.startsWith("_locales"))
  .map(read).join("\n");

test("every language has every text, with the same values in it", () => {
  for (const [locale, own] of texts) {
    const stems = (all) => new Set(Object.keys(all).map((key) => key.replace(pluralForm, "")));
    assert.deepEqual([...stems(own)].sort(), [...stems(english)].sort(), locale);
    for (const [key, entry] of Object.entries(own)) {
      assert.ok(entry.message, `${locale}: ${key} is empty`);
      const original = english[key] ?? english[key.replace(pluralForm, "_other")];
      // A form for one or two may leave its number out.
      const isExact = !/_(zero|one|two)$/.test(key);
      if (isExact) assert.equal(values(entry), values(original), `${locale}: ${key}`);
    }
  }
});

test("a text that depends on a number has all forms of its language", () => {
  for (const [locale, own] of texts) {
    const { pluralCategories } = new Intl.PluralRules(own.language.message).resolvedOptions();
    for (const key of Object.keys(own).filter((each) => each.endsWith("_other"))) {
      for (const category of pluralCategories) {
        assert.ok(own[key.replace(/other$/, category)], `${locale}: ${key} has no form ${category}`);
      }
    }
  }
});

test("texts are used, and those that are used are there", () => {
  for (const key of Object.keys(english)) {
    const stem = key.replace(pluralForm, "");
    // Of a kind of texts, the scripts name the beginning: `fate_${fate}`.
    if (new RegExp(`\`${stem.replace(/_[a-z]+$/, "_")}\\$\\{`).test(sources)) continue;
    assert.ok(new RegExp(`(?:\\b|__MSG_)${stem}(?:\\b|__)`).test(sources) || key === "language", `nobody uses ${key}`);
  }
  const used = [...sources.matchAll(
    /(?:\b(text|counted)\(\s*"|data-text(?:-[a-z-]+)?="|__MSG_)(\w+?)(?:"|__")/g)];
  assert.ok(used.length > 0);
  for (const [, call, key] of used) {
    assert.ok(english[call === "counted" ? `${key}_other` : key], `there is no text ${key}`);
  }
});

test("a text has its values, and the form that its number asks for", () => {
  Object.assign(messages, {
    test_one: { message: "one of $2" }, test_other: { message: "$1 of $2" },
    test_plain: { message: "$1: $2" },
  });
  assert.equal(counted("test", 1, "all"), "one of all");
  assert.equal(counted("test", 1234, "all"), "1,234 of all");
  assert.equal(text("test_plain", "a", 5000), "a: 5,000");
  assert.equal(text("test_absent"), "test_absent");
});
