// Adds, changes and deletes the note of the tab that is open.
const { emoji, text, save, delete: remove } = document.forms[0].elements;
const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
const note = await browser.runtime.sendMessage({ request: "check", url: tab.url });
if (note.type === "message") {
    emoji.value = note.emoji;
    text.value = note.text;
    remove.hidden = false;
}

async function ask(request) {
    const answer = await browser.runtime.sendMessage(request);
    if (answer.type === "reload") await browser.tabs.reload(tab.id);
    window.close();
}

save.addEventListener("click", (event) => {
    event.preventDefault();
    const words = { text: text.value, emoji: emoji.value };
    ask(
        note.type === "message"
            ? { request: "update", id: note.id, ...words }
            : { request: "add", url: tab.url, ...words },
    );
});
remove.addEventListener("click", () => ask({ request: "delete", id: note.id }));
