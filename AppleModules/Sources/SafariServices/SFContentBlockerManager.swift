// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
import ExtensionMessages

/// The app's hold on its content blockers.
///
/// Everything is asked of the host that runs the extension; without one it fails with
/// ``SFError/Code/internalError``.
public final class SFContentBlockerManager: NSObject {
  @available(*, unavailable)
  private override init() {}

  /// Has a content blocker run again and its list compiled.
  ///
  /// The completion handler gets nil, or an error: an ``SFError``, the error the extension cancelled
  /// with, or the one of the list that did not compile.
  public class func reloadContentBlocker(
    withIdentifier identifier: String,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    HostConnection.call(.reloadContentBlocker, ["identifier": .string(identifier)]) { result in
      completionHandler?(result.appError)
    }
  }

  /// Has a content blocker run again and its list compiled.
  ///
  /// - Throws: See ``reloadContentBlocker(withIdentifier:completionHandler:)``.
  public class func reloadContentBlocker(withIdentifier identifier: String) async throws {
    let _: Void = try await withCheckedThrowingContinuation { continuation in
      reloadContentBlocker(withIdentifier: identifier) { error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume()
        }
      }
    }
  }

  /// Asks whether a content blocker is on.
  public class func getStateOfContentBlocker(
    withIdentifier identifier: String,
    completionHandler: @escaping @Sendable (SFContentBlockerState?, (any Error)?) -> Void
  ) {
    HostConnection.call(.stateOfContentBlocker, ["identifier": .string(identifier)]) { result in
      completionHandler(result.isOn.map(SFContentBlockerState.init), result.stateError)
    }
  }

  /// Asks whether a content blocker is on.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier.
  public class func stateOfContentBlocker(
    withIdentifier identifier: String
  ) async throws -> SFContentBlockerState {
    SFContentBlockerState(
      isEnabled: try await state(.stateOfContentBlocker, of: identifier)
    )
  }
}

/// Whether a content blocker is on.
public final class SFContentBlockerState: NSObject, Sendable {
  /// Whether the user turned it on.
  public let isEnabled: Bool

  init(isEnabled: Bool) { self.isEnabled = isEnabled }
}

/// The app's hold on its web extensions.
public final class SFSafariExtensionManager: NSObject {
  @available(*, unavailable)
  private override init() {}

  /// Asks whether an extension is on; macOS's name for it.
  public class func getStateOfSafariExtension(
    withIdentifier identifier: String,
    completionHandler:
      @escaping @MainActor @Sendable (SFSafariExtensionState?, (any Error)?) -> Void
  ) {
    getStateOfExtension(withIdentifier: identifier) { state, error in
      Task { @MainActor in completionHandler(state, error) }
    }
  }

  /// Asks whether an extension is on; macOS's name for it.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier.
  public class func stateOfSafariExtension(
    withIdentifier identifier: String
  ) async throws -> SFSafariExtensionState {
    try await stateOfExtension(withIdentifier: identifier)
  }

  /// Asks whether an extension is on.
  public class func getStateOfExtension(
    withIdentifier identifier: String,
    completionHandler: @escaping @Sendable (SFSafariExtensionState?, (any Error)?) -> Void
  ) {
    HostConnection.call(.stateOfExtension, ["identifier": .string(identifier)]) { result in
      completionHandler(result.isOn.map(SFSafariExtensionState.init), result.stateError)
    }
  }

  /// Asks whether an extension is on.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier.
  public class func stateOfExtension(
    withIdentifier identifier: String
  ) async throws -> SFSafariExtensionState {
    SFSafariExtensionState(isEnabled: try await state(.stateOfExtension, of: identifier))
  }
}

/// Whether an extension is on.
public final class SFSafariExtensionState: NSObject, Sendable {
  /// Whether the user turned it on.
  public let isEnabled: Bool

  init(isEnabled: Bool) { self.isEnabled = isEnabled }
}

/// What an app asks of the browser.
public final class SFSafariApplication: NSObject {
  @available(*, unavailable)
  private override init() {}

  /// Sends a message to the script of an extension, where a port's `onMessage` gets it.
  public class func dispatchMessage(
    withName messageName: String,
    toExtensionWithIdentifier identifier: String,
    userInfo: [String: Any]? = nil,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    var coding = ValueCoding()
    let arguments: [String: MessageValue] = [
      "identifier": .string(identifier), "name": .string(messageName),
      "userInfo": userInfo.map { coding.value(of: $0, at: "userInfo") } ?? .null,
    ]
    HostConnection.call(.dispatchMessage, arguments) { completionHandler?($0.appError) }
  }

  /// Shows the settings of an extension.
  public class func showPreferencesForExtension(
    withIdentifier identifier: String,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    HostConnection.call(.showPreferences, ["identifier": .string(identifier)]) {
      completionHandler?($0.appError)
    }
  }
}

private func state(
  _ function: HostCall.Function,
  of identifier: String
) async throws -> Bool {
  let result: Result<MessageValue, ErrorReport>
  do {
    result = .success(try await HostConnection.call(function, ["identifier": .string(identifier)]))
  } catch {
    result = .failure(error)
  }
  if let isOn = result.isOn { return isOn }
  throw result.stateError ?? SFError(.internalError)
}

extension Result<MessageValue, ErrorReport> {
  /// The error as an app expects it.
  fileprivate var appError: (any Error)? {
    guard case .failure(let report) = self else { return nil }
    if let error = SFError(report) { return error }
    if report.domain == ErrorReport.runtimeDomain {
      return SFError(.internalError, description: report.description)
    }
    return report.nsError
  }

  fileprivate var isOn: Bool? {
    guard case .success(.bool(let isOn)) = self else { return nil }
    return isOn
  }

  /// An error wherever there is no state.
  fileprivate var stateError: (any Error)? {
    isOn == nil ? appError ?? SFError(.internalError) : nil
  }
}
