internal import CommandOutput
internal import TextOutput

/// A progress line on standard error, only on a terminal and only for long work.
struct Progress: ~Copyable {
  private let isOn: Bool
  private var isShown = false
  private var next: ContinuousClock.Instant
  private static let clearLine = "\r\u{1B}[K"

  init(after seconds: Double = 1) {
    isOn = Terminal.isTerminal(2)
    next = .now + .seconds(seconds)
  }

  /// Shows the text if enough time has passed.
  mutating func tick(_ text: @autoclosure () -> String) {
    guard isOn, ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(250)
    show(text())
  }

  /// Shows the text now.
  mutating func show(_ text: String) {
    guard isOn else { return }
    isShown = true
    let shown = Shown.shortened(Shown.line(text), to: 76)
    StandardError.write("\(asIs: Self.clearLine)\(asIs: shown)")
  }

  /// Removes the line.
  mutating func end() {
    guard isShown else { return }
    isShown = false
    StandardError.write("\(asIs: Self.clearLine)")
  }
}
