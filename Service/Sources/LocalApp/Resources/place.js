// After an action the page comes anew; the focus and the place go back to where they were. Without this
// script, the focus is on the notice that says what was done.
const key = "place";
const controls = () => [...document.querySelectorAll("main button, main input, main select, main summary")]
  .filter((each) => each.getClientRects().length > 0);

addEventListener("submit", ({ target, submitter }) => {
  const { activeElement } = document;
  const control = target.contains(activeElement) ? activeElement : submitter;
  const number = controls().indexOf(control);
  sessionStorage.setItem(key, JSON.stringify({ path: location.pathname, number, top: scrollY }));
});

function goBack() {
  const place = JSON.parse(sessionStorage.getItem(key) ?? "null");
  sessionStorage.removeItem(key);
  const notice = document.querySelector(".notice");
  // Where something went wrong, the words about it have the focus.
  const isFault = notice?.classList.contains("warning") || document.querySelector("[aria-invalid]");
  if (place?.path !== location.pathname || place.number < 0 || isFault) return;
  // What was removed has left its place to what follows.
  const all = controls();
  const control = all[Math.min(place.number, all.length - 1)];
  if (!control) return;
  scrollTo({ top: place.top, behavior: "instant" });
  control.focus({ preventScroll: true });
  // A screen reader says what changes, not what a page begins with.
  if (!notice) return;
  const voice = document.createElement("p");
  voice.className = "hidden";
  voice.setAttribute("role", "status");
  notice.removeAttribute("role");
  notice.after(voice);
  setTimeout(() => { voice.textContent = notice.textContent; }, 100);
}
goBack();
