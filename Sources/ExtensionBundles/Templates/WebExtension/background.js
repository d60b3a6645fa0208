// Passes messages of pages on to the native handler, and its answers back.
const api = globalThis.browser ?? globalThis.chrome;

api.runtime.onMessage.addListener((request, sender, sendResponse) => {
    api.runtime.sendNativeMessage("application.id", request).then(
        (response) => sendResponse(response),
        (error) => sendResponse({ error: String(error) })
    );
    // Keeps the channel open: the answer comes later.
    return true;
});
