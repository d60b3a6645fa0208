// Runs in every document that the proxy serves: makes the loads of the plan, tells how they end.
(function (plan) {
  "use strict";
  const post = (message) => {
    message.case = plan.case;
    webkit.messageHandlers.referee.postMessage(JSON.stringify(message));
  };

  // A promise that ends with the element's load or error event.
  const watched = (element, url, property) =>
    new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = reject;
      if (property) element[property] = url;
      (document.head || document.documentElement).append(element);
    });
  const element = (name, fields) => Object.assign(document.createElement(name), fields);
  const shown = (node) => (document.body.append(node), node);

  // Each makes one load. A promise tells the end; anything else means that the page cannot know it.
  const makers = {
    image: (load) =>
      new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = resolve;
        image.onerror = reject;
        image.src = load.url;
      }),
    "css-image"(load) {
      const box = element("div", {});
      box.style.cssText = "width:9px; height:9px";
      box.style.backgroundImage = "url(" + JSON.stringify(load.url) + ")";
      shown(box).offsetWidth;
    },
    script: (load) => watched(element("script"), load.url, "src"),
    module: (load) => watched(element("script", { type: "module" }), load.url, "src"),
    import: (load) => import(load.url),
    worker: (load) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(load.url);
        worker.onmessage = () => (worker.terminate(), resolve());
        worker.onerror = reject;
      }),
    "style-sheet": (load) => watched(element("link", { rel: "stylesheet" }), load.url, "href"),
    "css-import": (load) =>
      watched(element("style", { textContent: "@import url(" + JSON.stringify(load.url) + ");" })),
    font: (load) =>
      new FontFace("face" + load.number, "url(" + JSON.stringify(load.url) + ")").load(),
    "svg-document"(load) {
      const space = "http://www.w3.org/2000/svg";
      const image = document.createElementNS(space, "svg");
      const use = document.createElementNS(space, "use");
      use.setAttribute("href", load.url.includes("#") ? load.url : load.url + "#a");
      image.append(use);
      shown(image);
    },
    media: (load) =>
      new Promise((resolve, reject) => {
        const media = element("audio", { preload: "auto" });
        media.onloadedmetadata = resolve;
        media.onerror = reject;
        media.src = load.url;
        shown(media);
      }),
    track: (load) =>
      new Promise((resolve, reject) => {
        const media = element("video", { crossOrigin: "anonymous" });
        const track = element("track", { kind: "captions", src: load.url });
        track.onload = resolve;
        track.onerror = reject;
        media.append(track);
        shown(media);
        track.track.mode = "hidden";
      }),
    fetch: (load) =>
      fetch(load.url, {
        method: load.method || "GET",
        // Without it the answer could be read only from servers that agree; all of ours do, but
        // a question beforehand (OPTIONS) would be one more load.
        mode: ["GET", "HEAD", "POST"].includes(load.method || "GET") ? "no-cors" : "cors",
        credentials: "include",
        cache: "no-store",
      }),
    xhr: (load) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(load.method || "GET", load.url);
        request.withCredentials = true;
        request.onload = resolve;
        request.onerror = reject;
        request.send();
      }),
    async "xhr-sync"(load) {
      const request = new XMLHttpRequest();
      request.open(load.method || "GET", load.url, false);
      request.withCredentials = true;
      request.send();
    },
    "event-source": (load) =>
      new Promise((resolve, reject) => {
        const source = new EventSource(load.url, { withCredentials: true });
        source.onmessage = () => (source.close(), resolve());
        source.onerror = () => (source.close(), reject());
      }),
    websocket: (load) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(load.url);
        socket.onopen = () => (socket.close(), resolve());
        socket.onerror = reject;
      }),
    beacon(load) {
      navigator.sendBeacon(load.url, "x");
    },
    ping(load) {
      // A link that leads nowhere: the address of the page must stay as it is.
      const link = element("a", { href: "javascript:void 0", ping: load.url, textContent: "x" });
      shown(link).click();
    },
    // The document's answer carried a report-only policy without inline style attributes.
    "csp-report"() {
      shown(element("div", { innerHTML: "<p style='color:red'></p>" }));
    },
    "preload-fetch": (load) =>
      watched(element("link", { rel: "preload", as: "fetch", crossOrigin: "use-credentials" }),
              load.url, "href"),
    async popup(load) {
      const opened = window.open(load.url);
      if (!opened) throw new Error("no window");
      opened.close();
    },
    "child-document": (load) => watchedFrame(load, "src", load.url),
    srcdoc: (load) => watchedFrame(load, "srcdoc", load.text),
  };

  const watchedFrame = (load, property, value) =>
    new Promise((resolve) => {
      const frame = element("iframe", { onload: resolve });
      frame[property] = value;
      shown(frame);
    });

  const perform = (load) => {
    let promise;
    post({ load: load.number, event: "begun" });
    try {
      promise = makers[load.type](load);
    } catch (error) {
      post({ load: load.number, event: "error", detail: String(error) });
      return;
    }
    if (!promise) {
      post({ load: load.number, event: "sent" });
      return;
    }
    return promise.then(
      () => post({ load: load.number, event: "load" }),
      () => post({ load: load.number, event: "error" }),
    );
  };

  const hidden = (selector) => {
    try {
      const found = document.querySelector(selector);
      return found ? getComputedStyle(found).display === "none" : null;
    } catch {
      return null;
    }
  };

  const probe = () => {
    const answers = {};
    for (const selector of plan.probes) answers[selector] = hidden(selector);
    post({ load: plan.number, hidden: answers });
    for (let index = 0; index < frames.length; index++) frames[index].postMessage("referee", "*");
  };
  addEventListener("message", (event) => {
    if (event.data === "referee") probe();
  });

  const start = async () => {
    post({ load: plan.number, event: "running" });
    for (const load of plan.loads) {
      const promise = perform(load);
      if (plan.sequential) await promise;
    }
  };
  start();
})
