"use strict";
// The page with everything that a search finds; the words are in the address behind the number sign.

const resultsForm = document.querySelector("#results-form");
const resultsField = document.querySelector("#words");

async function showResults() {
  let question = "";
  try {
    question = decodeURIComponent(location.hash.slice(1));
  } catch {
    // An address that somebody has cut.
  }
  resultsField.value = question.slice(0, 100);
  const words = searchWords(question);
  const count = document.querySelector("#results-count");
  const list = document.querySelector("#results");
  list.replaceChildren();
  if (words.length === 0) {
    count.textContent = "Type one word or more.";
    return;
  }
  let found;
  try {
    found = searchSections(await loadSearchIndex(), words);
  } catch (error) {
    count.textContent = `Nothing can be searched: ${error.message}.`;
    return;
  }
  count.textContent = found.length > 100 ? `${foundCount(found.length)}, the first 100:` : foundCount(found.length);
  list.replaceChildren(...found.slice(0, 100).map((section) => {
    const item = document.createElement("li");
    item.append(foundLink(section, words));
    return item;
  }));
}

resultsForm.hidden = false;
resultsForm.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = encodeURIComponent(resultsField.value.trim());
});
addEventListener("hashchange", showResults);
showResults();
