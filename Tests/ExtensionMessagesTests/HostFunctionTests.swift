import ExtensionMessages
import Testing

/// Calls of the host as types, and as they travel.
@Suite("Calls of the host")
struct HostFunctionTests {
  /// A call, its name, and its arguments as JSON-like text with the keys in order.
  static let calls: [(call: any HostFunction, name: String, arguments: MessageValue)] = {
    let id = ["identifier": .string("a.b")] as MessageValue
    func and(_ members: [String: MessageValue]) -> MessageValue {
      .dictionary((id.dictionary ?? [:]).merging(members) { $1 })
    }
    return [
      (ReloadContentBlocker(identifier: "a.b"), "reloadContentBlocker", id),
      (StateOfContentBlocker(identifier: "a.b"), "stateOfContentBlocker", id),
      (StateOfExtension(identifier: "a.b"), "stateOfExtension", id),
      (
        DispatchMessage(identifier: "a.b", name: "n", userInfo: .null), "dispatchMessage",
        and(["name": .string("n"), "userInfo": .null])
      ),
      (ShowPreferences(identifier: "a.b"), "showPreferences", id),
      (ListExtensions(), "listExtensions", [:]),
      (DescribeExtension(identifier: "a.b"), "describeExtension", id),
      (InstallExtension(path: "/x"), "installExtension", ["path": .string("/x")]),
      (
        InstallExtension(
          path: "/x",
          onlyNewer: true,
          signer: "s",
          replacedSigners: ["r"],
          replacesSigned: false,
          sharesGroups: true
        ), "installExtension",
        [
          "path": .string("/x"), "onlyNewer": .bool(true), "signer": .string("s"),
          "replacedSigners": .array([.string("r")]), "replacesSigned": .bool(false),
          "sharesGroups": .bool(true),
        ]
      ),
      (
        GoBackExtension(identifier: "a.b", replacesSigned: true), "goBackExtension",
        and(["replacesSigned": .bool(true)])
      ),
      (RemoveExtension(identifier: "a.b"), "removeExtension", id),
      (
        ClearExtension(identifier: "a.b", groups: true), "clearExtension",
        and(["groups": .bool(true)])
      ),
      (
        ForgetGroup(group: "g", isUnsigned: true), "forgetGroup",
        ["group": .string("g"), "isUnsigned": .bool(true)]
      ),
      (
        DescribeGroup(identifier: "a.b", group: "g"), "describeGroup",
        and(["group": .string("g")])
      ),
      (
        SetGroupValue(identifier: "a.b", key: "k", value: .array([])), "setGroupValue",
        and(["key": .string("k"), "value": .array([])])
      ),
      (
        SetGroupFile(identifier: "a.b", group: "g", name: "n", source: "/s"), "setGroupFile",
        and(["group": .string("g"), "name": .string("n"), "source": .string("/s")])
      ),
      (TurnOnExtension(identifier: "a.b"), "turnOnExtension", id),
      (TurnOffExtension(identifier: "a.b"), "turnOffExtension", id),
      (
        GrantNetwork(identifier: "a.b", isGranted: false), "grantNetwork",
        and(["isGranted": .bool(false)])
      ),
      (LogOfExtension(identifier: "a.b"), "logOfExtension", id),
      (
        SendMessage(identifier: "a.b", message: ["k": .date(1)], profile: .uuid(high: 1, low: 2)),
        "sendMessage", and(["message": ["k": .date(1)], "profile": .uuid(high: 1, low: 2)])
      ),
      (NextMessage(identifier: "a.b"), "nextMessage", id),
      (
        SetContentBlocker(identifier: "a.b", rules: .null), "setContentBlocker",
        and(["rules": .null])
      ),
      (AskForLinks(identifier: "a.b"), "sharedLinks", id),
      (
        AddNotes(identifier: "a.b", notes: ["n", ""]), "addNotes",
        and(["notes": .array([.string("n"), .string("")])])
      ),
    ]
  }()

  private func travelled<Call: HostFunction>(_ call: Call) throws -> (HostCall, Call) {
    let travelling = try HostCall(id: 7, call)
    return (travelling, try Call(travelling))
  }

