// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
import ExtensionMessages

/// Manages an app's content blockers.
///
/// All calls go to the host that runs the extension; without one they fail with
/// ``SFError/Code/internalError``.
public final class SFContentBlockerManager: NSObject {
  @available(*, unavailable)
  private override init() {}

  /// Restarts a content blocker and compiles its list.
  ///
  /// The completion handler gets nil, or an error: an ``SFError``, the error that the extension
  /// cancelled with, or that of a list that did not compile.
  public class func reloadContentBlocker(
    withIdentifier identifier: String,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    HostConnection.call(ReloadContentBlocker(identifier: identifier)) { result in
      completionHandler?(result.appError)
    }
  }

  /// Restarts a content blocker and compiles its list.
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
    HostConnection.call(StateOfContentBlocker(identifier: identifier)) { result in
      completionHandler((try? result.get()).map(SFContentBlockerState.init), result.appError)
    }
  }

  /// Asks whether a content blocker is on.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier.
  public class func stateOfContentBlocker(
    withIdentifier identifier: String
  ) async throws -> SFContentBlockerState {
    SFContentBlockerState(
      isEnabled: try await state(StateOfContentBlocker(identifier: identifier))
    )
  }
}

/// Whether a content blocker is on.
public final class SFContentBlockerState: NSObject, Sendable {
  /// Whether the user turned it on.
  public let isEnabled: Bool

  init(isEnabled: Bool) { self.isEnabled = isEnabled }
}

/// Manages an app's extensions with scripts.
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
    HostConnection.call(StateOfExtension(identifier: identifier)) { result in
      completionHandler((try? result.get()).map(SFSafariExtensionState.init), result.appError)
    }
  }

  /// Asks whether an extension is on.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier.
  public class func stateOfExtension(
    withIdentifier identifier: String
  ) async throws -> SFSafariExtensionState {
    SFSafariExtensionState(isEnabled: try await state(StateOfExtension(identifier: identifier)))
  }
}

/// Whether an extension is on.
public final class SFSafariExtensionState: NSObject, Sendable {
  /// Whether the user turned it on.
  public let isEnabled: Bool

  init(isEnabled: Bool) { self.isEnabled = isEnabled }
}

private func state<Call: HostFunction>(_ call: Call) async throws -> Bool
where Call.Reply == Bool {
  let result: Result<Bool, ErrorReport>
  do {
    result = .success(try await HostConnection.call(call))
  } catch {
    result = .failure(error)
  }
  if let isOn = try? result.get() { return isOn }
  throw result.appError ?? SFError(.internalError)
}

extension Result where Failure == ErrorReport {
  /// The error as apps expect it.
  var appError: (any Error)? {
    guard case .failure(let report) = self else { return nil }
    if let error = SFError(report) { return error }
    if report.domain == ErrorReport.runtimeDomain {
      return SFError(.internalError, description: report.description)
    }
    return report.nsError
  }
}
