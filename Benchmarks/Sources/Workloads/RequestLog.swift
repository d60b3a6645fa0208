internal import ResourceLoads

/// Reads logs of requests: a line of headings, then `url`, `source`, `type`, the engine's type and
/// the load type, tab-separated.
public enum RequestLog {
  /// Reads a log, plain or gzip.
  ///
  /// - Throws: ``InputFault`` with the first line that is not a request.
  public static func read(path: String) throws(InputFault) -> [Request] {
    let text = String(decoding: try InputFile.read(path: path), as: UTF8.self)
    var requests: [Request] = []
    for (number, line) in text.split(separator: "\n").enumerated().dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 5, let type = type(fields[3]) else {
        throw InputFault("\(path):\(number + 1) is no request with a URL, a source and types")
      }
      requests.append(
        Request(
          String(fields[0]),
          source: String(fields[1]),
          type,
          fields[4] == "first-party" ? .firstParty : .thirdParty
        )
      )
    }
    return requests
  }

  /// The text of a log that ``read(path:)`` reads.
  public static func text(of requests: [Request]) -> String {
    var text = "url\tsource\ttype\twebkit_type\tload_type\n"
    for request in requests {
      let word =
        ResourceType.words.first { $0.type == request.properties.resourceType }?.word ?? "other"
      let engineType = request.properties.resourceType == .topDocument ? "document" : "\(word)"
      let type = engineType == "style-sheet" ? "stylesheet" : engineType
      let party = request.properties.loadType == .firstParty ? "first-party" : "third-party"
      text += String(decoding: request.url, as: UTF8.self) + "\t"
      text += String(decoding: request.source, as: UTF8.self) + "\t"
      text += "\(type)\t\(engineType)\t\(party)\n"
    }
    return text
  }

  private static func type(_ word: Substring) -> ResourceType? {
    if word == "document" { return .topDocument }
    return ResourceType.words.first { String(describing: $0.word) == word }?.type
  }
}
