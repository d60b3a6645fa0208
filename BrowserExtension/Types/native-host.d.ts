// The questions and answers of the native host, and its notices, as Documentation/NativeMessaging.md
// has them. Every answer also has its question's number, `question`.

declare namespace NativeHost {
  /** Notes on pages: what an older extension for Safari may ask, too, goes by `request`. */
  type NoteQuestion =
    | { request: "check"; url: string }
    | {
      request: "add"; url: string; text: string; emoji?: string; snoozeMinutes?: number;
      plan?: NotePlan; kind?: TargetKind;
    }
    | {
      request: "update"; id: string; text?: string; emoji?: string; snoozeMinutes?: number;
      plan?: NotePlan; kind?: TargetKind; url?: string;
    }
    | { request: "delete"; id: string }
    | { request: "snooze"; id: string; snoozeMinutes?: number }
    | { request: "leave"; id: string }
    | { request: "use"; id: string; visits?: number; seconds?: number }
    | { request: "focus"; minutes: number }
    | { request: "settle"; id: string }
    | { request: "list"; search?: string; offset?: number; limit?: number }
    | { request: "page"; url: string }
    | { request: "index"; offset: number };

  type LinkQuestion =
    | {
      type: "links"; words?: string; isUnread?: boolean; source?: number; after?: LinkPlace;
      limit?: number;
    }
    | { type: "linkIcons"; digests: string[] }
    | { type: "linkSources"; addresses?: string[] }
    | { type: "markLinks"; isRead: boolean; ids?: number[]; through?: number }
    | { type: "subscribe"; address: string; page?: string | null }
    | { type: "unsubscribe"; source: number }
    | { type: "refreshLinks"; isDue?: boolean };

  type ListQuestion =
    | { type: "lists"; formatVersion: number }
    | { type: "declarative" }
    | { type: "part"; digest: string; offset: number };

  /** Subscriptions to lists. */
  type SubscriptionQuestion =
    | { type: "subscriptions" }
    | { type: "catalogue" }
    | { type: "addList"; source: string; mirrors?: string[]; name?: string; localAddresses?: string[] }
    | { type: "removeList"; list: string }
    | { type: "switchList"; list: string; isOn: boolean }
    | { type: "ownRules" }
    | { type: "setOwnRules"; text: string; before?: string }
    | { type: "updateLists"; lists?: string[]; isDue?: boolean; acceptsShort?: boolean };

  /** The gallery of a page that the user looks at. */
  type GalleryQuestion =
    | { type: "gallery"; address: string }
    | { type: "addGallery"; address: string; key: string; root?: string }
    | { type: "offerOfGallery"; address: string; identifier: string }
    | { type: "installOffer"; offer: string };

  /** Which exception would let a load through. */
  type AdviceQuestion = {
    type: "exception"; load: number;
    loads: Array<{ url: string; type: string; page: string; frame?: string }>;
  };

  /** Starts the local app unless it runs; whoever knows the address is let in. */
  type LocalAppQuestion = { type: "localApp" };

  /** What the extension's pages may ask the host. */
  type PassedOn = LinkQuestion | SubscriptionQuestion | GalleryQuestion | LocalAppQuestion | AdviceQuestion;

  type Question =
    SubscriptionQuestion | GalleryQuestion | LocalAppQuestion | AdviceQuestion | { request: "hello" } | NoteQuestion | LinkQuestion
    | ListQuestion;

