import Foundation
import Testing

@testable import ExtensionSandbox

@Suite struct ExecutableFileTests {
  @Test func aProgramsLoaderIsRead() throws {
    let processor = try #require(Processor.current)
    let path = Bundle.main.bundleURL.appending(path: "SandboxProbe").path(percentEncoded: false)
    let file = try ExecutableFile(path: path, processor: processor)
    #expect(file.interpreter?.contains("/ld-") == true)
  }

  @Test(
    "What a program is like is its own fault, and what the machine lacks is not",
    arguments: [
      (ENOEXEC, true), (EACCES, true), (ELIBBAD, true), (ENOENT, true), (EISDIR, true),
      (EIO, false),
      (EMFILE, false), (ENFILE, false), (ENOMEM, false), (EAGAIN, false), (ETXTBSY, false),
      (ESTALE, false),
    ]
  )
  func faults(number: Int32, isOfProgram: Bool) {
    let error = SandboxError.program("x cannot be executed", number)
    #expect(error.code == (isOfProgram ? .executable : .system))
  }

  @Test func aProgramThatCannotBeReadIsTold() throws {
    let processor = try #require(Processor.current)
    let folder = FileManager.default.temporaryDirectory.path
    for path in [folder, "\(folder)/none-\(UUID().uuidString)"] {
      #expect { try ExecutableFile(path: path, processor: processor) } throws: {
        ($0 as? SandboxError)?.code == .executable && "\($0)".contains("cannot be read")
      }
    }
  }

  /// A stranger's header leads to an error or to nothing, never beyond the file.
  @Test func damagedProgramsAreReadToTheirEnd() throws {
    let processor = try #require(Processor.current)
    let source = Bundle.main.bundleURL.appending(path: "SandboxProbe")
    let file = FileManager.default.temporaryDirectory.appending(path: "elf-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let original = try FileHandle(forReadingFrom: source).read(upToCount: 8192) ?? Data()
    var random = SystemRandomNumberGenerator()
    for round in 0..<300 {
      var bytes = original
      if round % 3 == 0 { bytes = bytes.prefix(Int.random(in: 0..<2048, using: &random)) }
      for _ in 0..<(round % 8) where !bytes.isEmpty {
        let place = Int.random(in: 0..<min(bytes.count, 1024), using: &random)
        bytes[bytes.startIndex + place] = UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: file)
      let path = file.path(percentEncoded: false)
      if let read = try? ExecutableFile(path: path, processor: processor) {
        #expect((read.interpreter?.utf8.count ?? 0) <= 3 * 4096)
      }
    }
  }
}
