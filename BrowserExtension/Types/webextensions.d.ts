// The browsers' interface to extensions, as far as this extension uses it. Some parts are in one of
// the two browsers alone; the scripts ask `isFirefox` before they use those.

declare namespace WebExt {
  interface Event<Listener, Options extends unknown[] = []> {
    addListener(listener: Listener, ...options: Options): void;
    removeListener(listener: Listener): void;
    hasListener(listener: Listener): boolean;
  }

  // MARK: Requests

  interface HTTPHeader { name: string; value?: string; binaryValue?: unknown }

  /** Who a request, a document or a message comes from. */
  interface FrameDetails {
    tabId: number;
    frameId: number;
    parentFrameId?: number;
    /** Chromium; in Firefox later versions have `documentId`. */
    documentId?: string;
    parentDocumentId?: string;
    documentLifecycle?: "prerender" | "active" | "cached" | "pending_deletion";
  }

  interface RequestDetails extends FrameDetails {
    requestId: string;
    url: string;
    method: string;
    type: string;
    /** Chromium: the origin of who asks. */
    initiator?: string;
    /** Firefox: whether it comes from a private window. */
    incognito?: boolean;
    /** Firefox: the document of who asks. */
    originUrl?: string;
    documentUrl?: string;
    /** Firefox: the documents of the frames around it, from the inside out. */
    frameAncestors?: Array<{ url: string; frameId: number }>;
  }

  type SentDetails = RequestDetails & { requestHeaders: HTTPHeader[] };
  type ReceivedDetails = RequestDetails & { statusCode: number; responseHeaders: HTTPHeader[] };
  type CompletedDetails = RequestDetails & { statusCode: number };
  type RedirectDetails = RequestDetails & { redirectUrl: string };
  type ErrorDetails = RequestDetails & { error: string };

  interface BlockingResponse {
    cancel?: boolean;
    redirectUrl?: string;
    /** Firefox. */
    upgradeToSecure?: boolean;
    requestHeaders?: HTTPHeader[];
    responseHeaders?: HTTPHeader[];
  }

  interface RequestFilter { urls: string[]; types?: string[]; tabId?: number }

  /** Only Firefox waits for a promise. */
  type BlockingListener<Details> =
    (details: Details) => BlockingResponse | Promise<BlockingResponse | void> | void;
  type RequestEvent<Details> =
    Event<BlockingListener<Details>, [filter: RequestFilter, options?: string[]]>;

  interface StreamFilter {
    ondata: ((event: { data: ArrayBuffer }) => void) | null;
    onstart: (() => void) | null;
    onstop: (() => void) | null;
    onerror: (() => void) | null;
    write(data: ArrayBuffer | Uint8Array): void;
    close(): void;
    disconnect(): void;
  }

  interface WebRequest {
    onBeforeRequest: RequestEvent<RequestDetails>;
    onBeforeSendHeaders: RequestEvent<SentDetails>;
    onSendHeaders: RequestEvent<SentDetails>;
    onHeadersReceived: RequestEvent<ReceivedDetails>;
    onBeforeRedirect: RequestEvent<RedirectDetails>;
    onCompleted: RequestEvent<CompletedDetails>;
    onErrorOccurred: RequestEvent<ErrorDetails>;
    /** Firefox. */
    filterResponseData(requestId: string): StreamFilter;
  }

  // MARK: Rules of the browser's own

  interface DeclarativeRule {
    id?: number;
    priority?: number;
    action: {
      type: string;
      responseHeaders?: Array<{ header: string; operation: string; value?: string }>;
      requestHeaders?: Array<{ header: string; operation: string; value?: string }>;
    };
    condition: {
      urlFilter?: string;
      excludedRequestDomains?: string[];
      responseHeaders?: Array<{ header: string; values?: string[] }>;
      excludedResponseHeaders?: Array<{ header: string; values?: string[] }>;
      regexFilter?: string;
      isUrlFilterCaseSensitive?: boolean;
      topDomains?: string[];
      requestDomains?: string[];
      resourceTypes?: string[];
      tabIds?: number[];
    };
  }

  type NumberedRule = DeclarativeRule & { id: number };
  interface RuleChange { removeRuleIds?: number[]; addRules?: NumberedRule[] }

