internal import ExtensionBundles
internal import ExtensionMessages
internal import Foundation

/// A call that the host answers.
protocol HostedFunction: HostFunction {
  /// Does what is asked.
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply
}

/// The calls that the host answers.
enum HostedFunctions {
  /// All of them, by name.
  static let all: [HostCall.Function: any HostedFunction.Type] = {
    let types: [any HostedFunction.Type] = [
      ReloadContentBlocker.self, StateOfContentBlocker.self, StateOfExtension.self,
      DispatchMessage.self, ShowPreferences.self, ListExtensions.self, DescribeExtension.self,
      InstallExtension.self, GoBackExtension.self, RemoveExtension.self, ClearExtension.self,
      ForgetGroup.self, DescribeGroup.self, SetGroupValue.self, SetGroupFile.self,
      TurnOnExtension.self, TurnOffExtension.self, GrantNetwork.self,
      LogOfExtension.self, SendMessage.self, NextMessage.self, SetContentBlocker.self,
      AskForLinks.self, AddNotes.self, OpenSession.self, SendEvent.self, NextFromHandler.self,
      HandOver.self,
    ]
    var all: [HostCall.Function: any HostedFunction.Type] = [:]
    for type in types { all[type.function] = type }
    return all
  }()
}

extension HostedFunction {
  /// The arguments of a call.
  ///
  /// - Throws: `ErrorReport` of ``HostError`` with code `.badArgument`.
  static func read(_ call: HostCall) throws(ErrorReport) -> Self {
    do throws(ExtensionMessageError) {
      return try Self(call)
    } catch {
      throw HostError(.badArgument, error.message).report
    }
  }

  /// Reads a call, does what it asks for, and gives the reply as it travels.
  static func answer(
    _ call: HostCall,
    on host: AppExtensionHost
  ) async throws(ErrorReport) -> MessageValue {
    let reply = try await read(call).run(on: host)
    do throws(ExtensionMessageError) {
      return try MessageValue(encoding: reply)
    } catch {
      throw .internalError("the reply to \(function.name) cannot be sent: \(error.message)")
    }
  }
}

extension ReloadContentBlocker: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.reload(identifier)
    return Done()
  }
}

extension StateOfContentBlocker: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.isOn(identifier, point: .contentBlocker)
  }
}

extension StateOfExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.isOn(identifier)
  }
}

extension DispatchMessage: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.dispatchMessage(name, userInfo: userInfo ?? .null, to: identifier)
    return Done()
  }
}

extension ShowPreferences: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    _ = try await host.summary(of: identifier)
    throw .internalError(
      "\(identifier) has no settings that could be shown; turn it on or off with: "
        + "tickbird extensions on|off \(identifier)"
    )
  }
}

extension ListExtensions: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.listed().map { $0.found.description(of: $0.identifier) }
  }
}

extension DescribeExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.summary(of: identifier).description
  }
}

extension InstallExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    let bundle = try await host.install(
      URL(filePath: path, directoryHint: .isDirectory),
      signedBy: try signerOfBundle(),
      onlyNewer: onlyNewer ?? false,
      consent: InstallConsent(
        replacesSigned: replacesSigned ?? false,
        sharesGroups: sharesGroups ?? false,
        keepsData: keepsData ?? false
      )
    )
    return try await host.summary(of: bundle.identifier).description
  }

  /// Who signed, as whoever installs says; nobody where that is not said.
  private func signerOfBundle() throws(ErrorReport) -> Signer {
    guard let signer else { return .unsigned }
    do throws(HostError) {
      return try Signer(fingerprint: signer, replaced: replacedSigners ?? [])
    } catch {
      throw error.report
    }
  }
}

extension GoBackExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    let consent = InstallConsent(replacesSigned: replacesSigned ?? false, sharesGroups: false)
    try await host.goBack(identifier, consent: consent)
    return try await host.summary(of: identifier).description
  }
}

extension RemoveExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.remove(identifier)
    return Done()
  }
}

extension ClearExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.clear(identifier, groups: groups ?? false)
    return Done()
  }
}

extension ForgetGroup: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.forgetGroup(group, isUnsigned: isUnsigned ?? false)
    return Done()
  }
}

extension DescribeGroup: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.describeGroup(group, of: identifier)
  }
}

extension SetGroupValue: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.setGroupValue(value, for: key, in: group, of: identifier)
    return Done()
  }
}

extension SetGroupFile: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.setGroupFile(
      name,
      to: source.map { URL(filePath: $0) },
      in: group,
      of: identifier
    )
    return Done()
  }
}

extension TurnOnExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.turnOn(identifier)
    return Done()
  }
}

extension TurnOffExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.turnOff(identifier)
    return Done()
  }
}

extension GrantNetwork: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.setNetworkGranted(isGranted ?? false, to: identifier)
    return Done()
  }
}

extension LogOfExtension: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.logText(of: identifier)
  }
}

extension SendMessage: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.ask(message ?? .null, of: identifier, profile: profile, owner: owner)
  }
}

extension NextMessage: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.nextMessage(for: identifier, owner: owner)
  }
}

extension SetContentBlocker: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.setContentBlocker(rules ?? .null, of: identifier, owner: owner)
    return Done()
  }
}

extension AskForLinks: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.sharedLinks(of: identifier)
  }
}

extension OpenSession: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.openSession(of: identifier, owner: owner)
  }
}

extension SendEvent: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.send(event, to: session)
    return Done()
  }
}

extension NextFromHandler: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.nextFromHandler(session)
  }
}

extension HandOver: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    guard let makeWay = await host.makeWay else {
      throw HostError(.refused, "the service runs already").report
    }
    makeWay()
    return Done()
  }
}

extension AddNotes: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    try await host.addNotes(notes ?? [], to: identifier)
    return Done()
  }
}
