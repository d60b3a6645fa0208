// The texts that lists were compiled from.

import { sourcePart } from "./compiled-file.js";
import { digestOf } from "../shared/digest.js";
import { inTime } from "../shared/in-time.js";
import { text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("../shared/host.js").HostConnection} HostConnection */

/**
 * Whether a record has the list's text as well.
 *
 * @param {ListRecord} record
 */
const isWhole = ({ bytes, size }) => size === undefined || size === bytes.length;

/** Finds the texts of lists, here or at the host. */
export class ListSources {
  #store;
  #texts;
  /**
   * The texts that are being fetched, by the digests of their lists.
   *
   * @type {Map<string, Promise<Uint8Array>>}
   */
  #coming = new Map();

  /**
   * @param {Pick<import("./store.js").Store, "list">} store
   * @param {Pick<import("./text-store.js").TextStore, "text" | "keep">} texts
   */
  constructor(store, texts) {
    this.#store = store;
    this.#texts = texts;
  }

  /**
   * The JSON text of a list in UTF-8; empty for a list that has been replaced.
   *
   * It is several times as large as what decides, and only people ask for it, so that it is fetched when it is
   * asked for first, and nothing but the store keeps it.
   *
   * @param {OpenedList} list
   * @param {HostConnection | null} host whom it is fetched from; null before the first update
   * @returns {Promise<Uint8Array>}
   * @throws {Error} if it is not here, and does not come from the host in a few seconds
   */
  async source({ identifier, digest: wanted }, host) {
    const record = await this.#store.list(identifier);
    if (record?.digest !== wanted) return new Uint8Array();
    // Kept by an older version, or never parted.
    if (isWhole(record)) return sourcePart(record.bytes);
    const kept = await this.#texts.text(identifier, wanted).catch(() => null);
    if (kept) return kept;
    let coming = this.#coming.get(wanted);
    if (!coming) {
      coming = this.#fetched(record, host).finally(() => this.#coming.delete(wanted));
      this.#coming.set(wanted, coming);
    }
    // The host may be busy; the text is there the next time.
    return inTime(coming, milliseconds.listText, () => text("host_late", "part"));
  }

  /**
   * @param {ListRecord} record of which what decides is here
   * @param {HostConnection | null} host
   */
  async #fetched({ identifier, digest: wanted, bytes, size = 0 }, host) {
    if (!host) throw new Error(text("host_not_connected"));
    const whole = new Uint8Array(size);
    whole.set(bytes);
    whole.set(await host.fetch({ digest: wanted, size }, bytes.length), bytes.length);
    if (await digestOf(whole) !== wanted) throw new Error(text("list_wrong_bytes"));
    const source = sourcePart(whole).slice();
    await this.#texts.keep({ identifier, digest: wanted, bytes: source }).catch((error) => console.debug(error));
    return source;
  }
}
