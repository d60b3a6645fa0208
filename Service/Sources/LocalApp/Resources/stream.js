const list = document.querySelector("ol.links");

function markRead(item) {
  if (!item || item.classList.contains("read")) return;
  const form = item.querySelector("form");
  const body = new URLSearchParams(new FormData(form));
  // The page may be left before the answer is there.
  fetch(form.action, { method: "POST", body, keepalive: true, redirect: "manual" });
  item.classList.replace("unread", "read");
  form.elements.read.value = "no";
  const button = form.querySelector("button");
  button.textContent = list.dataset.markUnread;
  button.setAttribute("aria-label", button.dataset.unreadLabel);
  item.querySelector("h2 .hidden")?.remove();
}

for (const kind of ["click", "auxclick"]) {
  list?.addEventListener(kind, (event) => {
    const link = event.target.closest?.("a.out");
    if (link && event.button < 2) markRead(link.closest("li"));
  });
}
