internal import CLibrary
public import NIOCore
internal import Synchronization

/// Keeps a loopback server reachable for its user, whatever other programs do with their
/// connections.
///
/// Everybody on the machine can connect. Other users may have only a few connections. If all are in
/// use, the one that has waited longest is closed, first among those that never sent a request. A
/// client that takes too long to send a request, or the rest of one, is disconnected.
public final class ConnectionLimits: Sendable {
  /// The limits on connections and their timeouts.
  public struct Bounds: Sendable {
    /// Connections in total.
    public var total = 256
    /// Connections of one other user.
    public var perOtherUser = 16
    /// Connections of all other users.
    public var otherUsers = 64
    /// The timeout for the header of the first request.
    public var header = TimeAmount.seconds(10)
    /// The timeout for a complete request and the beginning of its answer.
    public var request = TimeAmount.seconds(120)
    /// The timeout for the next request.
    public var idle = TimeAmount.seconds(30)

    /// Creates the default limits.
    public init() {}
  }

  /// What a connection is doing, ordered by how much is lost by closing it.
  enum Stage: Int, Comparable {
    case silent, answered, asking

    static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  private struct Entry {
    let channel: any Channel
    let user: UInt32?
    let number: Int
    var stage = Stage.silent
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var nextNumber = 0
  }

  let bounds: Bounds
  private let ownUser: UInt32
  private let owner: @Sendable (any Channel) -> UInt32?
  private let state = Mutex(State())

  /// Creates limits for one server.
  public convenience init(_ bounds: Bounds = Bounds()) {
    self.init(bounds, ownUser: getuid()) {
      PeerOwner.user(remote: $0.remoteAddress, local: $0.localAddress)
    }
  }

  /// Creates limits with another way to find a connection's owner.
  init(
    _ bounds: Bounds,
    ownUser: UInt32,
    owner: @escaping @Sendable (any Channel) -> UInt32?
  ) {
    self.bounds = bounds
    self.ownUser = ownUser
    self.owner = owner
  }

  /// Creates the handler of one connection.
  public func handler() -> any RemovableChannelHandler { ConnectionHandler(self) }

  /// The number of open connections.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Adds a connection, and closes the one over the limit, which may be the new one.
  func add(_ channel: any Channel) {
    // The kernel is asked for the owner only when it matters.
    let isCrowded = state.withLock { $0.entries.count >= bounds.perOtherUser }
    let user = isCrowded ? owner(channel) : nil
    let closed = state.withLock { state in
      state.nextNumber += 1
      let number = state.nextNumber
      state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, user: user, number: number)
      guard let key = crowded(state) else { return nil as Entry? }
      return state.entries.removeValue(forKey: key)
    }
    closed?.channel.close(mode: .all, promise: nil)
  }

  /// Returns the connection to close.
  private func crowded(_ state: State) -> ObjectIdentifier? {
    /// A connection that has just been opened had no time to send a request.
    func oldest(sparing count: Int, _ isMeant: (Entry) -> Bool) -> ObjectIdentifier? {
      state.entries.filter { isMeant($0.value) }
        .sorted { $0.value.number < $1.value.number }.dropLast(count)
        .min { ($0.value.stage, $0.value.number) < ($1.value.stage, $1.value.number) }?.key
    }
    let isOther = { (entry: Entry) in
      entry.user.map { $0 != self.ownUser && $0 != 0 } ?? false
    }
    let others = state.entries.values.filter(isOther)
    for user in Set(others.compactMap(\.user))
    where others.count(where: { $0.user == user }) > bounds.perOtherUser {
      return oldest(sparing: bounds.perOtherUser / 4) { $0.user == user }
    }
    if others.count > bounds.otherUsers { return oldest(sparing: bounds.otherUsers / 4, isOther) }
    guard state.entries.count > bounds.total else { return nil }
    return oldest(sparing: 0, isOther) ?? oldest(sparing: bounds.total / 4) { _ in true }
  }

  func set(_ stage: Stage, _ channel: any Channel) {
    state.withLock { $0.entries[ObjectIdentifier(channel)]?.stage = stage }
  }

  func remove(_ channel: any Channel) {
    state.withLock { state in _ = state.entries.removeValue(forKey: ObjectIdentifier(channel)) }
  }
}

/// Watches one connection.
///
/// It comes after the HTTP decoder, so it sees whole headers and parts of bodies.
private final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  private let limits: ConnectionLimits
  private var stage = ConnectionLimits.Stage.silent
  private var deadline: Scheduled<Void>?

  init(_ limits: ConnectionLimits) { self.limits = limits }

  func channelActive(context: ChannelHandlerContext) {
    limits.add(context.channel)
    close(context, in: limits.bounds.header)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    limits.remove(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The first part starts the timeout for all, so that sending in drips gains nothing.
    if stage != .asking {
      move(to: .asking, context)
      close(context, in: limits.bounds.request)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if stage != .answered { move(to: .answered, context) }
    close(context, in: limits.bounds.idle)
    context.write(data, promise: promise)
  }

  private func move(to stage: ConnectionLimits.Stage, _ context: ChannelHandlerContext) {
    self.stage = stage
    limits.set(stage, context.channel)
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(mode: .all, promise: nil) }
  }
}
