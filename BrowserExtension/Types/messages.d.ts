// What the extension's scripts say to each other: messages to the background with their answers, and
// the one message of the background to the extension's pages.

declare namespace Messages {
  /** What scripts in documents may say. */
  type FromDocuments =
    /** There is a document; `isBack` says that it came out of the browser's back-forward cache. */
    | { type: "document"; isBack: boolean }
    /** A button of a note was clicked, or one of its announcement. */
    | { type: "note"; choice: "leave" | "view" | "now" }
    /** The page goes on changing the document that its note is in. */
    | { type: "note-disturbed" }
    /** Something large that was stopped was clicked on. */
    | { type: "load-media"; url: string };

  /** What the extension's own pages may say as well. */
  type FromPages =
    | { type: "page"; tabId: number }
    | { type: "hidden"; tabId: number }
    | { type: "seen"; tabId: number }
    | { type: "rule"; identifier: string; number: number }
    | { type: "allow"; site: string; isAllowed: boolean }
    /** Leaves a site alone for an hour. */
    | { type: "allow-for-a-while"; site: string }
    /** What is said of the page that is blocked in a tab; `url` is what the page in its place is about. */
    | { type: "blocked"; tabId: number; url?: string }
    | { type: "open-blocked"; tabId: number; url: string; choice: "once" | "always" }
    | { type: "switch"; identifier: string; isOn: boolean }
    | { type: "notes"; tabId: number }
    | { type: "change-note"; tabId: number; request: NativeHost.NoteQuestion }
    /** Adds the notes of a file. */
    | { type: "add-notes"; notes: import("../WebExtension/notes/checked-notes.js").NoteOfFile[] }
    | { type: "draft"; tabId: number; draft: NoteDraft | null }
    | { type: "connect" }
    /** A sample that the lists block, for the first page's demonstration. */
    | { type: "demonstrate" }
    /** What became of its request for a sample. */
    | { type: "demonstrated"; url: string }
    /** All sites that are left alone. */
    | { type: "sites" }
    /** Leaves the sites of these addresses alone. */
    | { type: "allow-sites"; addresses: string[] }
    /** How much was blocked today, on all sites. */
    | { type: "blocked-today" }
    /** What was blocked on so many days, today included. */
    | { type: "statistics"; days: number }
    /** Counts what is blocked, or no longer. */
    | { type: "count-statistics"; isOn: boolean }
    /** Deletes what was counted on a day, on a site, or everything. */
    | { type: "forget-statistics"; day?: string; site?: string }
    /** The site that an address belongs to. */
    | { type: "site"; address: string }
    /** Lets a person choose an element of the page in a tab, again or first. */
    | { type: "pick"; tabId: number }
    /** What was chosen. */
    | { type: "picked"; tabId: number }
    | { type: "pick-move"; tabId: number; way: "wider" | "narrower" }
    | { type: "pick-show"; tabId: number; selector: string; isHidden: boolean }
    | AboutChoices
    | NativeHost.PassedOn;

  type SiteChoice = "shown" | "cookies" | "scripts" | "fonts" | "media" | "strict" | "relaxed";
  interface SiteEntry { site: string; choices: SiteChoice[] }

  /** About what is chosen for sites besides exempting them, and about the toolbar's button. */
  type AboutChoices =
    | { type: "choose"; site: string; choice: SiteChoice; isOn: boolean }
    | { type: "choices" }
    /** Gives the sites of addresses these choices instead of theirs; none where there are none. */
    | { type: "take-choices"; entries: SiteEntry[] }
    | { type: "tab-off"; tabId: number; site: string; isOff: boolean }
    | { type: "appearance" }
    | { type: "set-badge"; isShown: boolean };

  type Message = FromDocuments | FromPages;

