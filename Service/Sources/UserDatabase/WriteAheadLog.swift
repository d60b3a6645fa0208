internal import DurableFiles
internal import Foundation

/// Which changes of a database its write-ahead log has.
///
/// SQLite brings a log into whatever database lies beside it, and ruins a copy that was put back there. So changes
/// are counted in the header of the database, and a log continues only a database that has the changes before the
/// log's first, or just those up to one of the log's.
///
/// > Related SQLite documentation: <https://sqlite.org/fileformat2.html#the_write_ahead_log>
struct WriteAheadLog {
  /// The first state of the database's header in the log.
  private let first: DatabaseHeader
  /// The last number of the schema at each count in the log.
  private let schemas: [UInt32: UInt32]

  /// The most bytes of a log that are read; SQLite empties logs at a hundredth of it.
  private static let sizeLimit = 1 << 30

  /// Reads the log beside a database.
  ///
  /// - Parameter path: The log, which need not be there.
  /// - Returns: The changes; `nil` if the log has none, or was written by a program that does not count.
  /// - Throws: `FileFailure`.
  static func read(_ path: String) throws(FileFailure) -> WriteAheadLog? {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: path, atMost: sizeLimit)
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    return WriteAheadLog(bytes)
  }

  /// Reads the bytes of a log, up to the last change that is complete.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerSize else { return nil }
    let magic = Self.number(bytes, 0)
    let pageSize = Int(Self.number(bytes, 8))
    guard magic & ~1 == 0x377F_0682, pageSize >= 512, pageSize <= 1 << 16 else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(bytes[0..<24])
    guard sum.isWritten(in: bytes, at: 24) else { return nil }
    var first: DatabaseHeader?
    var schemas: [UInt32: UInt32] = [:]
    // Of a change that is not complete yet.
    var pending: DatabaseHeader?
    var start = Self.headerSize
    while start + Self.frameSize + pageSize <= bytes.count {
      let page = start + Self.frameSize
      guard bytes[start + 8..<start + 16] == bytes[16..<24] else { break }
      sum.add(bytes[start..<start + 8])
      sum.add(bytes[page..<page + pageSize])
      guard sum.isWritten(in: bytes, at: start + 16) else { break }
      if Self.number(bytes, start) == 1 {
        pending = DatabaseHeader(
          Array(bytes[page..<page + DatabaseHeader.size]),
          fileSize: bytes.count
        )
      }
      if Self.number(bytes, start + 4) != 0, let header = pending {
        first = first ?? header
        schemas[header.count] = header.schema
      }
      start = page + pageSize
    }
    guard let first else { return nil }
    (self.first, self.schemas) = (first, schemas)
  }

  /// Returns whether a database is the one that the log was written for.
  func continues(_ database: DatabaseHeader) -> Bool {
    // A copy made by VACUUM has the count, other pages, and a later schema than the log has.
    if let schema = schemas[database.count], database.schema <= schema { return true }
    // The log begins with a change that counts. What does not count, as what GRDB does when it opens a database, changes
    // the schema, and leaves the count.
    return database.count &+ 1 == first.count && database.schema == first.schema
  }

  // MARK: Format

  private static let headerSize = 32
  private static let frameSize = 24

  /// Reads a number of four bytes.
  static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running checksum by which SQLite finds the end of a log.
  private struct Checksum {
    let isBigEndian: Bool
    private var one: UInt32 = 0
    private var two: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var place = bytes.startIndex
      while place + 8 <= bytes.endIndex {
        one = one &+ word(bytes, place) &+ two
        two = two &+ word(bytes, place + 4) &+ one
        place += 8
      }
    }

    func isWritten(in bytes: [UInt8], at place: Int) -> Bool {
      WriteAheadLog.number(bytes, place) == one && WriteAheadLog.number(bytes, place + 4) == two
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      let (a, b) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      let (c, d) = (UInt32(bytes[place + 2]), UInt32(bytes[place + 3]))
      return isBigEndian ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a
    }
  }
}
