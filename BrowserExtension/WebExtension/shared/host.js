// The port to the native host: questions, answers, notices, and coming back.

import { decoded } from "./base64.js";
import { api } from "./browser.js";
import { messageOf } from "./errors.js";
import { Retry } from "./retry.js";
import { text } from "./texts.js";
import { milliseconds } from "./timings.js";

/**
 * What can be asked and fetched of the host.
 *
 * @typedef {Pick<Host, "ask" | "fetch">} HostConnection
 */
/**
 * A message of the host: an answer, an error in its place, or a notice.
 *
 * @typedef {{ type?: string, question?: number, message?: string }} Received
 */
/**
 * A question that has not been answered.
 *
 * @typedef {object} OpenQuestion
 * @property {(answer: any) => void} resolve takes the answer as it came: `ask` says which one it is
 * @property {(error: HostError) => void} reject
 * @property {ReturnType<typeof setTimeout>} timer
 */

/** The name under which the native host is registered. */
export const hostName = "tickbird.host";

/** The version of the wire that this extension speaks; see Documentation/NativeMessaging.md. */
const wireVersion = 2;
/** The most bytes that are fetched in parts. */
const longestData = 256 << 20;

/** The native host does not answer, or says no. */
export class HostError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "HostError";
  }
}

/**
 * A connection to the native host that comes back by itself.
 *
 * It ends with the background script, and questions that are open with it; the next start connects
 * anew.
 */
export class Host {
  /**
   * Whether the host is there: "missing" means not installed, "forbidden" registered for another
   * extension.
   *
   * @type {Messages.HostState["state"]}
   */
  state = "connecting";
  /** What the browser said when the connection ended. */
  message = "";
  /** @type {WebExt.Port | null} */
  #port = null;
  /**
   * By their numbers.
   *
   * @type {Map<number, OpenQuestion>}
   */
  #questions = new Map();
  #lastNumber = 0;
  #retry = new Retry(milliseconds.hostRetry, milliseconds.hostLongestRetry);
  #onConnected;
  #onState;
  #onNotice;

  /**
   * @param {object} calls
   * @param {() => unknown} calls.onConnected called after each connection
   * @param {() => unknown} [calls.onState] called when the host comes or goes
   * @param {(notice: NativeHost.Notice) => void} calls.onNotice
   *   called with messages that answer nothing
   */
  constructor({ onConnected, onState = () => {}, onNotice }) {
    this.#onConnected = onConnected;
    this.#onState = onState;
    this.#onNotice = onNotice;
  }

  /** Connects now, whatever the state. */
  connect() {
    this.#retry.cancel();
    if (this.#port) return;
    /** @type {WebExt.Port} */
    let port;
    try {
      port = api.runtime.connectNative(hostName);
    } catch (error) {
      this.#disconnected(messageOf(error));
      return;
    }
    this.#port = port;
    this.state = "connecting";
    port.onMessage.addListener((message) => this.#received(/** @type {Received} */ (message)));
    port.onDisconnect.addListener(() => {
      // Each browser gives the reason in a place of its own.
      const reason = port.error?.message ?? api.runtime.lastError?.message ?? "";
      if (this.#port === port) this.#disconnected(reason);
    });
    Promise.resolve(this.#onConnected()).catch((error) => console.debug(messageOf(error)));
  }

  /**
   * Asks the host.
   *
   * @template {NativeHost.Question} Q
   * @param {Q} question
   * @param {number} time how long the answer may take, in milliseconds
   * @returns {Promise<NativeHost.AnswerTo<Q>>}
   * @throws {HostError} if there is no connection or no answer in time, or the host says no
   */
  ask(question, time = milliseconds.hostAnswer) {
    const port = this.#port;
    if (!port) return Promise.reject(new HostError(text("host_not_connected")));
    const number = ++this.#lastNumber;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#questions.delete(number);
        const word = "type" in question ? question.type : question.request;
        reject(new HostError(text("host_late", word)));
      }, time);
      this.#questions.set(number, { resolve, reject, timer });
      port.postMessage({ ...question, question: number });
    });
  }

  /**
   * Fetches data that the host has offered by its digest, and that is too long for one message.
   *
   * @param {{ digest: string, size: number }} offer
   * @param {number} start where the bytes begin that are wanted, within the data
   * @returns {Promise<Uint8Array>} as many bytes as were offered from there on; whether they have the digest is
   *   not looked at
   * @throws {HostError} also if the host is of another version, or has the data no more
   */
  async fetch({ digest, size }, start = 0) {
    if (!Number.isSafeInteger(size) || size <= start || size > longestData) {
      throw new HostError(text("host_size", String(size)));
    }
    const { version } = await this.ask({ request: "hello" });
    if (version !== wireVersion) {
      throw new HostError(text("host_version", String(version), String(wireVersion)));
    }
    const bytes = new Uint8Array(size - start);
    for (let offset = start; offset < size;) {
      const answer = await this.ask({ type: "part", digest, offset });
      const part = decoded(answer.bytes);
      if (part.length === 0 || part.length > size - offset) {
        throw new HostError(text("host_wrong_part", offset));
      }
      bytes.set(part, offset - start);
      offset += part.length;
    }
    return bytes;
  }

  /** @param {Received} message */
  #received(message) {
    // A host that dies as soon as it is started must not be started all the time, so only a message
    // shows that it is there.
    const isNew = this.state !== "connected";
    this.state = "connected";
    this.message = "";
    if (isNew) this.#onState();
    this.#retry.succeed();
    const number = message?.question ?? -1;
    const question = this.#questions.get(number);
    if (!question) {
      if (message) this.#onNotice(/** @type {NativeHost.Notice} */ (message));
      return;
    }
    this.#questions.delete(number);
    clearTimeout(question.timer);
    if (message.type === "error") question.reject(new HostError(String(message.message)));
    else question.resolve(message);
  }

  /** @param {string} reason */
  #disconnected(reason) {
    this.#port = null;
    this.message = reason;
    if (/not found|no such native/i.test(reason)) this.state = "missing";
    else if (/forbidden|not allowed/i.test(reason)) this.state = "forbidden";
    else this.state = "stopped";
    this.#onState();
    for (const question of this.#questions.values()) {
      clearTimeout(question.timer);
      question.reject(new HostError(reason || text("host_has_stopped")));
    }
    this.#questions.clear();
    this.#retry.schedule(() => this.connect());
  }
}
