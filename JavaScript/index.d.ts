/** The text of a list, or the bytes of a compiled one. A text is encoded in UTF-8. */
export type Input = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** A finding in a list, as `tickbird check --format json` has it. */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  /** The kind of finding, which `tickbird check --explain` describes. */
  code: string;
  message: string;
  /** Why it matters, where that is not obvious. */
  reason?: string;
  /** The rule's position in the list, from 0; `null` for the list as a whole. */
  rule: number | null;
  /** The place in the JSON, such as `[0].trigger.url-filter`. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in bytes. */
  column: number;
  /** The first byte of the place, from 0. */
  offset: number;
  /** The bytes of the place. */
  length: number;
  /** What to do. */
  hint?: string;
  /** A correction; its edits are of bytes. */
  correction?: {
    keepsMeaning: boolean;
    edits: { offset: number; length: number; replacement: string }[];
  };
}

/** WebKit's verdict about a list, and everything that was found in it. */
export interface Report {
  file: string;
  /** Whether WebKit accepts the list, and it can be compiled. */
  accepted: boolean;
  /** WebKit's own error if it refuses the list. */
  error: { code: string; message: string } | null;
  /** The number of elements of the list's array. */
  rules: number;
  /** How many of them WebKit skips. */
  skipped: number;
  diagnostics: Diagnostic[];
  /** How many findings are left out; there only if some are, beyond 100,000. */
  omitted?: number;
}

/**
 * A load: the parts of Documentation/Loads.md under their names in the library. An absent part and an
 * empty one are the same.
 */
export interface Load {
  /** What is loaded. */
  url: string;
  /** What it is loaded for. */
  type: LoadType;
  /** The URL of the main frame's document. */
  page?: string;
  /** The URL of the frame's document. */
  frame?: string;
  /** Which frame starts the load. */
  context?: "top-frame" | "child-frame";
  /** The method of the document's request; `"null"` if it is not known. */
  method?: string;
  /** Whether it goes to the page's own site, which mostly follows from the URLs. */
  party?: "first-party" | "third-party";
}

/** The engine's types, and the words of Chromium's developer tools. */
export type LoadType =
  | "document" | "top-document" | "child-document" | "image" | "style-sheet" | "script" | "font"
  | "svg-document" | "media" | "popup" | "ping" | "fetch" | "websocket" | "other" | "csp-report"
  | "stylesheet" | "xhr" | "texttrack" | "manifest" | "eventsource" | "preflight" | "signedexchange"
  | (string & {});

/** What happens to a load. */
export interface Decision {
  blocked: boolean;
  cookiesBlocked: boolean;
  /** Whether a `make-https` rule applies; what it does depends on the URL. */
  makesHTTPS: boolean;
  /** The rules that apply, by their positions in their lists, but for those that hide elements. */
  rules: number[];
  /** The ignore rules without which others would apply. */
  exceptions: number[];
  /** The list of each of `rules`, by its position in `RuleLists`. */
  lists: number[];
  /** The list of each of `exceptions`. */
  exceptionLists: number[];
  /** The number of rules that hide elements because of the load. */
  hidingRules: number;
  /** The number of lists that hide elements on every page, and here. */
  attachedSheets: number;
}

/** A rule that matched, with its place in the list. */
export interface Match {
  list: number;
  rule: number;
  file: string;
  line: number;
  column: number;
  action: string;
  text: string;
  fate: "applied" | "merged" | "cancelled" | "swallowed" | "inert" | "too-late";
  /** The rule behind the fate. */
  by?: { list: number; rule: number };
  /** The bytes of the URL that the pattern matched; `null` for one that matches everything. */
  url_range: [number, number] | null;
}