  /** Chromium. */
  interface DeclarativeNetRequest {
    getDynamicRules(filter?: { ruleIds: number[] }): Promise<NumberedRule[]>;
    getSessionRules(filter?: { ruleIds: number[] }): Promise<NumberedRule[]>;
    /** For extensions that were loaded by hand. */
    testMatchOutcome?(request: { url: string; type: string; initiator: string }): Promise<{
      matchedRules: Array<{ ruleId: number; rulesetId: string }>;
    }>;
    updateDynamicRules(change: RuleChange): Promise<void>;
    updateSessionRules(change: RuleChange): Promise<void>;
    isRegexSupported(
      options: { regex: string; isCaseSensitive?: boolean },
    ): Promise<{ isSupported: boolean }>;
  }

  // MARK: Tabs and documents

  interface Tab {
    id?: number;
    url?: string;
    title?: string;
    index: number;
    active: boolean;
    windowId: number;
    openerTabId?: number;
    incognito?: boolean;
  }

  interface ScriptDetails {
    file?: string;
    code?: string;
    runAt?: "document_start" | "document_end" | "document_idle";
    frameId?: number;
    allFrames?: boolean;
    matchAboutBlank?: boolean;
  }

  interface Tabs {
    get(tabId: number): Promise<Tab>;
    query(question: { active?: boolean; currentWindow?: boolean; lastFocusedWindow?: boolean }): Promise<Tab[]>;
    create(properties: {
      url?: string; index?: number; active?: boolean; windowId?: number;
    }): Promise<Tab>;
    /** `loadReplace` is Firefox's: no entry of the history is added. */
    update(tabId: number, properties: { url?: string; loadReplace?: boolean; active?: boolean }): Promise<Tab>;
    getCurrent(): Promise<Tab | undefined>;
    reload(tabId: number, properties?: { bypassCache?: boolean }): Promise<void>;
    remove(tabId: number): Promise<void>;
    goBack(tabId: number): Promise<void>;
    /** Firefox; the value of each frame's script. */
    executeScript(tabId: number, details: ScriptDetails): Promise<unknown[]>;
    /** Firefox. */
    insertCSS(tabId: number, details: ScriptDetails & { cssOrigin?: "user" | "author" }): Promise<void>;
    onCreated: Event<(tab: Tab) => void>;
    removeCSS(tabId: number, details: ScriptDetails & { cssOrigin?: "user" | "author" }): Promise<void>;
    onRemoved: Event<(tabId: number) => void>;
  }

  interface RegisteredContentScript { unregister(): Promise<void> }

  interface ScriptTarget {
    tabId: number;
    frameIds?: number[];
    documentIds?: string[];
    allFrames?: boolean;
  }

  /** Chromium. */
  interface Scripting {
    executeScript<Arguments extends unknown[], Result>(injection: {
      target: ScriptTarget; func: (...args: Arguments) => Result; args?: Arguments;
      injectImmediately?: boolean;
    }): Promise<Array<{ frameId: number; result: Result }>>;
    executeScript(injection: {
      target: ScriptTarget; files: string[]; injectImmediately?: boolean;
    }): Promise<Array<{ frameId: number; result: unknown }>>;
    insertCSS(injection: { target: ScriptTarget; css: string; origin?: "USER" | "AUTHOR" }):
      Promise<void>;
    removeCSS(injection: { target: ScriptTarget; css: string; origin?: "USER" | "AUTHOR" }):
      Promise<void>;
  }

  interface NavigationDetails extends FrameDetails { url: string }

  interface CommittedDetails extends NavigationDetails { transitionQualifiers?: string[] }

  interface WebNavigation {
    getAllFrames(details: { tabId: number }): Promise<NavigationDetails[] | null>;
    onBeforeNavigate: Event<(details: NavigationDetails) => void>;
    onCommitted: Event<(details: CommittedDetails) => void>;
    onHistoryStateUpdated: Event<(details: NavigationDetails) => void>;
    onReferenceFragmentUpdated: Event<(details: NavigationDetails) => void>;
  }

  // MARK: The extension itself

  interface MessageSender { tab?: Tab; frameId?: number; documentId?: string; url?: string }

  interface Port {
    error?: { message: string } | null;
    name: string;
    /** In the background: who has connected. */
    sender?: MessageSender;
    onMessage: Event<(message: unknown) => void>;
    onDisconnect: Event<() => void>;
    postMessage(message: object): void;
    disconnect(): void;
  }

  /** Why a background has started for the first time. */
  interface InstalledDetails {
    reason: string;
    /** Firefox: whether a developer has loaded the extension until the browser ends. */
    temporary?: boolean;
  }

