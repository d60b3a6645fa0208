import { fakeBrowser, messages } from "./Support/browser.js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const { counted, isolated, listed, nodes, number, sentences, size, text } = await import("../WebExtension/shared/texts.js");

const folder = new URL("../WebExtension/", import.meta.url);
const locales = readdirSync(new URL("_locales/", folder)).sort();
const read = (path) => readFileSync(new URL(path, folder), "utf8");
const texts = new Map(locales.map((locale) =>
  [locale, JSON.parse(read(`_locales/${locale}/messages.json`))]));
const english = texts.get("en");
const pluralForm = /_(zero|one|two|few|many|other)$/;
const stem = (key) => key.replace(pluralForm, "");
/** The texts that depend on a number, without their forms. */
const plural = new Set(Object.keys(english).filter((key) => key.endsWith("_other")).map(stem));
/** The texts of a language in their order, each once. */
const stems = (all) => [...new Set(Object.keys(all).map((key) => (plural.has(stem(key)) ? stem(key) : key)))];
/** What stands for values in a text, sorted. */
const values = ({ message }) => [...new Set(message.match(/\$\d/g) ?? [])].sort().join();

/** All scripts, pages and manifests, by their names. */
const files = new Map(readdirSync(folder, { recursive: true })
  .filter((name) => /\.(js|html|json)$/.test(name) && !name.startsWith("_locales"))
  .map((name) => [name, read(name)]));
const sources = [...files.values()].join("\n");

test("the languages are those that Documentation/Languages.md names", () => {
  assert.deepEqual(locales, ["ar", "de", "en", "ja"]);
  for (const [locale, own] of texts) assert.equal(own.language.message, locale);
});

test("every language has every text, in the same order, with the same values in it", () => {
  for (const [locale, own] of texts) {
    assert.deepEqual(stems(own), stems(english), locale);
    for (const [key, entry] of Object.entries(own)) {
      assert.ok(entry.message.trim(), `${locale}: ${key} is empty`);
      const original = english[key] ?? english[`${stem(key)}_other`];
      // A form for none, one or two may leave its number out.
      const leavesOut = plural.has(stem(key)) && /_(zero|one|two)$/.test(key);
      const [its, whole] = [values(entry), values(original)];
      if (leavesOut) assert.ok([...its.split(",")].every((each) => whole.includes(each)), `${locale}: ${key}`);
      else assert.equal(its, whole, `${locale}: ${key}`);
    }
  }
});

test("a text that depends on a number has the forms of its language, and no others", () => {
  for (const [locale, own] of texts) {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    for (const key of plural) {
      const forms = Object.keys(own).filter((each) => stem(each) === key && pluralForm.test(each))
        .map((each) => each.slice(key.length + 1));
      assert.deepEqual(forms.sort(), [...pluralCategories].sort(), `${locale}: ${key}`);
    }
  }
});

test("texts are used, and those that are used are there", () => {
  const kinds = new Set(Object.keys(english).filter((key) => key.includes("_")).map((key) => key.split("_")[0]));
  for (const key of stems(english)) {
    // Of a kind of texts, the scripts name the beginning: `fate_${fate}`.
    if (new RegExp(`\`${key.split("_")[0]}_\\$\\{`).test(sources)) continue;
    assert.ok(new RegExp(`["'](?:${key})["']|__MSG_${key}__`).test(sources), `nobody uses ${key}`);
  }
  const used = [...sources.matchAll(
    /(?:\b(text|words|counted|nodes)\(\s*"|data-text(?:-[a-z-]+)?="|__MSG_)(\w+?)(?:"|__")/g)];
  assert.ok(used.length > 200);
  for (const [, call, key] of used) {
    assert.ok(call === "counted" ? plural.has(key) : english[key], `there is no text ${key}`);
  }
  // Keys that are chosen by a condition or kept in a table stand alone.
  const scripts = [...files].filter(([name]) => name.endsWith(".js")).map(([, script]) => script).join("\n");
  for (const [, key] of scripts.matchAll(/"([a-z]+_[a-z_]+)"/g)) {
    if (!kinds.has(key.split("_")[0]) || notKeys.has(key)) continue;
    assert.ok(english[key] || plural.has(key), `there is no text ${key}`);
  }
});

/** Words of the browsers that look like keys. */
const notKeys = new Set(["sub_frame", "main_frame", "document_start"]);

/** Scripts without their comments. */
const withoutComments = (script) => script
  .replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "$1");

