const form = document.getElementById("bench");
// In the page's language.
const texts = form.dataset;
const answer = document.getElementById("answer");
const progress = document.getElementById("progress");
const opening = document.querySelector("form[action$='/rules/open']");
// Longer lists take seconds to send and to check; those wait for the button.
const mostLive = 400_000;
let timer = 0;
let current = null;

async function ask() {
  if (form.elements.list.value !== "" || form.elements.rules.value.length <= mostLive) {
    current?.abort();
    const own = (current = new AbortController());
    const body = new URLSearchParams(new FormData(form));
    if (form.elements.list.value !== "") body.delete("rules");
    body.set("part", "answer");
    const slow = setTimeout(() => { progress.textContent = texts.checking; }, 400);
    try {
      const response = await fetch(form.action, { method: "POST", body, signal: own.signal });
      const text = await response.text();
      if (own.signal.aborted) return;
      show(text, response.ok);
    } catch (error) {
      if (own.signal.aborted) return;
      progress.textContent = texts.noAnswer;
    } finally {
      clearTimeout(slow);
    }
  } else {
    progress.textContent = texts.long;
  }
}

function show(text, isFine) {
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!isFine) {
    progress.textContent = page.querySelector("[role=alert]")?.textContent ?? texts.problem;
    return;
  }
  answer.replaceChildren(...page.body.childNodes);
  progress.textContent = "";
  const says = answer.querySelector("[data-says]");
  if (says) announce(says.dataset.says);
}

// For those who do not see the answer change; the words are on the page already.
const voice = document.createElement("p");
voice.className = "hidden";
voice.setAttribute("role", "status");
form.after(voice);
function announce(words) {
  if (voice.textContent !== words) voice.textContent = words;
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, 350);
});
form.addEventListener("submit", () => { progress.textContent = texts.checking; });
// The field is for the text alone; what is in it stays.
function showField() {
  form.elements.rules.closest(".field").hidden = form.elements.list.value !== "";
}
form.elements.list.addEventListener("change", showField);
showField();

// What was typed stays when a file is opened.
opening.addEventListener("submit", () => {
  for (const name of ["urls", "page"]) opening.elements[name].value = form.elements[name].value;
  progress.textContent = texts.checking;
});
