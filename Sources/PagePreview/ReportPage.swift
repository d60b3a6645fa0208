internal import CommandOutput

/// The report as an HTML file that needs nothing else: no script, no network.
///
/// Every text of the page and the lists goes through ``HTMLText``, and the policy in the file's head
/// allows nothing but pictures that are in it and its own style sheet.
package struct ReportPage {
  private let report: PreviewReport
  private var html = HTMLText()

  /// The most rows and hiding rules to show; JSON has all of them.
  private static let rowLimit = 5_000
  private static let hidingLimit = 500

  /// Writes the page.
  package init(_ report: PreviewReport) {
    self.report = report
    writeHead()
    writeSummary()
    writePictures()
    writeHidden()
    writeRequests()
    html.markup("</main></body></html>\n")
  }

  /// The file's bytes.
  package var bytes: [UInt8] { Array(html.text.utf8) }

  private mutating func writeHead() {
    html.markup(
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
      <title>
      """
    )
    html.text("Preview of \(report.url)")
    html.markup(
      "</title>\n<style>\n\(ReportStyle.sheet)\n</style></head><body><main>\n<header><h1>"
    )
    html.text(report.title.isEmpty ? "Preview" : report.title, limit: 200)
    html.markup("</h1><p class=\"url\">")
    html.text(report.url, limit: 500)
    html.markup("</p><p>Lists: ")
    for (index, list) in report.lists.enumerated() {
      if index > 0 { html.markup(", ") }
      html.code(list)
    }
    html.markup("</p></header>\n")
  }

  // MARK: Summary

  private mutating func writeSummary() {
    let bytes = report.bytes
    html.markup("<section class=\"cards\" aria-label=\"Summary\">")
    card("Requests", Shown.grouped(report.rows.count), "without the lists and with them")
    card(
      "Blocked",
      Shown.grouped(report.blockedCount),
      report.preventedCount > 0
        ? "\(Shown.grouped(report.preventedCount)) more not requested" : "by the lists"
    )
    card(
      "Data saved",
      Self.size(max(0, bytes.without - bytes.with)),
      "\(Self.size(bytes.with)) instead of \(Self.size(bytes.without))"
    )
    if let without = report.without.seconds, let with = report.with?.seconds {
      card(
        with <= without ? "Time saved" : "Time lost",
        "\(Self.seconds(abs(without - with)))",
        "\(Self.seconds(with)) instead of \(Self.seconds(without)), in one visit each"
      )
    }
    if report.with != nil {
      let count = report.without.matchCounts.values.reduce(0, +)
      card(
        "Hidden",
        Shown.count(count, "element"),
        "by \(Shown.count(report.without.matchCounts.count, "rule"))"
      )
    }
    html.markup("</section>\n")
    let notes = report.notes
    if !notes.isEmpty {
      html.markup("<ul class=\"notes\">")
      for note in notes {
        html.markup("<li>")
        html.text(note)
        html.markup("</li>")
      }
      html.markup("</ul>\n")
    }
  }

  private mutating func card(_ name: String, _ figure: String, _ detail: String) {
    html.markup("<div class=\"card\"><span>")
    html.text(name)
    html.markup("</span><b>")
    html.text(figure)
    html.markup("</b><small>")
    html.text(detail)
    html.markup("</small></div>")
  }

  static func size(_ bytes: Int) -> String {
    if bytes < 1_000 { return "\(bytes) B" }
    for (unit, size) in [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)] where Double(bytes) < size * 999.5 {
      let figure = Double(bytes) / size
      return figure < 9.95
        ? "\((figure * 10).rounded() / 10) \(unit)" : "\(Int(figure.rounded())) \(unit)"
    }
    return "\(Int((Double(bytes) / 1e9).rounded())) GB"
  }

  static func seconds(_ seconds: Double) -> String {
    seconds < 1
      ? "\(Int((seconds * 1_000).rounded())) ms" : "\((seconds * 10).rounded() / 10) s"
  }

  // MARK: Pictures

  private mutating func writePictures() {
    guard let with = report.with else { return }
    html.markup("<section class=\"pictures\" aria-label=\"Pictures\">")
    figure("Without the lists", report.without, showsBoxes: true)
    figure("With the lists", with, showsBoxes: false)
    html.markup("</section>\n")
  }

  private mutating func figure(_ caption: String, _ visit: PageVisit, showsBoxes: Bool) {
    html.markup("<figure><figcaption>")
    html.text(caption)
    if let picture = visit.picture {
      if showsBoxes, !visit.boxes.isEmpty {
        html.markup(" <small>what is hidden has an outline</small>")
      }
      if picture.pageHeight > picture.height {
        html.markup(" <small>")
        html.text(
          "the first \(Shown.grouped(picture.height)) of \(Shown.grouped(picture.pageHeight)) pixels"
        )
        html.markup("</small>")
      }
      html.markup("</figcaption><div class=\"picture\"><img alt=\"")
      html.text("The page \(caption.lowercased())")
      // Base64 has no character that markup has.
      html.markup("\" src=\"data:image/jpeg;base64,\(picture.base64)\">")
      if showsBoxes { for box in visit.boxes { outline(box, picture, visit) } }
      html.markup("</div></figure>")
    } else {
      html.markup("</figcaption><p>No picture.</p></figure>")
    }
  }

  private mutating func outline(
    _ box: PageVisit.Box,
    _ picture: PageVisit.Picture,
    _ visit: PageVisit
  ) {
    let left = max(0, box.x)
    let top = max(0, box.y)
    let width = min(box.width, picture.width - left)
    let height = min(box.height, picture.height - top)
    guard width > 0, height > 0, visit.hiding.indices.contains(box.rule) else { return }
    func percent(_ part: Int, _ whole: Int) -> String {
      let hundredths = part * 10_000 / max(1, whole)
      return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)%"
    }
    html.markup(
      "<i class=\"box\" aria-hidden=\"true\" style=\"left:\(percent(left, picture.width));"
        + "top:\(percent(top, picture.height));width:\(percent(width, picture.width));"
        + "height:\(percent(height, picture.height))\" title=\""
    )
    let rule = visit.hiding[box.rule]
    html.text("\(rule.selector) – rule \(rule.rule.label)", limit: 300)
    html.markup("\">")
    if height >= 30, width >= 60 {
      html.markup("<span>")
      html.text(rule.selector, limit: 60)
      html.markup("</span>")
    }
    html.markup("</i>")
  }

  // MARK: Tables

  private mutating func writeHidden() {
    let hiding = report.without.hiding
    html.markup("<section><h2>Hidden elements</h2>")
    defer { html.markup("</section>\n") }
    guard !hiding.isEmpty else {
      html.markup("<p>The lists hide nothing here.</p>")
      return
    }
    let isCounted = report.with != nil
    let counts = report.without.matchCounts
    let shown = hiding.indices.filter { !isCounted || counts[$0] != nil }
    html.markup("<p>")
    html.text(
      "Rules of the lists that hide on this page: \(Shown.grouped(hiding.count)); "
        + (isCounted
          ? "that find something: \(Shown.grouped(shown.count))."
          : "what they find, a log does not tell.")
    )
    html.markup("</p>")
    guard !shown.isEmpty else { return }
    html.markup(
      "<table><thead><tr><th scope=\"col\">Selector</th><th scope=\"col\" class=\"number\">Elements</th><th scope=\"col\">Rule</th></tr></thead><tbody>"
    )
    for index in shown.prefix(Self.hidingLimit) {
      html.markup("<tr><td>")
      html.code(hiding[index].selector)
      html.markup("</td><td class=\"number\">")
      html.text(isCounted ? Shown.grouped(counts[index] ?? 0) : "–")
      html.markup("</td><td>")
      html.text(hiding[index].rule.label)
      html.markup("</td></tr>")
    }
    html.markup("</tbody></table>")
    if shown.count > Self.hidingLimit {
      html.markup("<p>")
      html.text(
        "And \(Shown.grouped(shown.count - Self.hidingLimit)) more; --format json has all of them."
      )
      html.markup("</p>")
    }
  }

  private mutating func writeRequests() {
    html.markup(
      "<section><h2>Requests</h2><table class=\"requests\"><thead><tr><th scope=\"col\">Outcome</th><th scope=\"col\">Type</th>"
        + "<th scope=\"col\">URL</th><th scope=\"col\" class=\"number\">Without</th><th scope=\"col\" class=\"number\">With</th></tr></thead><tbody>\n"
    )
    for row in report.rows.prefix(Self.rowLimit) { write(row) }
    html.markup("</tbody></table>")
    if report.rows.count > Self.rowLimit {
      html.markup("<p>")
      html.text(
        "And \(Shown.grouped(report.rows.count - Self.rowLimit)) more; --format json has all of them."
      )
      html.markup("</p>")
    }
    html.markup("</section>\n")
  }

  private mutating func write(_ row: PreviewReport.Row) {
    let verdict = row.request.verdict
    let kind =
      verdict.isBlocked
      ? "blocked"
      : row.outcome == PreviewReport.notRequested
        ? "spared" : row.outcome == "loaded" ? "loaded" : "changed"
    html.markup("<tr class=\"\(kind)\"><td><span class=\"fate\">")
    html.text(verdict.isBlocked ? "blocked" : row.outcome)
    html.markup("</span></td><td>")
    html.text(row.request.type)
    html.markup("</td><td><span class=\"url\">")
    html.text(row.request.url, limit: 300)
    html.markup("</span>")
    if let frame = row.request.frame {
      html.markup("<small>in the frame ")
      html.text(frame, limit: 120)
      html.markup("</small>")
    }
    if let rule = verdict.rule {
      html.markup("<small>rule ")
      html.text("\(rule.label):")
      html.markup(" ")
      html.code(rule.gist, limit: 200)
      html.markup("</small>")
    }
    let others = verdict.sentences.filter { $0.contains("; ") }
    for sentence in others.prefix(4) {
      html.markup("<small>")
      html.text(sentence, limit: 300)
      html.markup("</small>")
    }
    if let new = verdict.newURL {
      html.markup("<small>becomes ")
      html.text(new, limit: 300)
      html.markup("</small>")
    }
    for note in [row.request.prevention, verdict.isBlocked ? nil : row.request.failure].compactMap(
      \.self
    ) {
      html.markup("<small>")
      html.text(note, limit: 300)
      html.markup("</small>")
    }
    html.markup("</td><td class=\"number\">")
    html.text(row.bytesWithout.map { Self.size($0) } ?? "–")
    html.markup("</td><td class=\"number\">")
    html.text(row.bytesWith.map { Self.size($0) } ?? "–")
    html.markup("</td></tr>\n")
  }
}
