// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
public import Foundation

/// The key of ``NSExtensionItem/attributedTitle`` in the item's user info.
public let NSExtensionItemAttributedTitleKey = "NSExtensionItemAttributedTitleKey"
/// The key of ``NSExtensionItem/attributedContentText`` in the item's user info.
public let NSExtensionItemAttributedContentTextKey = "NSExtensionItemAttributedContentTextKey"
/// The key of ``NSExtensionItem/attachments`` in the item's user info.
public let NSExtensionItemAttachmentsKey = "NSExtensionItemAttachmentsKey"
/// The key under which an error's user info says which items failed and why.
public let NSExtensionItemsAndErrorsKey = "NSExtensionItemsAndErrorsKey"

/// An item that is passed to or from an extension.
///
/// Title, text and attachments are views of ``userInfo``, so assign the user info first:
///
///     let item = NSExtensionItem()
///     item.userInfo = ["uniqueIdentifier": "1", "urlString": "https://example.com/", "date": Date()]
///     item.attributedTitle = NSAttributedString(string: "An example")
open class NSExtensionItem: NSObject, NSCopying, NSSecureCoding {
  // The only storage, so that the views cannot disagree.
  private var values: [AnyHashable: Any] = [:]

  /// Makes an item without anything in it.
  public override init() {}

  /// The title; copied when set.
  open var attributedTitle: NSAttributedString? {
    get { values[NSExtensionItemAttributedTitleKey] as? NSAttributedString }
    set { values[NSExtensionItemAttributedTitleKey] = newValue?.copy() }
  }

  /// The description; copied when set.
  open var attributedContentText: NSAttributedString? {
    get { values[NSExtensionItemAttributedContentTextKey] as? NSAttributedString }
    set { values[NSExtensionItemAttributedContentTextKey] = newValue?.copy() }
  }

  /// What comes with the item.
  open var attachments: [NSItemProvider]? {
    get { values[NSExtensionItemAttachmentsKey] as? [NSItemProvider] }
    set { values[NSExtensionItemAttachmentsKey] = newValue }
  }

  /// Everything in the item by key; nil when there is nothing.
  ///
  /// Assigning it replaces title, text and attachments too.
  open var userInfo: [AnyHashable: Any]? {
    get { values.isEmpty ? nil : values }
    set { values = newValue ?? [:] }
  }

  /// A new item with the same contents.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSExtensionItem()
    copy.values = values
    return copy
  }

  /// True only because the protocol requires it.
  public static var supportsSecureCoding: Bool { true }

  /// Returns `nil`: attachments cannot be archived, so items cannot either.
  ///
  /// > Deviation: Items travel between processes as `ExtensionItem`, never as archives.
  public required convenience init?(coder: NSCoder) { nil }

  /// Writes nothing; see ``init(coder:)``.
  open func encode(with coder: NSCoder) {}
}
