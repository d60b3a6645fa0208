// The page that has the global page in it. It knows everything before the global page begins, which
// asks for it at once.

/** How often the worker hears that it is needed, in milliseconds; it ends after 30 s of silence. */
const homePulse = 20_000;

/** @param {SafariFolderSettings} settings */
function runSafariHome(settings) {
  const api = globalThis.browser ?? globalThis.chrome;
  /** @type {any} */
  const home = { state: null, receive: null, post: null, global: null };
  /** @type {any[]} */
  const early = [];
  /** @type {any} */ (globalThis).tickbirdHome = home;

  /** @param {any} message */
  function take(message) {
    if (message.type === "init" && !home.state) {
      home.state = message;
      const frame = document.createElement("iframe");
      frame.src = settings.globalPage;
      document.body.append(frame);
    } else if (home.receive) {
      home.receive(message);
    } else {
      early.push(message);
    }
  }

  /**
   * Lets the global page hear everything from now on.
   *
   * @param {(message: any) => void} receive
   */
  home.listen = (receive) => {
    home.receive = receive;
    for (const message of early.splice(0)) receive(message);
  };

  if (settings.browser === "firefox") {
    const side = new SafariBrowserSide(api, settings);
    home.post = (/** @type {any} */ message) => void side.receive(message);
    home.setNavigationListener = (/** @type {any} */ listener) => {
      side.askBeforeNavigation = listener;
    };
    void side.connect(take);
    return;
  }

  /** @type {any} */
  let port = null;
  /** @type {any[]} */
  const unsent = [];
  function connect() {
    port = api.runtime.connect({ name: "tickbird.home" });
    port.onMessage.addListener(take);
    port.onDisconnect.addListener(() => {
      void api.runtime.lastError;
      port = null;
      setTimeout(connect, 100);
    });
    for (const message of unsent.splice(0)) home.post(message);
  }
  home.post = (/** @type {any} */ message) => {
    if (!port) return void unsent.push(message);
    port.postMessage(message);
  };
  connect();
  setInterval(() => port?.postMessage({ pulse: true }), homePulse);
}
