// The active lists: opened in the engine, kept in the store, brought up to date by the host.

const firstDelay = 10000;
const longestDelay = 600000;

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The active lists, each `{identifier, name, digest, place, handle, isOn, fault}`. */
export class Lists {
  /** In the host's order; one that the engine refuses has a fault and no handle. */
  all = [];
  /** What was wrong when the lists were last brought up to date; null if nothing. */
  fault = null;
  #engine;
  #store;
  #settings;
  #update = null;
  #isStale = false;
  #delay = firstDelay;
  #timer = null;
  #onChanged = () => {};

  constructor(engine, store, settings) {
    this.#engine = engine;
    this.#store = store;
    this.#settings = settings;
  }

  /** Opens what the store keeps; `onChanged` is called then, and whenever lists come or go. */
  async load(onChanged) {
    this.#onChanged = onChanged;
    for (const record of await this.#store.lists()) this.all.push(this.#opened(record));
    this.#onChanged();
  }

  /** Whether a list that is on may contain an action. */
  mayDo(kind) { return this.all.some((list) => list.isOn && list.mayDo.has(kind)); }

  /** The list with a handle. */
  withHandle(handle) { return this.all.find((list) => list.handle === handle); }

  /** Switches a list on or off, at once and for good. */
  async setOn(identifier, isOn) {
    const list = this.all.find((each) => each.identifier === identifier);
    if (list?.handle) this.#engine.setOn(list.handle, isOn);
    if (list) list.isOn = isOn;
    this.#onChanged();
    await this.#settings.setListOn(identifier, isOn);
  }

  /**
   * Brings the lists to what the host has; of calls that come meanwhile one more run is made.
   *
   * A list is replaced when its new bytes are whole, and stays as it is if they do not come. What
   * fails is tried again later.
   */
  update(host) {
    clearTimeout(this.#timer);
    if (this.#update) {
      this.#isStale = true;
      return this.#update;
    }
    this.#update = (async () => {
      try {
        do {
          this.#isStale = false;
          await this.#updateOnce(host);
        } while (this.#isStale);
        this.fault = null;
        this.#delay = firstDelay;
      } catch (error) {
        this.fault = error.message;
        this.#timer = setTimeout(() => this.update(host), this.#delay);
        this.#delay = Math.min(2 * this.#delay, longestDelay);
      } finally {
        this.#update = null;
      }
    })();
    return this.#update;
  }

  async #updateOnce(host) {
    const answer = await host.ask({ type: "lists", formatVersion: this.#engine.formatVersion });
    const offered = Array.isArray(answer.lists) ? answer.lists : [];
    const present = new Map(this.all.map((list) => [list.identifier, list]));
    const faults = [];
    for (const [place, { identifier, name, digest: wanted, size }] of offered.entries()) {
      const old = present.get(identifier);
      if (old && old.digest === wanted) {
        if (old.place !== place || old.name !== name) await this.#rename(old, name, place);
        continue;
      }
      try {
        const bytes = await this.#fetched(host, wanted, size);
        const record = { identifier, name, digest: wanted, place, bytes };
        const opened = this.#opened(record);
        if (opened.fault) {
          faults.push(`${name}: ${opened.fault}`);
          // The old one goes on; a list that was never there is shown with its fault.
          if (old) continue;
        } else {
          await this.#store.change([record], []);
        }
        this.#replace(old, opened);
      } catch (error) {
        faults.push(`${name}: ${error.message}`);
      }
    }
    const identifiers = new Set(offered.map((list) => list.identifier));
    const gone = this.all.filter((list) => !identifiers.has(list.identifier));
    await this.#store.change([], gone.map((list) => list.identifier));
    for (const list of gone) this.#replace(list, null);
    this.all.sort((a, b) => a.place - b.place);
    if (faults.length) throw new Error(faults.join("; "));
  }

  #opened({ identifier, name, digest, place, bytes }) {
    const isOn = !this.#settings.isListOff(identifier);
    const list = {
      identifier, name, digest, place, isOn, handle: 0, fault: null, mayDo: new Set(),
    };
    try {
      list.handle = this.#engine.open(bytes);
      // A list whose text has the word nowhere has no such rule; more need not be known.
      const source = this.#engine.source(list.handle);
      for (const kind of ["block-cookies", "make-https"]) {
        // Letters can be written as escapes in JSON.
        if (source.includes(kind) || source.includes("\\u")) list.mayDo.add(kind);
      }
      if (!isOn) this.#engine.setOn(list.handle, false);
    } catch (error) {
      list.fault = error.message;
    }
    return list;
  }

  #replace(old, list) {
    this.all = this.all.filter((each) => each !== old);
    if (old?.handle) this.#engine.close(old.handle);
    if (list) this.all.push(list);
    this.#onChanged();
  }

  async #rename(list, name, place) {
    Object.assign(list, { name, place });
    const record = (await this.#store.lists()).find((each) => each.identifier === list.identifier);
    if (record) await this.#store.change([{ ...record, name, place }], []);
  }

  async #fetched(host, wanted, size) {
    const bytes = await host.fetch({ digest: wanted, size });
    if (await digest(bytes) !== wanted) throw new Error("the bytes that came are not the list's");
    return bytes;
  }
}
