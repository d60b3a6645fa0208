internal import CLibrary
public import NIOCore
internal import Synchronization

/// Keeps a server on loopback reachable for its user, whatever other programs of the machine do with
/// their connections.
///
/// Everybody on the machine can connect. Another user has few connections; where all are taken, the
/// one that has waited the longest makes room, those first that never asked for anything. Whoever
/// takes too long to ask, or to send what was begun, is disconnected.
public final class ConnectionLimits: Sendable {
  /// How many connections there are, and how long they may take.
  public struct Bounds: Sendable {
    /// All connections.
    public var total = 256
    /// Those of one other user.
    public var perOtherUser = 16
    /// Those of all other users.
    public var otherUsers = 64
    /// Until the header of the first request is there.
    public var header = TimeAmount.seconds(10)
    /// Until a request is there with its body, and an answer begins.
    public var request = TimeAmount.seconds(120)
    /// Until the next request.
    public var idle = TimeAmount.seconds(30)

    /// The usual bounds.
    public init() {}
  }

  /// What a connection is doing, by how little is lost where it is closed.
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

  /// Makes limits for one server.
  public convenience init(_ bounds: Bounds = Bounds()) {
    self.init(bounds, ownUser: getuid()) {
      PeerOwner.user(remote: $0.remoteAddress, local: $0.localAddress)
    }
  }

  /// Makes limits with another way to find whose a connection is.
  init(
    _ bounds: Bounds,
    ownUser: UInt32,
    owner: @escaping @Sendable (any Channel) -> UInt32?
  ) {
    self.bounds = bounds
    self.ownUser = ownUser
    self.owner = owner
  }

  /// The handler of one connection.
  public func handler() -> any RemovableChannelHandler { ConnectionHandler(self) }

  /// How many connections are open.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Takes a connection in, and closes the one that has to make room, which may be the new one.
  func add(_ channel: any Channel) {
    // The table of sockets is read where it matters.
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

  /// The connection that is one too many.
  private func crowded(_ state: State) -> ObjectIdentifier? {
    /// One that came just now has had no time to ask.
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

/// Watches one connection from behind the reading of HTTP: what comes in is a whole header, or a part
/// of a body.
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
    // The first part sets the time for all: one after the other in drips gains nothing.
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
