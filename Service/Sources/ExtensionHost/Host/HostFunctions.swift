internal import ExtensionBundles
public import ExtensionMessages
internal import ExtensionSandbox
internal import Foundation

extension AppExtensionHost {
  /// Executes a call of an app or a command.
  ///
  /// Any process of the user may ask about any extension, and may state who signed what it
  /// installs. In Safari an app reaches only its own extension, but here an app is an ordinary
  /// program, and anything that runs as the user can change the host's files anyway. An extension's
  /// process cannot connect: no sandbox allows path-named sockets.
  public nonisolated func reply(to call: HostCall) async -> Result<MessageValue, ErrorReport> {
    do throws(ErrorReport) {
      return .success(try await value(of: call))
    } catch {
      return .failure(error)
    }
  }

  /// The functions that an extension may call during a request, on itself and on its developer's
  /// other extensions.
  private static let extensionFunctions: [HostCall.Function] = [
    .reloadContentBlocker, .stateOfContentBlocker, .stateOfExtension, .dispatchMessage,
    .showPreferences,
  ]

  /// Executes a call that an extension makes during a request.
  ///
  /// Another developer's extension is reported as not installed.
  func reply(
    to call: HostCall,
    from bundle: InstalledBundle
  ) async -> Result<MessageValue, ErrorReport> {
    let own = bundle.identifier
    guard Self.extensionFunctions.contains(call.function) else {
      log.add("the call of \(call.function.name) was refused", by: .host, of: own)
      return .failure(HostError(.refused, "extensions cannot call \(call.function.name)").report)
    }
    do throws(ErrorReport) {
      // Whatever the function, it is about one extension.
      let target = try ShowPreferences.read(call).identifier
      guard mayReach(target, from: bundle) else {
        log.add(
          "the call of \(call.function.name) for another developer's extension, or for one that is "
            + "not there, was refused",
          by: .host,
          of: own
        )
        throw .notInstalled(target)
      }
      switch call.function {
      case .reloadContentBlocker where target == own:
        // The reload would wait for itself.
        throw HostError(.refused, "\(own) is being loaded and cannot be reloaded").report
      case .dispatchMessage:
        let message = try DispatchMessage.read(call)
        try dispatchMessage(
          message.name,
          userInfo: message.userInfo ?? .null,
          to: target,
          from: own
        )
        return .success(.null)
      default: return .success(try await value(of: call))
      }
    } catch {
      // The cause may involve others, so only the user is told.
      guard
        error.domain != HostError.domain || error.code == HostError.Code.badArgument.number
          || call.arguments["identifier"]?.string == own
      else { return .failure(.loadingInterrupted("the extension cannot be started")) }
      return .failure(error)
    }
  }

  private nonisolated func value(of call: HostCall) async throws(ErrorReport) -> MessageValue {
    guard let function = HostedFunctions.all[call.function] else {
      throw HostError(.refused, "the host has no function \(call.function.name)").report
    }
    return try await function.answer(call, on: self)
  }
}

extension Result<ExtensionSummary, ErrorReport> {
  /// The summary in its wire format; for an extension that cannot be read, its name and the reason.
  func description(of identifier: String) -> ExtensionDescription {
    switch self {
    case .success(let summary): return summary.description
    case .failure(let error):
      var description = ExtensionDescription(identifier: identifier, name: identifier, isOn: false)
      description.isUnreadable = true
      description.lastError = ExtensionDescription.Failure(
        domain: error.domain,
        code: error.code,
        message: error.description,
        date: MessageDate(seconds: Date().timeIntervalSince1970)
      )
      return description
    }
  }
}

extension ExtensionSummary {
  /// The summary in its wire format.
  public var description: ExtensionDescription {
    var description = ExtensionDescription(
      identifier: bundle.identifier,
      name: bundle.displayName,
      isOn: state.isOn
    )
    description.kind = bundle.extensionPoint.templateName
    description.version = bundle.version.description
    description.build = bundle.build.description
    description.path = bundle.location.path
    description.allowsNetwork = allowsNetwork
    description.isNetworkGranted = state.isNetworkGranted
    description.hasEntitlements = bundle.entitlements != nil
    description.groups = bundle.entitlements?.groups ?? []
    description.hasListInForce = hasListInForce
    description.isListSetByScript = state.isListSetByScript
    description.sharers = sharers
    description.groupFolders = groupFolders.mapValues(\.path)
    description.limits = limits.map {
      ExtensionDescription.Limit(resource: $0.resource, amount: $0.amount, heldBy: $0.holder)
    }
    if let signer = bundle.signer {
      description.isSigned = !signer.isUnsigned
      description.signer = signer.fingerprint
      description.replacedSigners = signer.replaced
    }
    description.previousVersion = bundle.previousVersion?.description
    description.walls = walls
    description.wallsOfLastStart = walls.flatMap { _ in state.walls }
    description.listDate = (state.listDate?.timeIntervalSince1970).map(MessageDate.init(seconds:))
    description.lastError = state.lastError.map { error in
      ExtensionDescription.Failure(
        domain: error.domain,
        code: error.code,
        message: error.message,
        date: MessageDate(seconds: error.date.timeIntervalSince1970),
        place: error.place
      )
    }
    return description
  }
}
