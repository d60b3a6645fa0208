// Search in the gallery's cards, and buttons that copy a command. Everything works without it.
"use strict";

for (const button of document.querySelectorAll("button.copy")) {
  const code = button.parentElement.querySelector("code");
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = button.dataset.copied;
    } catch {
      // Without the clipboard, as on pages without https, the keyboard copies what is selected.
      getSelection().selectAllChildren(code);
      button.textContent = button.dataset.selected;
    }
    setTimeout(() => { button.textContent = name; }, 2000);
  });
}

const form = document.getElementById("search");
if (form) {
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const cards = [...document.querySelectorAll(".card")]
    .map((card) => ({ card, words: fold(card.dataset.words) }));
  const sections = [...document.querySelectorAll(".category")];
  const chips = document.querySelector(".chips");
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  // The forms of a number, as the page's language has them; "#" stands for the number.
  const { language } = form.dataset;
  const counted = (count) => (form.dataset[new Intl.PluralRules(language).select(count)] ?? form.dataset.other)
    .replace("#", count.toLocaleString(language));
  const search = () => {
    const words = fold(query.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const each of cards) {
      const isFound = words.every((word) => each.words.includes(word));
      each.card.hidden = !isFound;
      if (isFound) count += 1;
    }
    for (const section of sections) section.hidden = !section.querySelector(".card:not([hidden])");
    if (chips) chips.hidden = words.length > 0;
    found.textContent = words.length === 0 ? ""
      : count === 0 ? form.dataset.none : counted(count);
  };
  form.hidden = cards.length === 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  query.addEventListener("input", search);
  // A browser that comes back to the page keeps what was typed.
  search();
}
