// Asks whether there is a note for the page, and shows it.

const api = globalThis.browser ?? globalThis.chrome;

function show(response) {
  const note = document.createElement("div");
  note.id = "note";
  note.style.cssText = "position:fixed;inset:0;background:Canvas;color:CanvasText;white-space:pre-wrap";
  const emoji = document.createElement("p");
  emoji.className = "emoji";
  emoji.textContent = response.emoji;
  const words = document.createElement("p");
  words.className = "words";
  words.textContent = response.displayText;
  const view = document.createElement("button");
  view.className = "view";
  view.textContent = "View Website";
  view.addEventListener("click", () => send({ request: "snooze", id: response.id }));
  note.append(emoji, words, view);
  document.documentElement.append(note);
}

function send(request) {
  api.runtime.sendMessage(request).then((response) => {
    if (response.type === "message" && !response.isSnoozed) show(response);
    else if (response.type === "reload") location.reload();
  });
}

send({ request: "check", url: location.href });
