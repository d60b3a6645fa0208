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
      let target = try Arguments(call).string("identifier")
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
        try dispatchMessage(
          Arguments(call).string("name"),
          userInfo: call.arguments["userInfo"] ?? .null,
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
    let arguments = Arguments(call)
    if call.function == .listExtensions {
      return .array(try await listed().map { $0.found.value(of: $0.identifier) })
    }
    if call.function == .installExtension {
      let bundle = try await install(
        URL(filePath: arguments.string("path"), directoryHint: .isDirectory),
        signedBy: arguments.signer(),
        onlyNewer: arguments.isTrue("onlyNewer"),
        consent: arguments.consent
      )
      return try await summary(of: bundle.identifier).value
    }
    if call.function == .forgetGroup {
      try await forgetGroup(
        arguments.string("group"),
        isUnsigned: arguments.isTrue("isUnsigned")
      )
      return .null
    }
    let identifier = try arguments.string("identifier")
    switch call.function {
    case .reloadContentBlocker: try await reload(identifier)
    case .stateOfContentBlocker: return .bool(try await isOn(identifier, point: .contentBlocker))
    case .stateOfExtension: return .bool(try await isOn(identifier))
    case .dispatchMessage:
      try await dispatchMessage(
        arguments.string("name"),
        userInfo: call.arguments["userInfo"] ?? .null,
        to: identifier
      )
    case .showPreferences:
      _ = try await summary(of: identifier)
      throw .internalError(
        "\(identifier) has no settings that could be shown; turn it on or off with: "
          + "tickbird extensions on|off \(identifier)"
      )
    case .describeExtension: return try await summary(of: identifier).value
    case .goBackExtension:
      try await goBack(identifier, consent: arguments.consent)
      return try await summary(of: identifier).value
    case .removeExtension: try await remove(identifier)
    case .clearExtension: try await clear(identifier, groups: arguments.isTrue("groups"))
    case .turnOnExtension: try await turnOn(identifier)
    case .turnOffExtension: try await turnOff(identifier)
    case .grantNetwork:
      try await setNetworkGranted(arguments.isTrue("isGranted"), to: identifier)
    case .logOfExtension: return .string(try await logText(of: identifier))
    case .sendMessage:
      return try await ask(
        call.arguments["message"] ?? .null,
        of: identifier,
        profile: call.arguments["profile"]
      )
    case .nextMessage: return try await nextMessage(for: identifier) ?? .null
    case .setContentBlocker:
      try await setContentBlocker(call.arguments["rules"] ?? .null, of: identifier)
    case .sharedLinks: return .array(try await sharedLinks(of: identifier).map(\.value))
    case .addNotes:
      try await addNotes(
        (call.arguments["notes"]?.array ?? []).compactMap(\.string),
        to: identifier
      )
    default:
      throw HostError(.refused, "the host has no function \(call.function.name)").report
    }
    return .null
  }
}

/// The arguments of a call, with errors that name them.
private struct Arguments {
  private let call: HostCall

  init(_ call: HostCall) {
    self.call = call
  }

  func string(_ name: String) throws(ErrorReport) -> String {
    guard let text = call.arguments[name]?.string else {
      throw HostError(
        .badArgument,
        "\(call.function.name) needs the string \"\(name)\""
      ).report
    }
    return text
  }

  func isTrue(_ name: String) -> Bool { call.arguments[name] == .bool(true) }

  /// The user's consent to an installation.
  var consent: InstallConsent {
    InstallConsent(
      replacesSigned: isTrue("replacesSigned"),
      sharesGroups: isTrue("sharesGroups")
    )
  }

  /// Returns the signer named by the caller; unsigned if none is named.
  func signer() throws(ErrorReport) -> Signer {
    guard call.arguments["signer"] != nil else { return .unsigned }
    let replaced = (call.arguments["replacedSigners"]?.array ?? []).map { $0.string ?? "" }
    let fingerprint = try string("signer")
    do throws(HostError) {
      return try Signer(fingerprint: fingerprint, replaced: replaced)
    } catch {
      throw error.report
    }
  }
}

extension Result<ExtensionSummary, ErrorReport> {
  /// The summary in its wire format; for an extension that cannot be read, its name and the reason.
  fileprivate func value(of identifier: String) -> MessageValue {
    switch self {
    case .success(let summary): summary.value
    case .failure(let error):
      .dictionary([
        "identifier": .string(identifier), "name": .string(identifier), "isOn": .bool(false),
        "isUnreadable": .bool(true),
        "lastError": .dictionary([
          "domain": .string(error.domain), "code": .integer(error.code),
          "message": .string(error.description),
          "date": .date(Date().timeIntervalSince1970),
        ]),
      ])
    }
  }
}

extension ExtensionSummary {
  /// The summary in its wire format.
  public var value: MessageValue {
    var members: [String: MessageValue] = [
      "identifier": .string(bundle.identifier),
      "name": .string(bundle.displayName),
      "kind": .string(bundle.extensionPoint.templateName),
      "version": .string(bundle.version.description),
      "build": .string(bundle.build.description),
      "path": .string(bundle.location.path),
      "isOn": .bool(state.isOn),
      "allowsNetwork": .bool(allowsNetwork),
      "isNetworkGranted": .bool(state.isNetworkGranted),
      "hasEntitlements": .bool(bundle.entitlements != nil),
      "groups": .array((bundle.entitlements?.groups ?? []).map(MessageValue.string)),
      "hasListInForce": .bool(hasListInForce),
      "isListSetByScript": .bool(state.isListSetByScript),
      "sharers": .dictionary(sharers.mapValues { .array($0.map(MessageValue.string)) }),
    ]
    members["limits"] = .array(
      limits.map {
        .dictionary([
          "resource": .string($0.resource), "amount": .string($0.amount),
          "heldBy": .string($0.holder),
        ])
      }
    )
    if let signer = bundle.signer {
      members["isSigned"] = .bool(!signer.isUnsigned)
      members["signer"] = signer.fingerprint.map(MessageValue.string)
      members["replacedSigners"] = .array(signer.replaced.map(MessageValue.string))
    }
    members["previousVersion"] = (bundle.previousVersion?.description).map(MessageValue.string)
    members["walls"] = walls.map(MessageValue.string)
    members["wallsOfLastStart"] = walls.flatMap { _ in state.walls }.map(MessageValue.string)
    members["listDate"] = (state.listDate?.timeIntervalSince1970).map(MessageValue.date)
    if let error = state.lastError {
      var failure: [String: MessageValue] = [
        "domain": .string(error.domain), "code": .integer(error.code),
        "message": .string(error.message), "date": .date(error.date.timeIntervalSince1970),
      ]
      failure["place"] = error.place.map(MessageValue.string)
      members["lastError"] = .dictionary(failure)
    }
    return .dictionary(members)
  }
}
