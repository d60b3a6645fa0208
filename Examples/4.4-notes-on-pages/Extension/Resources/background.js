// Only passes messages on, to the app's native handler.
browser.runtime.onMessage.addListener((request, sender, sendResponse) => {
    browser.runtime.sendNativeMessage("application.id", request).then(sendResponse, (error) => {
        sendResponse({ type: "error", message: error.message });
    });
    // The answer comes later.
    return true;
});
