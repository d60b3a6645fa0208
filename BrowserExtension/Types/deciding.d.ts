// What the engine decides about, and what is known of loads and lists.

/** A load as the engine takes it. */
interface Load {
  url: string;
  topURL: string;
  frameURL: string;
  /** A word of the rule language. */
  type: string;
  isTopFrame: boolean;
  method?: string;
}

/** What a list does to a load: an action with the rules that ask for it, by their numbers from 0. */
interface Action {
  /** The list's handle. */
  list: number;
  kind: string;
  slot: number;
  rules: number[];
}

/** A compiled list as the store keeps it. */
interface ListRecord {
  identifier: string;
  name: string;
  digest: string;
  /** Its place in the host's order. */
  place: number;
  /** The compiled file, or the first bytes of it, which decide. */
  bytes: Uint8Array;
  /** The size of the whole file; absent in one that was kept by an older version, which is whole. */
  size?: number;
}

/** A list that is here: open in the engine, or refused by it. */
interface OpenedList {
  identifier: string;
  name: string;
  digest: string;
  place: number;
  isOn: boolean;
  /** What the engine knows it by; 0 if it refused the list. */
  handle: number;
  /** Why it could not be opened; null if it could. */
  fault: string | null;
  /** Whether its bytes are the reason, which will be refused again. */
  isRefused: boolean;
  /** The kinds of its actions, but for what it hides everywhere. */
  mayDo: Set<string>;
  /** What `Engine.hidingHosts` says of it; undefined until somebody has asked. */
  hidingHosts?: string[] | null;
}

/** The functions of the matcher's WebAssembly module: see `BrowserExtension/Matcher`. */
interface MatcherExports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  tickbird_format_version(): number;
  tickbird_allocate(size: number): number;
  tickbird_free(address: number): void;
  tickbird_open(address: number, length: number): number;
  tickbird_fault_offset(): number;
  tickbird_close(handle: number): void;
  tickbird_set_on(handle: number, isOn: 0 | 1): void;
  tickbird_turn(top: number, topLength: number, frame: number, frameLength: number): number;
  tickbird_decide_load(address: number, length: number, properties: number): number;
  tickbird_serialized(address: number, length: number): number;
  tickbird_upgraded(address: number, length: number): number;
  tickbird_site(address: number, length: number): number;
  tickbird_is_suffix(address: number, length: number): number;
  tickbird_text(handle: number, slot: number): number;
  tickbird_kinds(handle: number): number;
  tickbird_hiding_hosts(handle: number): number;
  tickbird_result(): number;
  tickbird_result_count(): number;
}
