import ContentRules

/// A text in which the place that a diagnostic should point at stands between « and ».
struct MarkedText {
  var bytes: [UInt8] = []
  /// The marked place; nothing is marked when it is `nil`.
  var range: Range<Int>?

  init(_ marked: String) {
    var start: Int?
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "«": start = bytes.count
      case "»": range = (start ?? bytes.count)..<bytes.count
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }
}

/// A rule that blocks, with the given members of its trigger.
func blocking(_ trigger: String) -> String {
  #"[{"trigger":{\#(trigger)},"action":{"type":"block"}}]"#
}

/// A rule for every URL, with the given members of its action.
func acting(_ action: String) -> String {
  #"[{"trigger":{"url-filter":".*"},"action":{\#(action)}}]"#
}
