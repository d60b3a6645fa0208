// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names and types are Apple's.
public import Foundation
import Synchronization

/// Data that is available in one or more representations, each with a uniform type identifier.
///
/// Deviation: Loading and registering objects (`loadObject(ofClass:)`, `registerObject(_:)`), previews and file
/// representations in place are missing; handlers of the supported extension points pass files, data and strings.
/// > previews and file representations in place are not there; handlers of the supported extension
/// > points hand over files, data and strings.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked: a lock protects all state, and loaders are called outside of it.

  /// Receives a loaded item, or an error instead.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void

  /// Loads an item when it is asked for.
  ///
  /// The second argument is the expected class, which is always nil here.
  public typealias LoadHandler =
    @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

  /// The domain of the errors of item providers.
  public static let errorDomain = "NSItemProviderErrorDomain"

  /// A code of ``errorDomain``.
  public enum ErrorCode: Int, Sendable {
    case unknownError = -1
    case itemUnavailableError = -1000
    case unexpectedValueClassError = -1100
    case unavailableCoercionError = -1200
  }

  private struct Registration {
    let typeIdentifier: String
    let load: LoadHandler
  }

  private struct State {
    var registrations: [Registration] = []
    var suggestedName: String?
  }

  private let state: Mutex<State>

  /// Creates an empty provider.
  public override init() {
    state = Mutex(State())
  }

  /// Makes a provider of a file's contents.
  ///
  /// The type identifier is that of the file's extension, or `public.data`. The file is read when
  /// the answer is sent, not now. Returns nil if there is no such file.
  ///
  /// - Parameter fileURL: A file URL, implicitly unwrapped as on Apple systems, so that
  ///   `Bundle.main.url(forResource:withExtension:)` can be passed directly.
  public convenience init?(contentsOf fileURL: URL!) {
    guard let url = fileURL, url.isFileURL, FileManager.default.fileExists(atPath: url.path) else {
      return nil
    }
    self.init(
      item: url as NSURL,
      typeIdentifier: TypeTable.identifier(forPathExtension: url.pathExtension) ?? "public.data"
    )
    suggestedName = url.lastPathComponent
  }

  /// Makes a provider of an item.
  ///
  /// - Parameters:
  ///   - item: A file URL (for its contents), data, or a string.
  ///   - typeIdentifier: The item's type; nil uses a file's extension, and otherwise `public.url`,
  ///     `public.utf8-plain-text` or
  ///     `public.data`.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item else { return }
    let type = typeIdentifier ?? Self.typeIdentifier(of: item)
    let box = Unshared(item)
    registerItem(forTypeIdentifier: type) { completion, _, _ in completion?(box.value, nil) }
  }

  /// The types of the representations, in the order of registration.
  open var registeredTypeIdentifiers: [String] {
    state.withLock { $0.registrations.map(\.typeIdentifier) }
  }

  /// A name for the file that an attachment may become.
  open var suggestedName: String? {
    get { state.withLock { $0.suggestedName } }
    set { state.withLock { $0.suggestedName = newValue } }
  }

  /// Whether a representation has this type or one that conforms to it.
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    registration(for: typeIdentifier) != nil
  }

  /// Adds a representation that is loaded on demand.
  open func registerItem(
    forTypeIdentifier typeIdentifier: String,
    loadHandler: @escaping LoadHandler
  ) {
    state.withLock {
      $0.registrations.removeAll { $0.typeIdentifier == typeIdentifier }
      $0.registrations.append(Registration(typeIdentifier: typeIdentifier, load: loadHandler))
    }
  }

  /// Adds a representation as data that is loaded on demand.
  open func registerDataRepresentation(
    forTypeIdentifier typeIdentifier: String,
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  ) {
    registerItem(forTypeIdentifier: typeIdentifier) { completion, _, _ in
      _ = loadHandler { data, error in completion?(data.map { $0 as NSData }, error) }
    }
  }

  /// Adds a representation as a file that is made on demand.
  open func registerFileRepresentation(
    forTypeIdentifier typeIdentifier: String,
    fileOptions: NSItemProviderFileOptions = [],
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
  ) {
    registerItem(forTypeIdentifier: typeIdentifier) { completion, _, _ in
      _ = loadHandler { url, _, error in completion?(url.map { $0 as NSURL }, error) }
    }
  }

  /// Loads a representation as the registered item: a file stays a file URL.
  open func loadItem(
    forTypeIdentifier typeIdentifier: String,
    options: [AnyHashable: Any]? = nil,
    completionHandler: CompletionHandler? = nil
  ) {
    guard let registration = registration(for: typeIdentifier) else {
      completionHandler?(nil, Self.unavailable(typeIdentifier))
      return
    }
    registration.load(completionHandler, nil, options)
  }

  /// Loads a representation as the registered item.
  open func loadItem(
    forTypeIdentifier typeIdentifier: String,
    options: [AnyHashable: Any]? = nil
  ) async throws -> any NSSecureCoding {
    let once = Once()
    let box: Unshared<any NSSecureCoding> = try await withCheckedThrowingContinuation { waiting in
      loadItem(forTypeIdentifier: typeIdentifier, options: options) { item, error in
        guard once.first() else { return }
        if let item {
          waiting.resume(returning: Unshared(item))
        } else {
          waiting.resume(throwing: error ?? Self.unavailable(typeIdentifier))
        }
      }
    }
    return box.value
  }

  /// Loads a representation as data: a file's contents, a string's UTF-8.
  @discardableResult
  open func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    let progress = Progress(totalUnitCount: 1)
    loadItem(forTypeIdentifier: typeIdentifier, options: nil) { item, error in
      progress.completedUnitCount = 1
      guard let item else {
        completionHandler(nil, error ?? Self.unavailable(typeIdentifier))
        return
      }
      do {
        completionHandler(try Self.data(of: item), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
    return progress
  }

  /// Returns a provider of the same representations.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSItemProvider()
    let current = state.withLock { $0 }
    copy.state.withLock { $0 = current }
    return copy
  }

  private func registration(for typeIdentifier: String) -> Registration? {
    let registrations = state.withLock { $0.registrations }
    return registrations.first { $0.typeIdentifier == typeIdentifier }
      ?? registrations.first { TypeTable.type($0.typeIdentifier, conformsTo: typeIdentifier) }
  }

  private static func typeIdentifier(of item: any NSSecureCoding) -> String {
    // Through `Any`, because the compiler considers the direct casts impossible; bridging makes
    // them work.
    if let url = (item as Any) as? URL {
      guard url.isFileURL else { return "public.url" }
      return TypeTable.identifier(forPathExtension: url.pathExtension) ?? "public.data"
    }
    return item is NSString ? "public.utf8-plain-text" : "public.data"
  }

  private static func data(of item: any NSSecureCoding) throws -> Data {
    let item = item as Any
    if let data = item as? Data { return data }
    if let url = item as? URL {
      return url.isFileURL ? try Data(contentsOf: url) : Data(url.absoluteString.utf8)
    }
    if let text = item as? String { return Data(text.utf8) }
    throw NSError(
      domain: errorDomain,
      code: ErrorCode.unavailableCoercionError.rawValue,
      userInfo: [NSLocalizedDescriptionKey: "A \(type(of: item)) cannot be had as data."]
    )
  }

  private static func unavailable(_ typeIdentifier: String) -> NSError {
    NSError(
      domain: errorDomain,
      code: ErrorCode.itemUnavailableError.rawValue,
      userInfo: [NSLocalizedDescriptionKey: "There is no item of type \(typeIdentifier)."]
    )
  }
}

/// Who may load a representation; ignored, since an answer goes only to the host.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  case all, team, group, ownProcess
}

/// How a file may be passed; files are always read, never opened in place.
public struct NSItemProviderFileOptions: OptionSet, Sendable {
  /// The options' bits.
  public let rawValue: Int

  /// Makes options of bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The file may be opened in place.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}

/// Moves a value to another thread; the sender must not use it afterwards, unless it is never
/// changed.
package struct Unshared<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