  interface Runtime {
    lastError?: { message?: string } | null;
    getURL(path: string): string;
    openOptionsPage(): Promise<void>;
    getPlatformInfo(): Promise<{ os: string }>;
    connectNative(name: string): Port;
    connect(options: { name: string }): Port;
    onConnect: Event<(port: Port) => void>;
    onInstalled: Event<(details: InstalledDetails) => void>;
    getManifest(): { version: string };
    sendMessage<Answer = unknown>(message: object): Promise<Answer>;
    onMessage: Event<
      (message: unknown, sender: MessageSender, respond: (answer: unknown) => void) =>
        boolean | void>;
  }

  interface Button {
    setBadgeText(details: { tabId?: number; text: string }): Promise<void> | void;
    setIcon(details: { tabId?: number; imageData: Record<string, ImageData> }): Promise<void> | void;
    setTitle(details: { tabId?: number; title: string }): Promise<void> | void;
    setBadgeBackgroundColor(details: { color: string }): Promise<void> | void;
  }

  /** What was under the pointer when an item of a menu was chosen. */
  interface MenuInfo { menuItemId: string | number; frameId?: number; targetElementId?: number }

  interface ContextMenus {
    removeAll(): Promise<void>;
    create(properties: {
      id: string; title: string; contexts: string[]; documentUrlPatterns?: string[];
    }, done?: () => void): void;
    onClicked: Event<(info: MenuInfo, tab?: Tab) => void>;
  }

  interface API {
    contextMenus: ContextMenus;
    /** In Firefox alone. */
    menus?: { getTargetElement(elementId: number): Element | null };
    /** Chromium also names the tab that is in front. */
    commands: { onCommand: Event<(name: string, tab?: Tab) => void> };
    windows: {
      get(windowId: number): Promise<{ focused: boolean }>;
      create(properties: { url: string; type: "popup"; width: number; height: number }): Promise<{ id?: number }>;
      update(windowId: number, properties: { focused: boolean }): Promise<unknown>;
    };
    runtime: Runtime;
    webRequest: WebRequest;
    webNavigation: WebNavigation;
    tabs: Tabs;
    extension: { isAllowedIncognitoAccess(): Promise<boolean> };
    i18n: {
      /** Empty where there is no such message. */
      getMessage(name: string, substitutions?: string[]): string;
      getUILanguage?(): string;
      detectLanguage(text: string): Promise<{
        isReliable: boolean; languages: Array<{ language: string; percentage: number }>;
      }>;
    };
    permissions: { contains(wanted: { permissions: string[] }): Promise<boolean> };
    storage: {
      local: {
        get(keys: string[]): Promise<Record<string, unknown>>;
        set(values: Record<string, unknown>): Promise<void>;
      };
      /** In memory, until the browser ends. */
      session: {
        get(keys: string[]): Promise<Record<string, unknown>>;
        set(values: Record<string, unknown>): Promise<void>;
      };
    };
    /** Chromium. */
    scripting: Scripting;
    declarativeNetRequest: DeclarativeNetRequest;
    sidePanel: { open(options: { windowId?: number }): Promise<void> };
    action?: Button;
    dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null };
    /** Firefox. */
    contentScripts: {
      register(script: {
        css: Array<{ code: string }>; cssOrigin: "user" | "author"; matches: string[]; excludeMatches?: string[];
        allFrames: boolean; runAt: "document_start";
      }): Promise<RegisteredContentScript>;
    };
    /** Firefox. */
    sidebarAction: { open(): Promise<void> };
    browserAction?: Button;
  }
}

/** The interface's name in Firefox and, beside `chrome`, in new Chromiums. */
declare var browser: WebExt.API | undefined;
/** The interface's name in Chromium. */
declare var chrome: WebExt.API;

// Parts of the platform that the compiler's own library does not know yet.

interface HTMLElement {
  popover: string | null;
  showPopover(): void;
  inert: boolean;
}

interface Element {
  role: string | null;
  /** Firefox, for extensions. */
  openOrClosedShadowRoot: ShadowRoot | null;
  checkVisibility(): boolean;
}

interface Document {
  /** Chromium: whether the document is loaded before it is shown. */
  readonly prerendering?: boolean;
}

declare class OffscreenCanvas {
  constructor(width: number, height: number);
  getContext(kind: "2d"): CanvasRenderingContext2D | null;
}

interface Uint8ArrayConstructor {
  /** Not in all browsers that the extension runs in. */
  fromBase64?(text: string): Uint8Array;
}
