// Asks whether there is a note for the page, and covers the page with it.
function cover(note) {
    const host = document.createElement("page-note");
    host.style.cssText = "position:fixed;inset:0;z-index:2147483647";
    const shadow = host.attachShadow({ mode: "open" });
    shadow.innerHTML = `
        <style>
            main { position: fixed; inset: 0; display: grid; place-content: center; gap: 1rem;
                padding: 2rem; background: Canvas; color: CanvasText; color-scheme: light dark;
                font: 1.5rem system-ui; text-align: center }
            .emoji { font-size: 4rem }
            .text { white-space: pre-wrap }
        </style>
        <main><div class="emoji"></div><div class="text"></div><button>View Website</button></main>`;
    shadow.querySelector(".emoji").textContent = note.emoji;
    shadow.querySelector(".text").textContent = note.displayText;
    shadow.querySelector("button").addEventListener("click", () => {
        ask({ request: "snooze", id: note.id });
    });
    document.documentElement.append(host);
    document.documentElement.style.overflow = "hidden";
}

async function ask(request) {
    const response = await browser.runtime.sendMessage(request);
    if (response?.type === "message" && !response.isSnoozed) cover(response);
    else if (response?.type === "reload") location.reload();
}

if (window === window.top) ask({ request: "check", url: location.href });
