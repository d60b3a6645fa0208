internal import BrowserPipe

/// Finds where the documents of frames are on a page.
struct FramePlaces {
  /// A frame's document on the page, in the page's pixels.
  struct Place: Equatable {
    /// The place of the upper left corner of what the document shows as it is scrolled.
    var x: Int
    var y: Int
    /// The part of the page where the document can be seen.
    var columns: Range<Int>
    var rows: Range<Int>

    /// Returns the part of a rectangle of the document that can be seen, as one of the page; `nil` if
    /// there is none.
    func box(rule: Int, x: Int, y: Int, width: Int, height: Int) -> PageVisit.Box? {
      let columns = Self.range(self.x, x, width).clamped(to: columns)
      let rows = Self.range(self.y, y, height).clamped(to: rows)
      guard !columns.isEmpty, !rows.isEmpty else { return nil }
      return PageVisit.Box(
        rule: rule,
        x: columns.lowerBound,
        y: rows.lowerBound,
        width: columns.count,
        height: rows.count
      )
    }

    /// Returns the place of what is within it.
    func inner(x: Int, y: Int, width: Int, height: Int) -> Place {
      Place(
        x: Self.sum(self.x, x),
        y: Self.sum(self.y, y),
        columns: Self.range(self.x, x, width).clamped(to: columns),
        rows: Self.range(self.y, y, height).clamped(to: rows)
      )
    }

    /// The left, upper, right and lower edge of what can be seen, as places of the document.
    var edges: [Int] {
      [columns.lowerBound - x, rows.lowerBound - y, columns.upperBound - x, rows.upperBound - y]
    }

    /// Pages place elements wherever they want; further away than this, none is seen.
    private static let limit = 1 << 30

    private static func sum(_ a: Int, _ b: Int) -> Int {
      min(max(a, -limit), limit) + min(max(b, -limit), limit)
    }

    private static func range(_ start: Int, _ offset: Int, _ length: Int) -> Range<Int> {
      let start = sum(start, offset)
      return start..<max(start, sum(start, length))
    }
  }

  /// A frame, and the session of the document with its element.
  struct Owner: Equatable {
    var frame: String
    var session: String
  }

  private let browser: DevToolsConnection
  private let page: Place

  /// Begins with a page as it is scrolled now.
  ///
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  init(browser: DevToolsConnection, session: String) throws(BrowserFailure) {
    self.browser = browser
    let metrics = try browser.call("Page.getLayoutMetrics", session: session)
    let view = metrics["cssLayoutViewport"]?.object
    page = Place(
      x: Int(clamping: view?["pageX"]?.number ?? 0),
      y: Int(clamping: view?["pageY"]?.number ?? 0),
      columns: 0..<BrowserVisit.width,
      rows: 0..<BrowserVisit.pictureHeight
    )
  }

  /// Returns where a frame's document is.
  ///
  /// - Parameter owners: The frames in which it is, the page's own first, each in a session of its own;
  ///   empty for the page.
  /// - Returns: The place; `nil` if the frame is not shown, or has gone away meanwhile.
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  func place(of owners: [Owner]) throws(BrowserFailure) -> Place? {
    var place = page
    do throws(BrowserFailure) {
      for owner in owners {
        let element = try browser.call(
          "DOM.getFrameOwner",
          ["frameId": .string(owner.frame)],
          session: owner.session
        )
        let answer = try browser.call(
          "DOM.getBoxModel",
          ["backendNodeId": element["backendNodeId"] ?? 0],
          session: owner.session
        )
        let model = answer["model"]?.object
        let corners = (model?["content"]?.array ?? []).compactMap {
          $0.number.map { Int(clamping: $0) }
        }
        guard corners.count == 8 else { return nil }
        place = place.inner(
          x: corners[0],
          y: corners[1],
          width: corners[4].subtractingReportingOverflow(corners[0]).partialValue,
          height: corners[5].subtractingReportingOverflow(corners[1]).partialValue
        )
      }
    } catch {
      guard error.code == .refused else { throw error }
      return nil
    }
    return place
  }
}