  /** The answers, by the question's `type`. */
  interface AnswersByType {
    lists: { type: "lists"; lists: ListOffer[] };
    /** Without a digest the host is still translating. */
    declarative: {
      type: "declarative"; digest?: string | null; size?: number | null; fault?: string | null;
      missing?: string[] | null;
    };
    /** A part of the data that was offered by its digest; `bytes` is base64. */
    part: { type: "part"; offset: number; bytes: string };
    subscriptions: { type: "subscriptions"; lists: Subscription[] };
    catalogue: { type: "catalogue"; entries: CatalogueEntry[] };
    addList: { type: "subscription"; list: Subscription; notes: string[] };
    removeList: { type: "listRemoved" };
    switchList: { type: "subscription"; list: Subscription; notes: string[] };
    exception: {
      type: "exception"; rule: string; lists: string[]; tried: number; isHarmless: boolean;
      reason?: string | null; changes: number[];
    };
    ownRules: OwnRules;
    setOwnRules: OwnRules;
    updateLists: { type: "listUpdates"; updates: ListUpdate[] };
    localApp: { type: "localApp"; address: string };
    gallery: Gallery;
    addGallery: Gallery;
    offerOfGallery: GalleryOffer | InstalledExtension;
    installOffer: InstalledExtension;
    links: LinksAnswer;
    linkIcons: { type: "linkIcons"; icons: LinkIcon[]; hasMore: boolean };
    linkSources: LinkSourcesAnswer;
    markLinks: { type: "marked" };
    subscribe:
      | { type: "subscribed"; source: LinkSource }
      | { type: "feeds"; feeds: Array<{ address: string; title: string; mediaType: string }> };
    unsubscribe: { type: "unsubscribed"; links: number };
    refreshLinks: {
      type: "refreshed"; new: number;
      failed: Array<{ source: number; title: string; message: string }>;
    };
  }

  /** The answers, by the question's `request`. */
  interface AnswersByRequest {
    hello: { type: "hello"; version: number; host: string; process: number };
    check: { type: "ignore" } | ({ type: "message" } & Note & NoteStanding);
    add: { type: "reload" };
    update: { type: "reload" };
    delete: { type: "reload" };
    snooze: { type: "reload" };
    leave: { type: "done" };
    use: { type: "done"; today: NoteDay };
    focus: { type: "reload" };
    settle: { type: "reload" };
    list: { type: "notes"; notes: Note[]; total: number; next: number | null };
    page: { type: "page"; note: Note | null; notes: Note[]; choices: NoteTarget[] };
    /** `next` is the offset of what follows; null at the end. */
    index: {
      type: "index"; notes: IndexedNote[]; next?: number | null;
      /** The end of a focus session, in milliseconds since 1970. */
      focusUntil?: number | null;
    };
  }

  /** The answer to a question. */
  type AnswerTo<Q> =
    Q extends { type: infer T extends keyof AnswersByType } ? AnswersByType[T]
    : Q extends { request: infer R extends keyof AnswersByRequest } ? AnswersByRequest[R]
    : never;

  /** What comes in place of an answer; see the table of codes in the document. */
  interface Fault { type: "error"; code: string; message: string }

  /** What the host says without having been asked. */
  type Notice = { type: "changed" } | { type: "linksChanged" } | { type: "notesChanged" };

  /** A gallery; the keys are fingerprints. */
  interface Gallery {
    type: "gallery";
    name: string;
    address: string;
    key: string;
    root?: string | null;
    extensions: number;
    isAdded: boolean;
  }

  /** What would be installed. */
  interface GalleryOffer {
    type: "galleryOffer";
    /** Sent back with the user's answer. */
    offer: string;
    identifier: string;
    name: string;
    version: string;
    kind: string;
    signer: string;
    trust: "new" | "known" | "rotated";
    formerSigner?: string | null;
    requests: string[];
    /** What the installed version does not ask for. */
    additional: string[];
    replaces?: string | null;
    replacesUnsigned: boolean;
  }

  interface InstalledExtension {
    type: "installed";
    identifier: string;
    name: string;
    isWaiting: boolean;
  }

  /** A list that the user subscribes to; times are seconds since 1970. */
  interface Subscription {
    id: string;
    /** That of the active list. */
    identifier: string;
    name: string;
    isOn: boolean;
    /** An address, or a file's path. */
    source: string;
    isFile: boolean;
    /** Whether it is the list of own rules. */
    isOwn: boolean;
    mirrors: string[];
    homepage?: string | null;
    licence?: string | null;
    format?: string | null;
    rules?: number | null;
    /** What became of the lines of a filter list. */
    lines?: { converted: number; approximated: number; impossible: number } | null;
    /** When the list came that acts. */
    changed?: number | null;
    succeeded?: number | null;
    next?: number | null;
    /** Why the last update failed. */
    fault?: string | null;
  }

  /** The rules that the user writes; none act while `rules` is 0. */
  interface OwnRules { type: "ownRules"; text: string; rules: number; notes: string[] }

  interface ListUpdate {
    id: string;
    outcome: "changed" | "unchanged" | "failed" | "skipped";
    message?: string | null;
    notes: string[];
  }