  /** The answers, by the message's `type`. */
  interface Answers {
    document: DocumentAnswer;
    note: {};
    "note-disturbed": {};
    "load-media": {};
    choose: {};
    choices: { entries: SiteEntry[] };
    /** The addresses that have no site. */
    "take-choices": { wrong: string[] };
    "tab-off": {};
    appearance: { showsBadge: boolean };
    "set-badge": {};
    page: PageReport;
    hidden: HiddenReport;
    /** The text of a rule; null if the list has it no more. */
    rule: { text: string | null };
    "allow-for-a-while": {};
    sites: { sites: string[] };
    /** The addresses that have no site. */
    "allow-sites": { wrong: string[] };
    /** Null while nothing is counted. */
    "blocked-today": { blocked: number | null };
    statistics: StatisticsReport;
    "count-statistics": {};
    "forget-statistics": {};
    /** Null if it is no address of a page; `isSuffix` if it is a public suffix, as `com`, and no site. */
    site: { site: string | null; isSuffix: boolean };
    allow: {};
    /** Null if the tab has no such page. */
    blocked: BlockedReport | null;
    "open-blocked": {};
    switch: {};
    notes: PageNotes | null;
    "change-note": NativeHost.AnswerTo<NativeHost.NoteQuestion>;
    /** Why some of the notes could not be added. */
    "add-notes": { faults: { address: string, fault: string }[] };
    draft: {};
    connect: {};
    /** Null if none is blocked, or not yet. */
    demonstrate: { sample: BlockedSample | null };
    /** Null as long as it is on its way. */
    demonstrated: { fate: "blocked" | "passed" | null };
    pick: {};
    /** Null if nothing was, or the page is gone. */
    picked: Picked | null;
    "pick-move": {};
    "pick-show": {};
  }

  /** An element that was chosen to be hidden. */
  interface Picked {
    site: string;
    /** What the element is called in short. */
    name: string;
    /** Whether it is in a frame of the page. */
    isFramed: boolean;
    /** Selectors from narrow to wide, and how many elements they select in its document and in all. */
    candidates: Array<{ selector: string; here: number; all: number }>;
  }

  /** The answer to a message. */
  type AnswerTo<M> =
    M extends NativeHost.PassedOn ? NativeHost.AnswerTo<M>
    : M extends { type: infer T extends keyof Answers } ? Answers[T]
    : never;

  /** What comes in place of an answer; `host` is there if the native host was asked. */
  interface Fault { error: string; host?: HostState }

  /** What the background tells the extension's open pages: that there may be other links. */
  type ToPages = { type: "linksChanged" };

  /** What the script at a document's start has to do: show a note, load the page again, or nothing. */
  interface DocumentAnswer {
    note?: ShownNote;
    reload?: boolean;
    /** Whether the page has a note, due or not. */
    isNoted?: boolean;
  }

  /** What is needed to show a note. */
  type ShownNote =
    Pick<NativeHost.IndexedNote, "id" | "displayText" | "emoji" | "snoozeMinutes" | "kind" | "address">
    & {
      /** What it is written in; empty if that is unknown. */
      language: string;
      /** When it was shown, in milliseconds since 1970. */
      shownAt?: number;
      /** For how many seconds "View Website" waits. */
      wait?: number;
      /** How often it was left and viewed. */
      counts?: NativeHost.Note["counts"];
      days?: NativeHost.NoteDay[];
      /** The end of a focus session, in milliseconds since 1970. */
      focusUntil?: number | null;
    };

  /** What is typed in the form of a note and not saved; `id` is null for a new note. */
  interface NoteDraft { id: string | null; kind: string; text: string; emoji: string; minutes: string;
    plan: NativeHost.NotePlan }

  /** The notes of a page, as the pop-up shows them. */
  interface PageNotes {
    notes: NativeHost.Note[];
    choices: NativeHost.NoteTarget[];
    url: string;
    /** The end of a focus session, in milliseconds since 1970. */
    focusUntil: number | null;
    draft?: NoteDraft;
  }

  /** The connection to the native host: see `Host`. */
  interface HostState {
    state: "connecting" | "connected" | "missing" | "forbidden" | "stopped";
    /** What the browser said about it. */
    message: string;
  }

