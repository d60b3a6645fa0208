public import Foundation
internal import TestSupport

/// An input that a fuzzer found, kept in `Fuzz/FailCases/PROGRAM/TARGET`.
public struct KeptCase: Sendable, CustomStringConvertible {
  /// Its target.
  public var target: FuzzTarget
  /// Its file.
  public var file: URL
  /// The target and the file.
  public var description: String { target.name + "/" + file.lastPathComponent }

  /// The folder of a program's kept cases.
  public static func folder(of program: String) -> URL {
    SharedData.packageRoot.appending(path: "Fuzz/FailCases/\(program)")
  }

  /// The cases of a program, in the order of targets and names.
  public static func all(of program: String, _ targets: [FuzzTarget]) -> [KeptCase] {
    targets.flatMap { target in
      let folder = folder(of: program).appendingPathComponent(target.name)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().map {
        KeptCase(target: target, file: folder.appendingPathComponent($0))
      }
    }
  }

  /// The folders of a program's kept cases that belong to no target.
  public static func strayFolders(of program: String, _ targets: [FuzzTarget]) throws -> [String] {
    // Nothing may have been found yet.
    guard FileManager.default.fileExists(atPath: folder(of: program).path) else { return [] }
    let folders = try FileManager.default.contentsOfDirectory(atPath: folder(of: program).path)
    return Set(folders).subtracting(targets.map(\.name)).sorted()
  }

  /// Checks the case.
  public func check() throws { try target.check(Array(Data(contentsOf: file))) }
}

extension FuzzTarget {
  /// Checks damaged seeds, the same ones each time.
  ///
  /// - Throws: ``FuzzFinding`` with the input.
  public func checkDamagedSeeds(count: Int = 400) throws(FuzzFinding) {
    var random = RandomSource(seed: 11)
    let seeds = seeds
    for _ in 0..<count {
      var input = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard !input.isEmpty else { break }
        let place = Int.random(in: input.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: input[place] = UInt8.random(in: 0...255, using: &random)
        case 1: input.remove(at: place)
        default: input.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        }
      }
      do {
        try check(input)
      } catch {
        throw FuzzFinding("\(error), with the input \(input)")
      }
    }
  }
}