/** Literals of scripts that have words and that nobody reads, or that are the same in every language. */
const literals = [
  /^Tickbird$/, /^tickbird /, /^https?:\/\/[a-z.]*example\/$/, /^(?:Segoe UI|Noto Sans)$/,
  // Keys of the keyboard.
  /^(?:Escape|Enter|Home|End|Tab|Arrow\w*|Page\w+)$/,
  // Selectors, classes and the values of attributes and fields.
  /^[#.:[]\S+(?: [\w.:[\]-]+)*$/, /^(?:span span|video, audio)$/, /^icon letter$/,
  /^noreferrer noopener$/, /^(?:sandbox;|width=device-width|:root \{|light dark$)/, /^text\/html/,
  // The language of tests.
  /^cookies stripped$/,
  // Styles.
  /^\{[a-z-]+:/, /!important\}$/,
  // HTML, whose texts are values.
  /^<[^]*>$/,
  // Errors of programmers and of documents, which no page shows.
  /^nobody answers/, /^no memory for/, /^the compiled list is damaged/, /^the browser draws no icons$/,
  /^script-src 'none'$/,
];

test("no script has words that a person would read", () => {
  for (const [name, script] of files) {
    if (!name.endsWith(".js")) continue;
    const code = withoutComments(script).replace(/\bclass(?:Name)?: "[^"]*"/g, "");
    // What is shown or thrown has no literal at all, however short.
    for (const [, shown] of code.replace(/\$\{[^}]*\}/g, "").matchAll(
      /(?:textContent|\btitle|placeholder|ariaLabel|alt)\s*[:=]\s*["`]([^"`\n]*[A-Za-z]{3}[^"`\n]*)["`]/g)) {
      assert.ok(literals.slice(0, 3).some((each) => each.test(shown)),
        `${name}: “${shown}” is not from _locales`);
    }
    for (const [, quoted, made] of code.matchAll(/"([^"\n]*)"|`([^`]*)`/g)) {
      const words = (quoted ?? made).replace(/\$\{[^}]*\}/g, "").trim();
      const isSentence = /[A-Za-z’']{2,},? [A-Za-z’']{2,}/.test(words) || /^[A-Z][a-z]{2,}[.!?:]?$/.test(words);
      if (!isSentence || made?.includes("\n")) continue;
      assert.ok(literals.some((each) => each.test(words)) || thrown.has(words),
        `${name}: “${words}” is not from _locales`);
    }
  }
});

/** Errors that answer documents, which do not show them. */
const thrown = new Set([
  "not allowed", "there is no note", "a focus session lets no page be seen", "it is too early",
]);

test("no page has words of its own", () => {
  for (const [name, page] of files) {
    if (!name.endsWith(".html")) continue;
    const bare = page.replace(/<!--[^]*?-->/g, "").replace(/<[^>]*>/g, "\n");
    for (const line of bare.split("\n").map((each) => each.trim()).filter(Boolean)) {
      assert.ok(line === "Tickbird", `${name}: “${line}” is not from _locales`);
    }
    for (const [, attribute, value] of page.matchAll(/\s(title|placeholder|aria-label|alt)="([^"]+)"/g)) {
      // An example of an address is the same in every language.
      assert.ok(/^(?:https:\/\/)?[\w.]+(?:\/[\w.]*)?$/.test(value), `${name}: ${attribute}="${value}"`);
    }
  }
});

