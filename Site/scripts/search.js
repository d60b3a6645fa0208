"use strict";
// The search, without a server: an index that was made with the site is loaded when it is first needed, and
// looked through section by section.

const siteRoot = document.documentElement.dataset.root;
/** The sections, each with its words in small letters; null until they are asked for. */
let searchIndex = null;

/** Loads the index as a script, which pages from files may do as well. */
function loadSearchIndex() {
  searchIndex ??= new Promise((resolve, reject) => {
    globalThis.tickbirdSearchIndex = (sections) => resolve(sections.map(([page, title, anchor, heading, text]) => ({
      page, title, anchor, heading, text,
      words: [title, heading, text].map((part) => part.toLowerCase()),
    })));
    const script = document.createElement("script");
    script.src = `${siteRoot}site/search-index.js`;
    script.onerror = () => {
      searchIndex = null;
      script.remove();
      reject(new Error("the index of the search cannot be loaded"));
    };
    document.head.append(script);
  });
  return searchIndex;
}

/** The words of a question, at most eight of them. */
function searchWords(question) {
  return [...new Set(question.toLowerCase().slice(0, 100).split(/[\s,;]+/).filter((word) => word !== ""))].slice(0, 8);
}

/** How well a word fits a text: not, inside of a word, at a word's beginning, or as a whole word. */
function fit(text, word) {
  let best = 0;
  for (let place = text.indexOf(word); place >= 0 && best < 3; place = text.indexOf(word, place + 1)) {
    const begins = place === 0 || !/[\p{L}\p{N}]/u.test(text[place - 1]);
    const after = text[place + word.length];
    const ends = after === undefined || !/[\p{L}\p{N}]/u.test(after);
    best = Math.max(best, begins ? (ends ? 3 : 2) : 1);
  }
  return best;
}

/** How often a word is in a text, up to ten times. */
function frequency(text, word) {
  let count = 0;
  for (let place = text.indexOf(word); place >= 0 && count < 10; place = text.indexOf(word, place + 1)) count += 1;
  return count;
}

/** The sections that have every word, the best first. */
function searchSections(sections, words) {
  const found = [];
  for (const section of sections) {
    const [title, heading, text] = section.words;
    let score = 0;
    for (const word of words) {
      const fits = [fit(title, word) * 4, fit(heading, word) * 6, fit(text, word)];
      const best = Math.max(...fits);
      if (best === 0) {
        score = 0;
        break;
      }
      score += best + fits[0] / 8 + frequency(text, word) / 2;
    }
    // The beginning of a page stands for the page, if it has the words in its name; what files and single
    // functions say is wanted last.
    if (score > 0 && section.heading === "" && words.some((word) => fit(title, word) > 1)) score += 2;
    if (score > 0 && /^(files|reference)\//.test(section.page)) score /= 3;
    if (score > 0) found.push({ section, score });
  }
  return found.sort((one, other) => other.score - one.score).map(({ section }) => section);
}

/** The part of a section's text around the first word that is in it. */
function excerpt({ text, words: [, , lower] }, words) {
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  let start = Math.max(0, first - 60);
  if (start > 0) start = text.indexOf(" ", start) + 1;
  const end = start + 170;
  return (start > 0 ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}

/** A text as nodes, in which the words are marked; it is never read as HTML. */
function marked(text, words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (escaped.length === 0) return [text];
  return text.split(new RegExp(`(${escaped.join("|")})`, "iu")).map((part, number) => {
    if (number % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

/** A link to a section that was found. */
function foundLink(section, words) {
  const link = document.createElement("a");
  link.href = siteRoot + section.page + (section.anchor === "" ? "" : `#${section.anchor}`);
  const place = document.createElement("span");
  place.className = "place";
  place.append(...marked([section.title, section.heading].filter((part) => part !== "").join(" › "), words));
  const text = document.createElement("span");
  text.className = "excerpt";
  text.append(...marked(excerpt(section, words), words));
  link.append(place, text);
  return link;
}

/** How many places there are, in words. */
function foundCount(number) {
  return number === 0 ? "Nothing found" : number === 1 ? "1 place" : `${number} places`;
}

// The field at the top of every page.

const searchBox = document.querySelector("#search");
const searchField = document.querySelector("#query");
const foundBox = document.querySelector("#found");
const foundList = document.querySelector("#found-list");
const foundWords = document.querySelector("#found-count");
let searchNumber = 0;

async function showFound() {
  const number = ++searchNumber;
  const words = searchWords(searchField.value);
  if (words.length === 0) {
    foundBox.hidden = true;
    return;
  }
  let found;
  try {
    found = searchSections(await loadSearchIndex(), words);
  } catch (error) {
    foundBox.hidden = false;
    foundWords.textContent = `Nothing can be searched: ${error.message}.`;
    foundList.replaceChildren();
    return;
  }
  // An older question may be answered late.
  if (number !== searchNumber) return;
  foundBox.hidden = false;
  foundWords.textContent = found.length > 8 ? `${foundCount(found.length)}, the first 8:` : foundCount(found.length);
  foundList.replaceChildren(...found.slice(0, 8).map((section) => {
    const item = document.createElement("li");
    item.append(foundLink(section, words));
    return item;
  }));
}

function closeFound() {
  searchNumber += 1;
  foundBox.hidden = true;
}

/** Moves from the field to what was found, up and down in it, and back. */
function moveInFound(event) {
  if (event.key === "Escape" && !foundBox.hidden) {
    closeFound();
    searchField.focus();
    event.preventDefault();
    return;
  }
  if (event.key === "Enter" && event.target === searchField) {
    location.assign(`${siteRoot}search.html#${encodeURIComponent(searchField.value.trim())}`);
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || foundBox.hidden) return;
  const stops = [searchField, ...foundList.querySelectorAll("a")];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (next !== undefined) next.focus();
  event.preventDefault();
}

searchBox.hidden = false;
searchField.addEventListener("focus", () => { loadSearchIndex().catch(() => {}); });
searchField.addEventListener("input", showFound);
searchBox.addEventListener("keydown", moveInFound);
// Whoever goes elsewhere is done with it.
searchBox.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget !== null && !searchBox.contains(relatedTarget)) closeFound();
});
document.addEventListener("pointerdown", ({ target }) => {
  if (!searchBox.contains(target)) closeFound();
});
