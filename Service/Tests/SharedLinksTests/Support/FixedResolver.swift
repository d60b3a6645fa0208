import Synchronization

@testable import CurlTransfers

/// Says what a test wants, look-up by look-up; the last answer is repeated.
final class FixedResolver: NameResolving {
  private let answers: Mutex<[[String]]>
  private let asked = Mutex<[String]>([])

  init(_ answers: [String]...) { self.answers = Mutex(answers) }

  /// The hosts that were looked up.
  var hosts: [String] { asked.withLock { $0 } }

  func addresses(of host: String, within seconds: Double) throws(CurlFailure) -> [NetworkAddress] {
    asked.withLock { $0.append(host) }
    let texts = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
    return texts.compactMap(NetworkAddress.init)
  }
}
