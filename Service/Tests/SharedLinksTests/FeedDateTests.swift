import Foundation
import Testing

@testable import SharedLinks

/// Seconds since 1970 of 2026-11-21 12:31:26 UTC.
private let moment = 1_795_264_286.0

struct FeedDateTests {
  @Test(
    "a moment is understood in all the ways that feeds write it",
    arguments: [
      "Sat, 21 Nov 2026 12:31:26 GMT", "Sat, 21 Nov 2026 12:31:26 +0000",
      "Sat, 21 Nov 2026 13:31:26 +0100", "Sat, 21 Nov 2026 07:31:26 EST",
      "21 Nov 2026 12:31:26 Z", "21 Nov 26 12:31:26 UT", "Saturday, 21 November 2026 12:31:26 UTC",
      "Sa, 21 Nov 2026 12:31:26 +0000", "sábado, 21 nov 2026 12:31:26 GMT",
      "Sat,21 Nov 2026 12:31:26 GMT", "Sat, 21 Nov 2026, 12:31:26 GMT",
      "Nov 21, 2026 12:31:26 PM", "Sat Nov 21 12:31:26 2026", "Sat Nov 21 12:31:26 UTC 2026",
      "21-Nov-2026 12:31:26", "21.11.2026 12:31:26", "Sat, 21 nov. 2026 12:31:26 GMT",
      "2026-11-21T12:31:26Z", "2026-11-21T13:31:26+01:00", "2026-11-21T12:31:26.000Z",
      "2026-11-21 12:31:26", "2026-11-21 12:31:26 +0000", "2026-11-21T14:31:26+0200",
      "  2026-11-21T12:31:26z ", "Sat, 21 Nov 2026 12:31:26 GMT+0000",
      "Sat, 21 Nov 2026 14:31:26 +02:00", "samedi 21 novembre 2026 13:31:26 CET",
    ]
  )
  func moments(_ text: String) {
    #expect(FeedDate.parse(text)?.timeIntervalSince1970 == moment)
  }

  @Test(
    "a date without a time is midnight",
    arguments: ["2026-11-21", "21 Nov 2026", "11/2026/21"]
  )
  func dates(_ text: String) {
    let date = FeedDate.parse(text)?.timeIntervalSince1970
    #expect(date == (text.contains("/") ? nil : moment - 45_086))
  }

  @Test("months have names in several languages")
  func months() {
    for (name, number) in [
      ("März", "03"), ("août", "08"), ("décembre", "12"), ("Okt", "10"), ("mardi février", "02"),
    ] {
      #expect(FeedDate.parse("3 \(name) 2025 10:00") == FeedDate.parse("2025-\(number)-03T10:00Z"))
    }
  }

  @Test("years of two digits are of the century around 2000")
  func centuries() {
    #expect(FeedDate.parse("1 Jan 99 00:00") == FeedDate.parse("1999-01-01"))
    #expect(FeedDate.parse("1 Jan 03 00:00") == FeedDate.parse("2003-01-01"))
  }

  @Test("leap days exist in leap years alone")
  func leapDays() {
    #expect(FeedDate.parse("2024-02-29")?.timeIntervalSince1970 == 1_709_164_800)
    #expect(FeedDate.parse("2000-02-29") != nil)
    #expect(FeedDate.parse("2023-02-29") == nil)
    #expect(FeedDate.parse("2100-02-29") == nil)
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "yesterday", "Sat,", "32 Jan 2026", "2026-13-01", "2026-11-21T25:00Z", "12:31", "0",
      "99999999999999999999", "2026", "Jan", "-1 -1 -1", "\u{0}\u{0}", "Sat, 21 Nov 0000 00:00 GMT",
    ]
  )
  func nonsense(_ text: String) {
    #expect(FeedDate.parse(text) == nil)
  }
}
