// The port to the native host: questions, answers, notices, and coming back.

import { api } from "./browser.js";

/** The name under which the native host is registered. */
export const hostName = "tickbird.host";

const firstDelay = 1000;
const longestDelay = 60000;
const answerTime = 30000;
/** The version of the wire that this extension speaks; see Documentation/NativeMessaging.md. */
const wireVersion = 2;
/** The most bytes that are fetched in parts. */
const longestData = 256 << 20;

/** The native host does not answer, or says no. */
export class HostError extends Error {
  constructor(message) {
    super(message);
    this.name = "HostError";
  }
}

/** The bytes of base64. */
function decoded(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}

/**
 * A connection to the native host that comes back by itself.
 *
 * `state` is "connecting", "connected", "missing" (not installed), "forbidden" (registered for
 * another extension) or "stopped"; `message` is what the browser said.
 */
export class Host {
  state = "connecting";
  message = "";
  #port = null;
  #questions = new Map();
  #lastNumber = 0;
  #delay = firstDelay;
  #timer = null;
  #onConnected;
  #onNotice;

  /** `onConnected` is called after each connection, `onNotice` with messages that answer nothing. */
  constructor({ onConnected, onNotice }) {
    this.#onConnected = onConnected;
    this.#onNotice = onNotice;
  }

  /** Connects now, whatever the state. */
  connect() {
    clearTimeout(this.#timer);
    if (this.#port) return;
    let port;
    try {
      port = api.runtime.connectNative(hostName);
    } catch (error) {
      this.#disconnected(error.message);
      return;
    }
    this.#port = port;
    this.state = "connecting";
    port.onMessage.addListener((message) => this.#received(message));
    port.onDisconnect.addListener(() => {
      // Each browser has a place of its own for the reason.
      const reason = port.error?.message ?? api.runtime.lastError?.message ?? "";
      if (this.#port === port) this.#disconnected(reason);
    });
    Promise.resolve(this.#onConnected()).catch(() => {});
  }

  /** Asks, and returns the answer; throws HostError, also if there is none after milliseconds. */
  ask(question, time = answerTime) {
    const port = this.#port;
    if (!port) return Promise.reject(new HostError("the native host is not connected"));
    const number = ++this.#lastNumber;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#questions.delete(number);
        reject(new HostError(`the native host has not answered ${question.type ?? question.request} in time`));
      }, time);
      this.#questions.set(number, { resolve, reject, timer });
      port.postMessage({ ...question, question: number });
    });
  }

  /**
   * Fetches what the host has offered by its digest and is too long for one message.
   *
   * Throws HostError, also if the host is of another version or has it no more.
   */
  async fetch({ digest, size }) {
    if (!Number.isSafeInteger(size) || size <= 0 || size > longestData) {
      throw new HostError(`a size of ${size} bytes is not taken`);
    }
    const { version } = await this.ask({ request: "hello" });
    if (version !== wireVersion) {
      throw new HostError(`the native host speaks version ${version} of the messages, and this extension `
        + `version ${wireVersion}; load the extension that came with the installed Tickbird`);
    }
    const bytes = new Uint8Array(size);
    for (let offset = 0; offset < size;) {
      const answer = await this.ask({ type: "part", digest, offset });
      const part = decoded(answer.bytes);
      if (part.length === 0 || part.length > size - offset) {
        throw new HostError(`the native host sent a wrong part at byte ${offset}`);
      }
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }

  #received(message) {
    // A host that has just been started and dies at once must not be started all the time, so only
    // what it says shows that it is there.
    this.state = "connected";
    this.message = "";
    this.#delay = firstDelay;
    const question = this.#questions.get(message?.question);
    if (!question) {
      this.#onNotice(message);
      return;
    }
    this.#questions.delete(message.question);
    clearTimeout(question.timer);
    if (message.type === "error") question.reject(new HostError(String(message.message)));
    else question.resolve(message);
  }

  #disconnected(reason) {
    this.#port = null;
    this.message = reason;
    if (/not found|no such native/i.test(reason)) this.state = "missing";
    else if (/forbidden|not allowed/i.test(reason)) this.state = "forbidden";
    else this.state = "stopped";
    for (const question of this.#questions.values()) {
      clearTimeout(question.timer);
      question.reject(new HostError(reason || "the native host has stopped"));
    }
    this.#questions.clear();
    this.#timer = setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, longestDelay);
  }
}
