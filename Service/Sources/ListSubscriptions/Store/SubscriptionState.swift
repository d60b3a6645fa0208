internal import Foundation

/// What `State.json` has: all subscriptions.
///
/// The list of the user's own rules is marked, so that the place of its file is that in the folder which has
/// the state, wherever that is by now. The path beside is for versions that know no mark.
struct SubscriptionState: Codable {
  static let version = 1

  /// What every version writes, and what is read before anything else.
  private struct Form: Decodable { var version: Int }

  private var version = Self.version
  private var subscriptions: [Subscription]

  /// Reads subscriptions.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - store: The store that has it.
  ///   - place: The file, for errors.
  /// - Returns: The subscriptions, with the place of the user's own rules in this store.
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`.
  static func read(
    _ bytes: [UInt8],
    of store: SubscriptionStore,
    at place: String
  ) throws(SubscriptionError) -> [Subscription] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let data = Data(bytes)
    // Another version may have other keys, which damage nothing.
    if let form = try? decoder.decode(Form.self, from: data), form.version != version {
      throw SubscriptionError(
        .stateUnusable,
        "\(place) was written by a later version of Tickbird; install that version again"
      )
    }
    guard let state = try? decoder.decode(Self.self, from: data) else {
      let others = (["it"] + store.placesOfLists).joined(separator: " and ")
      throw SubscriptionError(
        .stateUnusable,
        "\(place) is damaged; put back a copy, or move \(others) away and add the lists again"
      )
    }
    return placed(state.subscriptions, in: store.ownFile.path)
  }

  /// The file's contents.
  static func bytes(
    _ subscriptions: [Subscription],
    of store: SubscriptionStore
  ) throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let marked = subscriptions.map { subscription in
      guard store.isOwn(subscription.source) else { return subscription }
      var own = subscription
      own.isOwn = true
      return own
    }
    return try encoder.encode(Self(subscriptions: marked))
  }

  /// Gives the list of the user's own rules the place that their file has now.
  private static func placed(_ subscriptions: [Subscription], in own: String) -> [Subscription] {
    // Versions before had no mark, and the data folder may have been elsewhere.
    let older = subscriptions.firstIndex {
      guard case .file(let path) = $0.source else { return false }
      return $0.id.hasPrefix(OwnRules.id) && path.hasSuffix("/Subscriptions/Own/rules.txt")
    }
    let isKnown = subscriptions.contains { $0.isOwn == true || $0.source == .file(own) }
    return subscriptions.enumerated().map { index, subscription in
      let isOwn = subscription.isOwn == true || !isKnown && index == older
      return isOwn ? subscription.moved(to: own) : subscription
    }
  }
}

extension Subscription {
  /// The same list of a file that has another path.
  fileprivate func moved(to path: String) -> Subscription {
    var moved = self
    if fetchedFrom == source.text { moved.fetchedFrom = path }
    moved.source = .file(path)
    return moved
  }
}
