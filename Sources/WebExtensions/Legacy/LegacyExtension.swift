/// An extension of Safari's before web extensions, as its property lists describe it.
struct LegacyExtension {
  /// The two forms.
  enum Kind: String {
    /// A Safari app extension: its handler is native.
    case app
    /// A folder `NAME.safariextension`: it is all scripts.
    case folder
  }

  /// A script in pages.
  struct Script {
    var path: String
    var isAtEnd = false
    var pages: SafariPages
  }

  /// A style sheet in pages.
  struct Sheet {
    var path: String
    var pages: SafariPages
  }

  /// An item of the toolbar.
  struct ToolbarItem {
    var identifier: String
    var label: String
    var toolTip: String
    /// `nil` for one that opens something.
    var command: String?
    var image: String?
    /// The path of the page that it opens.
    var popover: String?
    /// The identifier of that page.
    var popoverName: String?
    var opensPopover: Bool { popover != nil }
  }

  /// An item of the menu over pages.
  struct ContextItem {
    var identifier: String
    var command: String
    var title: String
  }

  /// A page that opens at the toolbar's item.
  struct Popover {
    var identifier: String
    var path: String
    var width: Int
    var height: Int
  }

  let kind: Kind
  var name = ""
  var version = ""
  var build = ""
  var description = ""
  var author = ""
  var website = ""
  var identifier = ""
  var access = SafariAccess.none
  var scripts: [Script] = []
  var sheets: [Sheet] = []
  var toolbarItems: [ToolbarItem] = []
  var contextItems: [ContextItem] = []
  var popovers: [Popover] = []
  var globalPage: String?
  var settings: [LegacySetting] = []
  var blockers: [String] = []
  var headerDomains: [String] = []
  /// Whether a script sets the content blocker, which Tickbird's host does.
  var usesHost = false
  var usesBeforeNavigate = false
}
