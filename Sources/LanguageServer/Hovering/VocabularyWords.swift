/// What the keys and words of rules mean.
enum VocabularyWords {
  /// Returns the meaning of a key; `nil` for one that rules do not have.
  static func key(_ key: String) -> String? { keys[key] }

  /// Returns the meaning of a word as the value of a key; `nil` for one that the key does not take.
  static func word(_ word: String, of key: String) -> String? {
    switch key {
    case "type": actionTypes[word]
    case "resource-type": resourceTypes[word]
    case "load-type": loadTypes[word]
    case "load-context": loadContexts[word]
    default: nil
    }
  }

  private static let keys = [
    "trigger": "Which loads the rule is for. Everything that it names must hold.",
    "action": "What happens to those loads.",
    "url-filter":
      "A pattern that is searched in the load's URL: a regular expression without `|`, and `$` only at its end.",
    "url-filter-is-case-sensitive":
      "Whether letters in url-filter match only themselves; otherwise they match both cases.",
    "top-url-filter-is-case-sensitive":
      "The same for the patterns of if-top-url and unless-top-url.",
    "frame-url-filter-is-case-sensitive":
      "The same for the patterns of if-frame-url and unless-frame-url.",
    "resource-type": "What a load must be for; any of these is enough. Without it: anything.",
    "load-type": "Whether a load goes to the page's own site or to another one.",
    "load-context": "Whether the page itself or a frame in it starts the load.",
    "request-method": "The method of the request that loaded the document, in small letters.",
    "if-domain":
      "The rule is only for pages of these domains. `*` in front of one takes all hosts below it, too.",
    "unless-domain":
      "The rule is not for pages of these domains. `*` in front of one takes all hosts below it, too.",
    "if-top-url": "The rule is only for pages whose URL matches one of these patterns.",
    "unless-top-url": "The rule is not for pages whose URL matches one of these patterns.",
    "if-frame-url": "The rule is only for frames whose URL matches one of these patterns.",
    "unless-frame-url": "The rule is not for frames whose URL matches one of these patterns.",
    "type": "The kind of the action.",
    "selector": "The CSS selectors of what css-display-none hides.",
    "notification": "The text that notify passes to the app.",
    "redirect": "Where redirect leads: a URL, a path of the extension, or a change of the URL.",
    "priority": "Header changes of a higher priority come first.",
    "request-headers": "The changes of the request's headers.",
    "response-headers": "Changes of the response's headers; WebKit reads and never applies them.",
    "_identifier": "A number by which a web extension is told that the rule matched.",
    "_rulesetIdentifier": "The name of the rule's set, for the same message.",
  ]

  private static let actionTypes = [
    "block": "The load fails.",
    "block-cookies": "The request is sent without cookies, and those of the response are dropped.",
    "css-display-none": "Elements of the page that match `selector` are hidden.",
    "ignore-previous-rules":
      "An exception: what the rules before this one in this list would do to the load is dropped.",
    "ignore-following-rules":
      "An exception: what the rules behind this one in this list would do to the load is dropped.",
    "make-https": "An http or ws URL without a port becomes https or wss.",
    "notify": "The app is told; the load goes on.",
    "redirect": "The load goes elsewhere; only for web extensions that may.",
    "modify-headers": "Headers are changed; only for web extensions that may.",
  ]

  private static let resourceTypes = [
    "document": "Documents of pages and of frames.", "top-document": "Documents of pages.",
    "child-document": "Documents of frames in a page.", "image": "Images, wherever they are shown.",
    "style-sheet": "Style sheets.", "script": "Scripts and modules.", "font": "Web fonts.",
    "svg-document": "SVG documents that elements or filters refer to.",
    "media": "Audio, video and text tracks.", "popup": "Windows that a script opens.",
    "ping": "Pings of links, and what is sent in the background.",
    "fetch": "fetch() and XMLHttpRequest.", "websocket": "Connections of WebSocket.",
    "csp-report": "Reports about violated security policies.",
    "raw": "fetch, websocket, other and ping.",
    "other": "What has no type of its own; with it, ping and csp-report.",
  ]

  private static let loadTypes = [
    "first-party": "Loads whose host belongs to the page's registrable domain.",
    "third-party": "Loads whose host does not belong to the page's registrable domain.",
  ]

  private static let loadContexts = [
    "top-frame": "Loads that the page itself starts.",
    "child-frame": "Loads that a frame in the page starts.",
  ]
}