/** The object that `tickbird explain --format json` prints for a load. */
export interface Explanation {
  load: number;
  url: string;
  top_url: string;
  frame_url: string;
  resource_type: string;
  load_context: "top-frame" | "child-frame";
  load_type: "first-party" | "third-party";
  method: string | null;
  page: number;
  decided_by?: { list: number; rule: number };
  decision: {
    blocked: boolean;
    cookies_blocked: boolean;
    /** The new URL, if there is one. */
    url?: string;
    actions: ({ type: string; list: number; rules: number[]; effective?: false }
      & Record<string, unknown>)[];
    stylesheets: number;
  };
  hiding_rules: number;
  matches: Match[];
}

export interface ExplainOptions {
  /** Whether rules that hide elements are among the matches and actions; there may be thousands. */
  hiding?: boolean;
}

declare class Deciding {
  /**
   * Decides a load.
   *
   * Throws a `LoadError` if a URL is not absolute, a word is unknown, or the URL or type is missing.
   */
  decide(load: Load): Decision;
  /**
   * Explains the decision of a load: every rule that matched, with its place, and its fate.
   *
   * Takes as long as reading the list's text the first time.
   */
  explain(load: Load, options?: ExplainOptions): Explanation;
  /** The same as text, byte for byte what `tickbird explain --format json` prints. */
  explanationText(load: Load, options?: ExplainOptions): string;
  /** Lets go of the memory. Without it, that is done when nothing refers to the list any more. */
  free(): void;
}

/** A compiled list. */
export class RuleList extends Deciding {
  private constructor();
  readonly name: string;
  /** The number of its rules. */
  readonly ruleCount: number;
  /** The compiled bytes, for `open` and for `tickbird --list`. Do not change them. */
  readonly bytes: Uint8Array;
  /** The JSON text that it was compiled from. */
  readonly source: string;
  /** The selectors that it hides on every page, joined by commas; `null` without any. */
  readonly globalSelectors: string | null;
}

/** Several lists that decide together, as Safari has them: none sees another's ignore rules. */
export class RuleLists extends Deciding {
  constructor(lists: Iterable<RuleList>);
  readonly lists: readonly RuleList[];
}

/**
 * Compiles a list's JSON text.
 *
 * Throws a `RefusedError`, with a report of everything that was found, if WebKit refuses the list or
 * compiling it would cost too much.
 *
 * @param name what reports and explanations call the list
 */
export function compile(text: Input, name?: string): RuleList;

/** Opens a compiled list from its bytes; throws a `CompiledListError` if they are none of this version. */
export function open(compiled: Input, name?: string): RuleList;

/** Returns every finding in a list's JSON text. */
export function check(text: Input, name?: string): Diagnostic[];

/** Checks a list's JSON text. Nothing is thrown for a list that is refused. */
export function report(text: Input, name?: string): Report;

/** The same as text, byte for byte what `tickbird check --format json` prints. */
export function reportText(text: Input, name?: string): string;

/**
 * Sets the most bytes of memory of an engine, at least 4 MiB and at most 4 GiB, which is the default.
 *
 * Reading and compiling have an engine, and so has each list that decides. One that needs more ends
 * with an `EngineError`. Engines that there are keep their limit.
 */
export function setMemoryLimit(bytes: number): void;

/** The version of the engine. */
export function version(): string;

/** The version of compiled lists. */
export function formatVersion(): number;

/** Every error of this package. */
export class TickbirdError extends Error {
  protected constructor();
  readonly code:
    | "refused" | "damaged" | "bad-url" | "bad-word" | "missing" | "too-long" | "freed"
    | "out-of-memory" | "fault";
}

/** A list is refused. */
export class RefusedError extends TickbirdError {
  readonly report: Report;
}

/** Bytes are not a compiled list of this version, or the text in one is damaged. */
export class CompiledListError extends TickbirdError {}

/** A load cannot be decided: a URL is not absolute, a word is unknown, or a part is missing. */
export class LoadError extends TickbirdError {}

/**
 * The engine has ended: for want of memory, or by a fault of its own. What was asked is not done;
 * everything else goes on, and the next call has an engine of its own.
 */
export class EngineError extends TickbirdError {}