/** The texts of buttons. */
const buttons = new Set([
  ...[...sources.matchAll(/<button[^>]*\sdata-text="(\w+)"/g)].map(([, key]) => key),
  ...[...sources.matchAll(/make(?:Confirmed)?\(\s*(?:"button"[^)]*textContent: )?text\("(\w+)"/g)].map(([, key]) => key),
  ...Object.keys(english).filter((key) => /^A button/.test(english[key].description ?? "")),
]);

test("no text is so long that it breaks the pop-up", () => {
  assert.ok(buttons.size > 20);
  // In letters; those of Chinese characters are twice as wide.
  const width = (message) => [...message].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0);
  for (const [locale, own] of texts) {
    for (const [key, { message }] of Object.entries(own)) {
      const original = english[key] ?? english[`${stem(key)}_other`];
      const most = buttons.has(key) ? 44 : Math.max(36, width(original.message) * 1.75);
      assert.ok(width(message) <= most, `${locale}: ${key} has ${width(message)} of at most ${most} letters`);
      assert.ok(width(message) <= 320, `${locale}: ${key} is too long for any page`);
    }
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

/**
 * Runs with another language of the texts and of the browser.
 *
 * @param {string} locale
 * @param {() => void} body
 * @param {string} browser the browser's own
 */
function speaking(locale, body, browser = locale) {
  const before = { ...messages };
  const { getUILanguage } = fakeBrowser.i18n;
  Object.assign(messages, texts.get(locale));
  fakeBrowser.i18n.getUILanguage = () => browser;
  try {
    body();
  } finally {
    fakeBrowser.i18n.getUILanguage = getUILanguage;
    Object.assign(messages, before);
  }
}

test("numbers, lists and sizes are the person's own", () => {
  assert.equal(listed(["a", "b", "c"]), "a, b, and c");
  assert.equal(listed([], "unit"), "");
  assert.equal(size(2_500_000), "2.5 MB");
  for (const odd of [NaN, 0, -1]) assert.ok(size(odd));
  speaking("de", () => {
    assert.equal(counted("list_rules", 1234), "1.234 Regeln");
    assert.equal(counted("list_rules", 1), "Eine Regel");
    assert.equal(listed(["a", "b", "c"]), "a, b und c");
    assert.equal(sentences("Eins.", "", "Zwei."), "Eins. Zwei.");
  });
  speaking("ja", () => {
    assert.equal(counted("list_rules", 1), "1件のルール");
    assert.equal(sentences("一。", "二。"), "一。二。");
  });
  // A browser in a language that the texts are not in.
  speaking("en", () => {
    assert.equal(number(1234.5), "1.234,5");
    assert.equal(listed(["a", "b"]), "a and b");
  }, "de");
});

test("Arabic has six forms, and keeps addresses apart", () => {
  speaking("ar", () => {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => counted("list_rules", count));
    assert.deepEqual(forms, ["بلا قواعد", "قاعدة واحدة", "قاعدتان", `${number(3)} قواعد`,
      `${number(11)} قاعدة`, `${number(100)} قاعدة`]);
    assert.equal(text("list_on", "example.com"), "استخدام \u2068example.com\u2069");
  });
  assert.equal(isolated("example.com"), "example.com");
  assert.equal(isolated("قائمة"), "\u2068قائمة\u2069");
  assert.equal(isolated("a\u202eb"), "\u2068a\u202eb\u2069");
});

/** How many isolates are open at a text's end; -1 where one is ended that it has not begun. */
function openAtEnd(value) {
  let open = 0;
  for (const character of value) {
    if (/[\u2066-\u2068]/.test(character)) open += 1;
    else if (character === "\u2069" && (open -= 1) < 0) return -1;
  }
  return open;
}

test("no value leaves its isolate, or leaves one open, whatever it holds", () => {
  const names = ["Good\u2067 list", "Good\u2066 list", "Good\u2069 \u202elist", "\u05d0\u2069\u2067x", "\u2069\u2069\u2068\u2068",
    "a\u2067b\u2069c\u2069d", "\u2066\u2069", "\u05d0\n\u2067b\u2029\u2069c", "\u200fa", "\u061ca"];
  for (const language of ["en", "ar"]) {
    speaking(language, () => {
      for (const name of names) {
        for (const paragraph of isolated(name).split(/[\n\u2029]/)) {
          assert.match(paragraph, /^\u2068[^]*\u2069$/, JSON.stringify(name));
          // The isolate around it ends at its end alone.
          assert.equal(openAtEnd(paragraph.slice(1, -1)), 0, JSON.stringify(name));
        }
        assert.equal(openAtEnd(text("named_fault", name, "the reason")), 0);
      }
    });
  }
  assert.equal(isolated("a\u2067b\u2069c"), "\u2068a\u2067b\u2069c\u2069", "what it balances itself stays");
  assert.equal(isolated("\u{1e900}"), "\u2068\u{1e900}\u2069", "a letter of Adlam");
});

test("a text within a text keeps its isolates", () => {
  const inner = text("named_fault", "\u05d0", "x");
  assert.ok(text("named_fault", "list", inner).includes(`\u2068${inner}\u2069`));
});

test("no value stands for an element of a text", () => {
  globalThis.Node ??= class {};
  const node = new Node();
  assert.deepEqual(nodes("named_fault", node, "\ue000x").filter((part) => part === node), [node]);
});
