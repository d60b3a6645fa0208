// Counts the words of the page; sub frames are not the article.
if (window.top === window) {
    document.addEventListener("DOMContentLoaded", function() {
        const words = document.body.innerText.split(/\s+/).filter(function(word) { return word !== ""; });
        safari.extension.dispatchMessage("words", { count: words.length });
    });

    document.addEventListener("contextmenu", function(event) {
        const selection = String(getSelection()).trim();
        // Without a selection the key is missing at the other end.
        safari.extension.setContextMenuEventUserInfo(event, { selection: selection === "" ? undefined : selection });
    });

    safari.self.addEventListener("message", function(event) {
        if (event.name !== "show") { return; }
        const old = document.getElementById("reading-time");
        if (old) { old.remove(); }
        const line = document.createElement("div");
        line.id = "reading-time";
        line.textContent = event.message.minutes + " min";
        line.style.cssText = "position: fixed; top: 1em; right: 1em; padding: 0.5em 1em; border-radius: 1em; color: white; background: #265; font: 16px sans-serif; z-index: 2147483647;";
        document.documentElement.append(line);
    });
}