  /** What has been done to loads: blocked, let through for want of lists, upgraded, without cookies. */
  type JournalKind = "block" | "passed" | "make-https" | "block-cookies";

  /** A request, what was done to it, and the rules of each list that asked for it. */
  interface JournalRow {
    kind: JournalKind;
    /** Empty for an address without one. */
    host: string;
    url: string;
    type: string;
    /** The rules have numbers from 0. */
    by: Array<{ identifier: string; rules: number[] }>;
  }

  /** A request of a tab, as a logger shows it. */
  interface LoggedRequest {
    /** Counts up. */
    id: number;
    /** Milliseconds since 1970. */
    time: number;
    url: string;
    /** The browser's word. */
    type: string;
    method: string;
    frameId: number;
    /** Who asked, as far as the browser says; empty otherwise. */
    initiator: string;
    /** The page that it was decided for; empty if it was not. */
    page: string;
    /** The document that it was decided for; empty if it was not. */
    frame: string;
    /** The rule language's word; empty if it was not decided. */
    resourceType: string;
    fate: "waiting" | "loaded" | "blocked" | "upgraded" | "stripped" | "redirected" | "failed";
    rules: Array<{
      kind: string; identifier: string; name: string; number: number; line: number | null;
    }>;
    /** What was chosen for the page's site that blocks it; null if nothing does. */
    choice: SiteChoice | null;
    status: number | null;
    /** The browser's word for why it failed. */
    error: string;
  }

  /** Rules of a list, with its name and the lines of the first ones. */
  interface NamedRules { identifier: string; name: string; rules: number[]; lines: Array<number | null> }

  /** How much of the lists the browser's own rules say. */
  interface DeclarativeSummary {
    exact: number;
    approximated: number;
    notExpressible: number;
    isReady: boolean;
    fault: string | null;
  }

  /** An address that the lists block, and the first rule that does. */
  interface BlockedSample {
    url: string; identifier: string; name: string; number: number; line: number | null;
  }

  /** A page that is blocked as a whole, and the rules of the lists that block it. */
  interface BlockedReport {
    url: string;
    site: string;
    /** False where it would not be blocked any more. */
    isBlocked: boolean;
    rules: Array<{ identifier: string; name: string; number: number; line: number | null }>;
  }

  /** What the pop-up shows of a page. */
  interface PageReport {
    fault: string | null;
    /** The domain of the page's site; null if it has none. */
    site: string | null;
    /** Whether the tab shows a page's source. */
    isSource: boolean;
    isAllowed: boolean;
    /** Whether it is, and the browser, whose rules decide, has not taken the rule for it. */
    isAllowanceRefused: boolean;
    /** Whether the tab is off as long as it shows the site. */
    isTabOff: boolean;
    choices: SiteChoice[];
    /** Until when it is, in milliseconds since 1970; null if for good, or not at all. */
    allowedUntil: number | null;
    /** The page in whose place the tab shows that it is blocked; null if it shows another one. */
    blocked: BlockedReport | null;
    /** Whether the browser lets requests be stopped; null while that is unknown. */
    canBlock: boolean | null;
    declarative: DeclarativeSummary | null;
    host: HostState;
    listsFault: string | null;
    lists: Array<{ identifier: string; name: string; isOn: boolean; fault: string | null }>;
    loads: number;
    counts: Record<JournalKind, number>;
    rows: Array<Omit<JournalRow, "by"> & { by: NamedRules[] }>;
    isCut: boolean;
    /** The page's address; empty if it is none of the web. */
    page: string;
    seen: SeenRequest[];
  }

  /** What was blocked on the days of a range. */
  interface StatisticsReport {
    /** Whether anything is counted. */
    isOn: boolean;
    /** Every day of the range, named as `2026-11-24`; today is the last. */
    days: Array<{ day: string; blocked: number }>;
    /** The sites on whose pages most was blocked, the first ones. */
    sites: Array<{ site: string; blocked: number }>;
    /** What was blocked on all others. */
    otherSites: number;
    /** A request that several lists block counts for each. */
    lists: Array<{ identifier: string; name: string; blocked: number }>;
  }
  /** A request of a page that a rule can be made of, with its type in the rule language. */
  interface SeenRequest { url: string; type: string }