  /** A well-known list. */
  interface CatalogueEntry {
    id: string;
    name: string;
    address: string;
    mirrors: string[];
    homepage: string;
    licence: string;
    /** Empty for all. */
    languages: string[];
    purpose: string;
    isRecommended: boolean;
  }

  interface ListOffer {
    identifier: string;
    name: string;
    /** SHA-256 of the compiled file, in hexadecimal digits; absent where it cannot be fetched. */
    digest?: string | null;
    /** In bytes; absent where it cannot be fetched. */
    size?: number | null;
    /** The first bytes, which decide; behind them is the list's text, for people. */
    deciding?: { digest: string; size: number } | null;
    /** Why it cannot be fetched, though it is on; what was fetched before goes on. */
    fault?: string | null;
  }

  /** A translation of the lists into the browser's own rules, as the host's parts spell it out. */
  interface Translation {
    lists: Array<{
      identifier: string; exact: number; approximated: number; notExpressible: number;
    }>;
    /** The place of the list in `lists`, whether the rule is for the session alone, the rule, whether
     * it is exact. */
    rules: Array<[number, 0 | 1, WebExt.DeclarativeRule, boolean]>;
  }

  type TargetKind = "page" | "path" | "host" | "site";
  interface NoteTarget { kind: TargetKind; address: string }

  /** When a note is shown, and what is free before; always without any. */
  interface NotePlan {
    /** Days from 1 (Monday) to 7, minutes since midnight; past midnight if `to` is not later. */
    times?: Array<{ days: number[]; from: number; to: number }>;
    /** What is free on each day; one of them. */
    limit?: { minutes?: number; visits?: number };
    /** For how many seconds "View Website" waits, and how many more each time on a day. */
    delay?: { seconds: number; growth?: number };
  }

  /** What happened with a note on a day, on this device. */
  interface NoteDay { visits: number; seconds: number; shown: number; left: number; viewed: number }

  /** Why a note is shown now. */
  interface NoteStanding {
    /** For how many seconds "View Website" waits. */
    wait: number;
    /** The last 14 days; today is the last. */
    days: NoteDay[];
    focusUntil?: number | null;
  }

  /** A note as the index has it: what is needed to show it. */
  interface IndexedNote extends NoteTarget {
    id: string;
    /** The text as it is shown. */
    displayText: string;
    emoji: string;
    snoozeMinutes: number;
    /** Milliseconds since 1970; only while it is snoozed. */
    snoozedUntil?: number | null;
    plan?: NotePlan | null;
    /** Only with a plan. */
    today?: NoteDay | null;
  }

  interface Note extends IndexedNote {
    /** The text as it is edited. */
    text: string;
    /** Texts that other devices wrote at the same time. */
    otherTexts: string[];
    isSnoozed: boolean;
    created: number;
    changed: number;
    counts: { shown: number; left: number; viewed: number };
  }

  /** A link's place in the stream; `date` in seconds since 1970, as all times of links. */
  interface LinkPlace { date: number; id: number }

  interface Link extends LinkPlace {
    url: string;
    title: string;
    text: string;
    /** False where the feed names no time, and `date` is when the link was first seen. */
    isDated: boolean;
    name: string;
    source: number;
    /** The digest of an icon. */
    icon?: string | null;
    isRead: boolean;
  }

  interface LinksAnswer {
    type: "links";
    time: number;
    items: Link[];
    hasMore: boolean;
    /** How many links there are, whatever the limit. */
    count: number;
    /** How many links of the whole stream are unread. */
    unread: number;
  }

  /** `bytes` is base64. */
  interface LinkIcon { digest: string; mediaType: string; bytes: string }

  interface LinkSource {
    id: number;
    kind: "feed" | "extension";
    title: string;
    /** A feed's address, an extension's identifier. */
    address: string;
    page?: string | null;
    icon?: string | null;
    links: number;
    unread: number;
    succeeded?: number | null;
    fault?: string | null;
    retry?: number | null;
    isGone: boolean;
  }

  interface LinkSourcesAnswer {
    type: "linkSources";
    sources: LinkSource[];
    /** The ids of the sources that are subscribed to, by the addresses that were asked about. */
    subscribed: Record<string, number>;
  }
}
