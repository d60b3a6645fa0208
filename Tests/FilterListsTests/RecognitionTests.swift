import FilterLists
import Testing

@Suite("The syntax of a list is recognised")
struct RecognitionTests {
  private func dialect(_ text: String, _ files: [String: String] = [:]) -> FilterDialect? {
    var folder = MemoryFolder(files: files)
    return FilterDialect.recognize(Array(text.utf8), name: "x/list.txt", including: &folder)
  }

  @Test("what is included counts, whatever the conditions around it")
  func includedText() {
    let files = [
      "a.txt": "||a.test^\na.test#%#f()", "u.txt": "! part\na.test##+js(f)",
      "deep.txt": "||b.test^\n!#include u.txt", "h.txt": "0.0.0.0 a.test\n0.0.0.0 b.test",
    ]
    #expect(dialect("!#include a.txt", files) == .adguard)
    #expect(dialect("!#if adguard\n!#include a.txt\n!#endif", files) == .adguard)
    #expect(dialect("!#if false\n!#include u.txt\n!#endif", files) == .ubo)
    #expect(dialect("! x\n!#include deep.txt", files) == .ubo)
    #expect(dialect("!#include h.txt", files) == .hosts)
    #expect(dialect("[Adblock Plus 2.0]\n!#include u.txt", files) == .ubo)
    #expect(dialect("! nothing\n!#include missing.txt\n!#include ../a.txt", files) == .abp)
    // A file that includes the list is no endless text.
    #expect(dialect("!#include a.txt", ["a.txt": "!#include list.txt\na.test#%#f()"]) == .adguard)
  }

  @Test(
    "names in conditions count, but not those behind !",
    arguments: [
      ("adguard", FilterDialect.adguard), ("(adguard_app_ios || adguard_ext_safari)", .adguard),
      ("ext_ublock", .ubo), ("env_firefox && cap_html_filtering", .ubo), ("ext_abp", .abp),
      ("!adguard", .abp), ("!ext_ublock", .abp), ("env_safari", .abp),
      ("ext_ublock || adguard", .abp),
    ]
  )
  func conditions(condition: String, expected: FilterDialect) {
    #expect(dialect("||a.test^\n!#if \(condition)\n||b.test^\n!#endif") == expected)
  }

  @Test(
    "a title that names one blocker counts",
    arguments: [
      ("! Title: uBlock filters - X", FilterDialect.ubo), ("!Title: x (for uBO)", .ubo),
      ("\u{FEFF}\u{FEFF}! Title: x (for AdGuard)", .adguard),
      ("! Title 🇬🇧: x (for AdGuard)", .adguard), ("! Title: x for Adblock Plus 3", .abp),
      ("! Title: AdGuard/uBO - x", .abp), ("! Title: Turbo ads", .abp),
      ("! Homepage: https://adguard.test/", .abp),
    ]
  )
  func titles(title: String, expected: FilterDialect) {
    #expect(dialect("\(title)\n||a.test^\n##.ad") == expected)
  }

  @Test("the most evidence decides, and many lines outweigh a title")
  func weights() {
    let few = "a.test##+js(f)\n"
    let hints = String(repeating: "!+ NOT_PLATFORM(windows)\n##.ad\n", count: 3)
    #expect(dialect(few + hints) == .adguard)
    let title = "! Title: AdGuard Base filter\n"
    #expect(dialect(title + String(repeating: few, count: 3)) == .adguard)
    #expect(dialect(title + String(repeating: few, count: 30)) == .ubo)
  }
}
