"use strict";
// What every page does: code is copied by a button, and what scrolls by itself is reached by the keyboard.

/** Puts a text into the clipboard, or marks it where that is not allowed. */
async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    if (shown === null) return "Not copied";
    getSelection()?.selectAllChildren(shown);
    return "Marked";
  }
}

/** Lets a button say for two seconds what has become of its press. */
function sayOnButton(button, words) {
  button.dataset.words ??= button.textContent;
  button.textContent = words;
  button.classList.add("done");
  setTimeout(() => {
    button.textContent = button.dataset.words;
    button.classList.remove("done");
  }, 2000);
}

for (const button of document.querySelectorAll(".code > .copy")) {
  const code = button.parentElement.querySelector("code");
  button.hidden = false;
  button.addEventListener("click", async () => {
    sayOnButton(button, await copyText(code.textContent, code));
  });
}

// Only what is wider than its place is a stop of the tabulator.
const scrollers = [...document.querySelectorAll(".code > pre, .wide")];
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) {
      target.tabIndex = 0;
      target.setAttribute("role", "group");
      target.setAttribute("aria-label", target.matches("pre") ? "Code, wider than shown" : "Table, wider than shown");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
    }
  }
});
for (const each of scrollers) observer.observe(each);

// The contents are beside the text where there is room, and otherwise one press away.
const contents = document.querySelector(".contents > details");
if (contents !== null) {
  const isWide = matchMedia("(min-width: 64rem)");
  const follow = () => { contents.open = isWide.matches; };
  isWide.addEventListener("change", follow);
  follow();
}
