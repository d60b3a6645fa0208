import Foundation
import Testing

@testable import ListSubscriptions

@Suite("When lists are updated")
struct ListScheduleTests {
  private let now = Date(timeIntervalSince1970: 1_000_000)

  private func seconds(_ expires: Double?, _ id: String = "ads") -> Double {
    ListSchedule.next(after: now, expires: expires, id: id).timeIntervalSince(now)
  }

  @Test("The author's wish counts within bounds, and jitter only lengthens")
  func successes() {
    for (wish, least) in [
      (nil, 4 * 86_400.0), (86_400.0, 86_400.0), (1.0, 3_600.0), (1e12, 30 * 86_400.0),
      (Double.nan, 4 * 86_400.0), (-5.0, 3_600.0),
    ] as [(Double?, Double)] {
      let found = seconds(wish)
      #expect(found >= least && found <= least * 1.1, "\(String(describing: wish)): \(found)")
    }
    let times = Set((0..<20).map { seconds(nil, "list-\($0)") })
    #expect(times.count == 20)
  }

  @Test("Failures wait longer each time, up to a day, and as long as a server asks")
  func failures() {
    func delay(_ failures: Int, retryAfter: Double? = nil) -> Double {
      ListSchedule.next(after: now, failures: failures, retryAfter: retryAfter, id: "ads")
        .timeIntervalSince(now)
    }
    #expect(delay(1) >= 900 && delay(1) <= 990)
    #expect(delay(2) >= 1_800 && delay(2) <= 1_980)
    #expect(delay(100) >= 86_400 && delay(100) <= 95_040)
    #expect(delay(1, retryAfter: 50_000) == 50_000)
    #expect(delay(1, retryAfter: 1) >= 900)
    #expect(delay(1, retryAfter: 1e12) == 7 * 86_400)
  }
}
