// Only passes messages on, to the app's native handler.

const api = globalThis.browser ?? globalThis.chrome;

api.runtime.onMessage.addListener((request, sender, sendResponse) => {
  api.runtime.sendNativeMessage("application.id", request).then(sendResponse);
  // The answer comes later.
  return true;
});
