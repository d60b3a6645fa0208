"use strict";
// The playground: a list and a load, and what the engine says of them while they are typed.

/** The milliseconds that the engine may take for an answer, and to start. */
const answerLimit = 5_000;
const startLimit = 30_000;
/** The most characters of a list; longer ones are for the command. */
const longestList = 4 << 20;
const loadTypes = [
  "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document", "media", "popup", "ping",
  "fetch", "websocket", "other", "csp-report",
];

/** The engine in a worker, which is replaced when it takes too long. */
class Engine {
  #files = null;
  #worker = null;
  #number = 0;
  #end = null;

  /** Loads the module and the worker's script: as a script, which pages from files may do as well. */
  #load() {
    this.#files ??= new Promise((resolve, reject) => {
      globalThis.tickbirdEngine = resolve;
      const script = document.createElement("script");
      script.src = `${siteRoot}site/playground-engine.js`;
      script.onerror = () => reject(new Error("its file cannot be loaded"));
      document.head.append(script);
    }).then(async ({ worker, module }) => {
      const packed = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
      const code = await streamed(packed, new DecompressionStream("gzip"), 64 << 20);
      return { script: URL.createObjectURL(new Blob([worker], { type: "text/javascript" })),
        module: await WebAssembly.compile(code) };
    });
    // Another attempt loads it again.
    this.#files.catch(() => { this.#files = null; });
    return this.#files;
  }

  async #start() {
    const { script, module } = await this.#load();
    if (this.#worker !== null) return;
    const worker = new Worker(script);
    this.#worker = worker;
    await this.#exchange({ module }, startLimit);
  }

  /** Sends a message and waits for the next one that comes back. */
  #exchange(message, limit) {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const end = (error) => {
        clearTimeout(timer);
        this.#end = null;
        this.#worker = null;
        worker.terminate();
        reject(error);
      };
      const timer = setTimeout(() => {
        end(Object.assign(new Error(`it took longer than ${limit / 1000} seconds`), { isLate: limit === answerLimit }));
      }, limit);
      this.#end = end;
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        this.#end = null;
        resolve(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end(new Error(event.message || "its worker cannot be started"));
      };
      worker.postMessage(message);
    });
  }

  /** The answer about a list and a load. One question at a time. */
  async ask(text, load) {
    if (this.#worker === null) await this.#start();
    this.#number += 1;
    const { number, answer, fault } = await this.#exchange({ number: this.#number, text, load }, answerLimit);
    if (number !== this.#number) throw new Error("it has answered something else");
    if (fault !== undefined) throw new Error(fault);
    return answer;
  }

  /** Ends what is being answered. */
  stop() { this.#end?.(Object.assign(new Error("it was stopped"), { isStopped: true })); }
}

class Playground {
  #engine = new Engine();
  #editor = new ListEditor(document.querySelector(".editor"));
  #fields = { url: document.querySelector("#load-url"), page: document.querySelector("#load-page"),
    type: document.querySelector("#load-type") };
  #verdict = document.querySelector("#verdict");
  #findings = document.querySelector("#findings");
  #outcome = document.querySelector("#outcome-words");
  #details = document.querySelector("#outcome-details");
  #stop = document.querySelector("#stop");
  #timer = 0;
  #isAsking = false;
  #isWaiting = false;

  constructor() {
    const bench = document.querySelector("#bench");
    this.#fields.type.append(...loadTypes.map((type) => new Option(type, type, type === "image", type === "image")));
    for (const example of playgroundExamples) {
      const button = element("button", "", example.name);
      button.type = "button";
      button.addEventListener("click", () => this.#show(example));
      bench.querySelector(".examples").append(button);
    }
    bench.addEventListener("input", () => this.#soon());
    this.#stop.addEventListener("click", () => this.#engine.stop());
    document.querySelector("#share").addEventListener("click", () => this.#share());
    addEventListener("hashchange", () => this.#readLink());
    bench.hidden = false;
    this.#sayNothing();
    this.#readLink();
  }

  get #load() {
    const { url, page, type } = this.#fields;
    return { url: url.value.trim(), page: page.value.trim(), type: type.value };
  }

  /** Fills in the fields; a type that there is not is left alone. */
  #show({ list, url, page, type }) {
    this.#editor.text = list;
    this.#fields.url.value = url;
    this.#fields.page.value = page;
    if (loadTypes.includes(type)) this.#fields.type.value = type;
    this.#ask();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 150);
  }

  /** Asks the engine about what is in the fields; while it works, the last question alone waits. */
  async #ask() {
    clearTimeout(this.#timer);
    if (this.#isAsking) {
      this.#isWaiting = true;
      return;
    }
    const { text } = this.#editor;
    if (text.trim() === "") {
      this.#sayNothing();
      return;
    }
    if (text.length > longestList) {
      this.#say(`The list is longer than ${longestList >> 20} MiB. The command tickbird check takes it.`, "trouble");
      this.#clear();
      return;
    }
    this.#isAsking = true;
    this.#isWaiting = false;
    const late = setTimeout(() => {
      this.#say("The engine is working …", "");
      this.#stop.hidden = false;
    }, 400);
    try {
      this.#tell(text, await this.#engine.ask(text, this.#load));
    } catch (error) {
      this.#complain(error);
    } finally {
      clearTimeout(late);
      this.#stop.hidden = true;
      this.#isAsking = false;
    }
    if (this.#isWaiting) this.#ask();
  }

  #say(words, kind) {
    if (this.#verdict.textContent !== words) this.#verdict.textContent = words;
    this.#verdict.className = kind;
  }

  #clear() {
    this.#editor.isInvalid = false;
    this.#editor.underline(this.#editor.text, []);
    this.#findings.hidden = true;
    this.#findings.replaceChildren();
    this.#details.replaceChildren();
    this.#outcome.textContent = "";
  }

  #sayNothing() {
    this.#clear();
    this.#say("There is no list yet. Type one, or begin with an example.", "");
    this.#sayOutcome("What happens to the load is shown here.", "idle");
  }

  #sayOutcome(words, kind) {
    if (this.#outcome.textContent !== words) this.#outcome.textContent = words;
    this.#outcome.className = `outcome ${kind}`;
  }

  #complain({ message, isLate, isStopped }) {
    this.#clear();
    if (isLate === true) {
      this.#say(`The engine needed more than ${answerLimit / 1000} seconds and was stopped. Change the list, or ask `
        + "the command tickbird, which has more time.", "trouble");
    } else if (isStopped === true) {
      this.#say("Stopped. Change something to ask again.", "trouble");
    } else {
      this.#say(`The engine gives no answer: ${message}`, "trouble");
    }
    this.#sayOutcome("Not decided", "idle");
  }

  /** Shows an answer. */
  #tell(text, answer) {
    this.#say(verdictWords(answer), answer.accepted ? "accepted" : "refused");
    this.#editor.isInvalid = !answer.accepted;
    this.#editor.underline(text, answer.findings);
    // What is clicked on selects the place in the text that was asked about.
    const show = (range) => { if (this.#editor.text === text) this.#editor.select(range); };
    const mend = (edits) => { if (this.#editor.text === text) this.#editor.edit(edits); };
    const items = findingItems(answer, show, mend);
    this.#findings.hidden = items.length === 0;
    this.#findings.replaceChildren(...items);
    const { explanation } = answer;
    this.#details.replaceChildren();
    if (explanation === null) {
      this.#sayOutcome(answer.accepted ? "Give the URL of a load, to see what happens to it."
        : "A list that is refused decides nothing.", "idle");
    } else if (explanation.fault !== undefined) {
      this.#sayOutcome(explanation.fault, "idle");
    } else {
      const isBlocked = explanation.decision.blocked;
      this.#sayOutcome(isBlocked ? "Blocked" : "Loaded", isBlocked ? "blocked" : "loaded");
      this.#details.replaceChildren(...explanationElements(explanation, show));
    }
  }

  // Links

  async #readLink() {
    const words = document.querySelector("#share-words");
    try {
      const content = await contentOf(location.hash);
      if (content === null) return;
      words.textContent = "";
      this.#show(content);
    } catch {
      words.textContent = "The link that led here is damaged, or too long.";
    }
  }

  async #share() {
    const words = document.querySelector("#share-words");
    const link = await linkOf({ list: this.#editor.text, ...this.#load });
    if (link === null) {
      words.textContent = "This is too long for a link.";
      return;
    }
    history.replaceState(null, "", link);
    const isCopied = await copyText(location.href, null) === "Copied";
    words.textContent = isCopied ? "Copied. The link has all of it behind the #, where no server sees it."
      : "The address of this page is the link now.";
  }
}

new Playground();
