// How long the extension waits, and how often it tries: all such numbers in one place.
//
// Scripts in documents cannot import; theirs are at the top of hide-early.js and note-show.js.

/** Lengths of time, in milliseconds. */
export const milliseconds = Object.freeze({
  // The native host.
  /** How long an answer of the native host may take, unless the question says otherwise. */
  hostAnswer: 30_000,
  /** The first delay before connecting again; each further one is twice as long. */
  hostRetry: 1000,
  hostLongestRetry: 60_000,
  /** How long the pop-up and the stream wait for a new connection before they look again. */
  hostReconnected: 400,

  // What the browser keeps.
  /** How long the browser may take to open what it keeps; in Firefox all requests wait for it at the start. */
  storageAnswer: 10_000,
  /** Until settings are read again that the browser could not read. */
  settingsRetry: 250,
  /** For how long that is tried: a browser's first requests wait for it. */
  settingsRead: 700,
  /** The first delay before what decides is started again after it could not; each further one is twice as long. */
  startRetry: 1000,
  startLongestRetry: 600_000,

  // Lists.
  /** The first delay before lists that did not come are asked for again. */
  listsRetry: 10_000,
  listsLongestRetry: 600_000,
  /** The first delay before a translation that did not come is asked for again. */
  translationRetry: 1000,
  translationLongestRetry: 600_000,
  /** The first delay before the browser's rules are changed again that it has not let be changed. */
  rulesRetry: 1000,
  rulesLongestRetry: 600_000,
  /** How long the pop-up waits for a list's text, without which it says no lines. */
  listText: 5000,
  /** How long the host may take to translate the lists. */
  translated: 300_000,
  /** Between two questions, where the lists have changed while the host translated them. */
  translationPoll: 500,

  /** How long a site is left alone that is not for good. */
  allowed: 3_600_000,
  /** How often it is looked at whether that time is over. */
  allowedLook: 60_000,
  /** By how much the clock may be set back without ending it. */
  clockSet: 60_000,
  /** How long a list may take until it is fetched, converted and compiled. */
  listFetched: 900_000,
  /** How long a gallery's list may take, and a package, which the host limits. */
  galleryFetched: 180_000,
  packageFetched: 2_000_000,

  /** Between two looks of the first page whether lists act, and what became of a request. */
  demonstrationPoll: 250,
  /** How long an exception may take to be tried on all loads of a tab. */
  exceptionTried: 120_000,

  // Requests and documents.
  /** After this time a request from before the matcher's start has passed, if it has not failed. */
  earlyRequest: 500,
  /** How long Firefox keeps a document back for its style sheets. */
  documentHold: 1000,
  /** Between two looks for the document that a script in it has reported. */
  documentPoll: 10,
  /** Loggers are told of requests together after this time. */
  logged: 100,
  /** Counts of blocked loads are shown together after this time. */
  badge: 200,
  /** How long the button says why nothing was done. */
  told: 4000,
  /** Chromium ends a service worker that does nothing for 30 seconds. */
  keepAwake: 20_000,

  /** How long the pop-up waits for a page to say what is hidden; one that shows an alert says nothing. */
  pageAnswer: 1000,

  /** Statistics are written together after this time. */
  statisticsWritten: 4000,
  /** How long the frames of a page have to hear that one of them hands the keyboard over. */
  pickHandOver: 60,

  // Pages that are blocked as a whole.
  /** How long a person sees such a page before it takes a choice that opens the blocked one. */
  blockedChoice: 700,

  // Notes.
  /** How long a note waits for the host's newest version of it. */
  noteAnswer: 250,
  /** How long pages wait for the index of notes when the browser starts. */
  noteIndex: 1500,
  /** How much too early "View Website" may come. */
  noteWaitTolerance: 500,
  /** How often it is looked at which page is in front, for notes that leave minutes free. */
  noteUse: 5000,
  /** How long a note that has become due is announced before it covers its page. */
  noteAnnouncement: 10_000,
  /** Browsers take a longer timer for none. */
  longestTimer: 2 ** 31 - 1,
  /** How long "Leave" waits for the page before to come. */
  noteGoingBack: 600,
  /** For how long after "Leave" another note is not shown but left as well. */
  noteLeaving: 4000,

  // Shared Links; the host may have to fetch a page and a feed, or many feeds.
  linksAnswer: 30_000,
  linksChange: 60_000,
  subscribing: 120_000,
  refreshing: 900_000,
  /** How long the stream shows a message in place of its counts. */
  streamMessage: 6000,
  /** How long the stream waits for more typing before it searches. */
  streamTyping: 200,
  /** How often the stream writes its relative times anew. */
  streamTimes: 60_000,
});

/** How often something is looked at before it is given up. */
export const attempts = Object.freeze({
  /** How often style sheets are inserted into a document that takes none. */
  insertion: 4,
  /** Five minutes at `translationPoll`. */
  translation: 600,
  /** A minute at `demonstrationPoll`. */
  demonstration: 240,
  /** How often own rules are read and written anew that others change at the same time. */
  ownRules: 5,
  /** A fifth of a second at `documentPoll`. */
  document: 20,
});