  /** What hides elements of a page, if the page has answered in time. */
  interface HiddenReport { rules: HiddenRule[]; isAnswered: boolean }

  /** A rule that hides elements of a page; its number is null if it is unknown which one it is. */
  interface HiddenRule {
    identifier: string;
    name: string;
    number: number | null;
    line: number | null;
    /** Those of its selectors that select something, the first of them. */
    selector: string;
    /** How many elements it hides. */
    count: number;
  }
}

/** What `note-look.js` and `note-show.js` share. */
declare var tickbirdNote: {
  css: string;
  /** A property or method of the document, whatever a page names its elements. */
  page<Name extends keyof Document>(name: Name): Document[Name];
  isShown?: boolean;
  duration(minutes: number): string;
  text(key: string, ...values: Array<string | number>): string;
  counted(key: string, count: number, ...values: Array<string | number>): string;
  locale(): string;
  direction(): "ltr" | "rtl";
  record(note: Pick<Messages.ShownNote, "counts" | "days">): NoteElement[];
  viewButton(note: Messages.ShownNote): NoteElement;
  countDown(button: HTMLButtonElement): void;
  parts(note: Messages.ShownNote, isReachable?: boolean): NoteElement;
  /** Lets the buttons of a note in a document or shadow root act; false if there is no note. */
  listen(root?: ParentNode, isInPlace?: boolean): boolean;
  show(note: Messages.ShownNote): void;
  cover(note: Messages.ShownNote): boolean;
  uncover(): boolean;
  announce(note: Messages.ShownNote): boolean;
  conceal(): void;
  back(): void;
  make(element: NoteElement): HTMLElement;
  addStyle(root: ShadowRoot, text: string): void;
  shadowRootOf(element: Element): ShadowRoot | null;
  isInTransition(): boolean;
  /** Whether the note that covers a page is before everything else; undefined if none covers it. */
  isFront?: () => boolean;
  send(message: Messages.FromDocuments): Promise<unknown>;
};

/** An element as plain data: its name, its attributes and its children. */
type NoteElement = [name: string, attributes: Record<string, string>, ...children: NoteChild[]];
type NoteChild = NoteElement | string;

/** What `element-selectors.js` gives `pick-element.js`. */
declare var tickbirdSelectors: {
  attribute(element: Element, name: string): string;
  behind(element: Element): Element | null;
  before(element: Element): Element | null;
  chosen(
    all: Array<{ selector: string; isPlace: boolean }>, count: (selector: string) => number,
  ): Array<{ selector: string; count: number }>;
  forElement(element: Element): Array<{ selector: string; count: number }>;
  isStable(name: string): boolean;
  nameOf(element: Element): string;
  parentOf(element: Node): Element | null;
  rootElement(): Element;
  proposals(path: object[], escape: (name: string) => string): Array<{ selector: string; isPlace: boolean }>;
  select(selector: string): NodeListOf<Element>;
};
/** Whether the script that lets an element be chosen runs in the document. */
declare var tickbirdPicking: boolean | undefined;
/** The element over which the browser's menu was opened last; in Chromium. */
declare var tickbirdMenuTarget: WeakRef<Element> | undefined;

/** What the browsers' tests reach in the background. */
declare var tickbird: {
  ready: Promise<void>;
  state: object;
  targetKeys(address: string): string[];
  choose(id: string, tab: WebExt.Tab): Promise<void>;
  answer(message: object): Promise<object | null>;
  answerFromPage(message: object): Promise<object | null>;
};

/** What `direction.js` says to modules and to scripts in documents. */
declare var tickbirdDirection: { ofTexts(): "ltr" | "rtl"; isolated(value: string): string };

/** What `load-on-click.js` keeps in a document. */
declare var tickbirdMedia: { wait(urls: string[]): void } | undefined;