  @Test("Each travels under its name with its arguments, and is read again", arguments: 0..<25)
  func calls(number: Int) throws {
    #expect(Self.calls.count == 25)
    let (call, name, arguments) = Self.calls[number]
    func check(_ call: some HostFunction) throws {
      let (travelling, read) = try travelled(call)
      #expect(travelling.id == 7)
      #expect(travelling.function == HostCall.Function(name: name))
      #expect(MessageValue.dictionary(travelling.arguments) == arguments)
      #expect(try HostCall(id: 7, read).arguments == travelling.arguments)
    }
    try check(call)
  }

  @Test("A wrong argument is named, with the kind that it should be of")
  func wrongArguments() throws {
    func message<Call: HostFunction>(
      _: Call.Type,
      _ arguments: [String: MessageValue]
    ) throws -> String {
      let call = HostCall(id: 1, function: Call.function, arguments: arguments)
      return try #require(throws: ExtensionMessageError.self) { try Call(call) }.message
    }
    #expect(
      try message(TurnOnExtension.self, [:]) == "turnOnExtension needs the string \"identifier\""
    )
    #expect(
      try message(TurnOnExtension.self, ["identifier": .integer(1)])
        == "turnOnExtension needs the string \"identifier\""
    )
    #expect(
      try message(InstallExtension.self, ["path": .string("/x"), "onlyNewer": .string("yes")])
        == "installExtension needs the bool \"onlyNewer\""
    )
    #expect(
      try message(
        InstallExtension.self,
        ["path": .string("/x"), "replacedSigners": .array([.string("a"), .null])]
      ) == "installExtension needs the string \"replacedSigners.1\""
    )
  }

  /// The arguments that may be absent, each with a value of its type; a profile may be of any.
  @Test(
    "An optional argument that is null or of another type is refused, not taken for absent",
    arguments: [
      ("onlyNewer", .bool(true)), ("signer", .string("s")), ("replacedSigners", .array([])),
      ("replacesSigned", .bool(true)), ("sharesGroups", .bool(true)),
    ] as [(String, MessageValue)]
  )
  func optionalArguments(name: String, right: MessageValue) throws {
    func read(_ value: MessageValue?) throws -> InstallExtension {
      var arguments: [String: MessageValue] = ["path": .string("/x")]
      arguments[name] = value
      return try InstallExtension(
        HostCall(id: 1, function: .installExtension, arguments: arguments)
      )
    }
    #expect(try read(nil) == InstallExtension(path: "/x"))
    #expect(try HostCall(id: 1, read(right)).arguments[name] == right)
    for wrong in [.null, .integer(1)] as [MessageValue] {
      let error = try #require(throws: ExtensionMessageError.self) { try read(wrong) }
      #expect(error.message.hasPrefix("installExtension needs the "))
      #expect(error.message.hasSuffix(" \"\(name)\""))
    }
  }

  @Test("What a later version says in addition is ignored")
  func unknownKeys() throws {
    let call = HostCall(
      id: 1,
      function: .turnOnExtension,
      arguments: ["identifier": .string("a"), "color": .string("red")]
    )
    #expect(try TurnOnExtension(call) == TurnOnExtension(identifier: "a"))
  }

  @Test("Replies are read as what they are")
  func replies() throws {
    #expect(try StateOfExtension.reply(.bool(true)))
    #expect(try TurnOnExtension.reply(.string("later")) == Done())
    #expect(try MessageValue(encoding: Done()) == .null)
    #expect(try NextMessage.reply(.null) == nil)
    #expect(
      try NextMessage.reply(["name": .string("n"), "userInfo": .null])
        == ScriptMessage(name: "n", userInfo: .null)
    )
    #expect(try SendMessage.reply(["a": .data([1])]) == ["a": .data([1])])
    let item = ExtensionItem(userInfo: ["a": .integer(1)], title: "t")
    #expect(try AskForLinks.reply(.array([item.value])) == [item])
    for (reply, words) in [
      (MessageValue.null, "is no array"), (.array([[:]]), "needs the string \"0.identifier\""),
      (.array([["identifier": .string("a"), "name": .string("b")]]), "needs the bool \"0.isOn\""),
    ] {
      let error = try #require(throws: ErrorReport.self) { try ListExtensions.reply(reply) }
      #expect(error.code == RuntimeFault.badReply.rawValue)
      #expect(error.description.contains("the reply to listExtensions \(words)"))
    }
  }

  @Test("A description travels with its names, and what is absent is left out")
  func descriptions() throws {
    var full = ExtensionDescription(identifier: "a.b", name: "A", isOn: true)
    let least: MessageValue = [
      "identifier": .string("a.b"), "name": .string("A"), "isOn": .bool(true),
    ]
    #expect(try MessageValue(encoding: full) == least)
    #expect(try DescribeExtension.reply(least) == full)
    full.isUnreadable = false
    full.kind = "k"
    full.version = "1"
    full.build = "2"
    full.path = "/p"
    full.allowsNetwork = true
    full.isNetworkGranted = false
    full.hasEntitlements = true
    full.groups = ["g"]
    full.sharers = ["g": ["c.d"]]
    full.groupFolders = ["g": "/g"]
    full.hasListInForce = true
    full.isListSetByScript = false
    full.listDate = MessageDate(seconds: 1.5)
    full.limits = [ExtensionDescription.Limit(resource: "r", amount: "a", heldBy: "h")]
    full.isSigned = true
    full.signer = "s"
    full.replacedSigners = []
    full.previousVersion = "0"
    full.walls = "w"
    full.wallsOfLastStart = "l"
    full.lastError = ExtensionDescription.Failure(
      domain: "d",
      code: -1,
      message: "m",
      date: MessageDate(seconds: 2),
      place: "p"
    )
    let value: MessageValue = [
      "identifier": .string("a.b"), "name": .string("A"), "isOn": .bool(true),
      "isUnreadable": .bool(false), "kind": .string("k"), "version": .string("1"),
      "build": .string("2"), "path": .string("/p"), "allowsNetwork": .bool(true),
      "isNetworkGranted": .bool(false), "hasEntitlements": .bool(true),
      "groups": .array([.string("g")]), "sharers": ["g": .array([.string("c.d")])],
      "groupFolders": ["g": .string("/g")],
      "hasListInForce": .bool(true), "isListSetByScript": .bool(false), "listDate": .date(1.5),
      "limits": .array([
        ["resource": .string("r"), "amount": .string("a"), "heldBy": .string("h")]
      ]),
      "isSigned": .bool(true), "signer": .string("s"), "replacedSigners": .array([]),
      "previousVersion": .string("0"), "walls": .string("w"), "wallsOfLastStart": .string("l"),
      "lastError": [
        "domain": .string("d"), "code": .integer(-1), "message": .string("m"), "date": .date(2),
        "place": .string("p"),
      ],
    ]
    #expect(try MessageValue(encoding: full) == value)
    #expect(try DescribeExtension.reply(value) == full)
    var wrong = value.dictionary ?? [:]
    wrong["lastError"] = ["domain": .string("d"), "code": .string("x")]
    let error = try #require(throws: ErrorReport.self) {
      try DescribeExtension.reply(.dictionary(wrong))
    }
    #expect(error.description.contains("needs the integer \"lastError.code\""))
  }

  @Test("Numbers that do not fit are refused")
  func numbers() throws {
    struct Number<Value: Codable & Equatable>: Codable, Equatable {
      var value: Value
    }
    #expect(try MessageValue(encoding: Number(value: UInt8(255))) == ["value": .integer(255)])
    #expect(try MessageValue(encoding: Number(value: 0.5)) == ["value": .double(0.5)])
    #expect(throws: ExtensionMessageError.self) {
      try MessageValue(encoding: Number(value: UInt64.max))
    }
    let value: MessageValue = ["value": .integer(256)]
    #expect(throws: ExtensionMessageError.self) { try value.decoded(as: Number<UInt8>.self) }
    #expect(try value.decoded(as: Number<Int>.self).value == 256)
    #expect(throws: ExtensionMessageError.self) { try value.decoded(as: Number<Double>.self) }
    #expect(try MessageValue(encoding: Number(value: Float(0.5))) == ["value": .double(0.5)])
    let half: MessageValue = ["value": .double(0.5)]
    #expect(try half.decoded(as: Number<Float>.self).value == 0.5)
    #expect(throws: ExtensionMessageError.self) { try value.decoded(as: Number<Float>.self) }
    let error = try #require(throws: ExtensionMessageError.self) {
      try half.decoded(as: Number<MessageDate>.self)
    }
    #expect(error.message.hasPrefix("needs another \"value\": "))
  }
}
