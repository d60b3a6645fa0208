/// Reads the files that lists include.
package protocol FilterIncluding {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The parts of its path below the list's own folder; none is empty, `.` or `..`.
  ///   - limit: The most bytes to read.
  /// - Returns: The bytes.
  /// - Throws: ``FilterIncludeRefusal`` if there is no such file within the folder.
  mutating func read(_ path: [String], limit: Int) throws(FilterIncludeRefusal) -> [UInt8]
}

/// Why a file was not included.
package struct FilterIncludeRefusal: Error, Hashable, CustomStringConvertible {
  /// One sentence without a full stop.
  package var message: String
  /// The sentence.
  package var description: String { message }

  /// Creates a refusal from its sentence.
  package init(_ message: String) { self.message = message }
}

/// Includes nothing, for lists that did not come from a folder.
package struct NoIncludes: FilterIncluding {
  /// Creates the reader.
  package init() {}

  package mutating func read(
    _ path: [String],
    limit: Int
  ) throws(FilterIncludeRefusal) -> [UInt8] {
    throw FilterIncludeRefusal("the list did not come from a folder")
  }
}

/// Splits lists into lines, and follows their directives.
///
///     var reader = FilterCollectionReader()
///     var none = NoIncludes()
///     reader.add(FilterSource(name: "ads.txt", dialect: .abp, text: bytes), including: &none)
///     reader.collection.lines
package struct FilterCollectionReader {
  /// The most bytes of a line.
  package static let longestLine = 1 << 20
  /// How deeply files may include others.
  package static let includeDepth = 8
  /// How many files all lists may include.
  package static let includeCount = 1_000
  /// The most bytes that all included files may have.
  package static let includeBytes = 64 << 20
  /// The most lines of all lists and of what they include.
  package static let mostLines = 4_000_000

  /// What was read so far.
  package private(set) var collection = FilterCollection()
  /// The folder of the list that is being read, with a slash behind it, as its name has it.
  private var folder = ""
  private var includes = 0
  private var includedBytes = 0

  /// Creates a reader.
  package init() {}

  /// Reads a list and what it includes.
  ///
  /// - Parameters:
  ///   - source: The list; of more than 2 GiB only the first are read, and no line beyond
  ///     ``mostLines``, which ``FilterCollection/isCut`` tells.
  ///   - files: The list's folder.
  /// - Complexity: O(*n*) for the bytes of the list and of what it includes.
  package mutating func add(_ source: FilterSource, including files: inout some FilterIncluding) {
    let parts = source.name.split(separator: "/", omittingEmptySubsequences: false)
    let own = parts.last.map(String.init) ?? ""
    folder = String(source.name.dropLast(own.count))
    add(source, open: [own], &files)
  }

  /// One `!#if` whose end has not come.
  private struct Block {
    var holds: Bool
    /// Whether what surrounds it holds.
    var isReached: Bool
  }

  // `open` has the paths below the list's folder of the files that are being read, from the list
  // inward.
  private mutating func add(
    _ source: FilterSource,
    open: [String],
    _ files: inout some FilterIncluding
  ) {
    let number = Int32(collection.sources.count)
    collection.sources.append(source)
    let text = source.text
    var blocks: [Block] = []
    var isForOthers = false
    var position = FilterText.start(of: text)
    var lineNumber: Int32 = 0
    let limit = min(text.count, Int(Int32.max))
    while position < limit {
      let end = FilterText.lineEnd(in: text, from: position)
      var range = FilterText.trim(text, position..<end)
      var (current, offset) = (text, 0)
      let first = position..<end
      position = FilterText.nextLine(in: text, after: end)
      lineNumber += 1
      let continuing =
        source.dialect == .ubo ? ContinuedLine(text, first, next: position, limit: limit) : nil
      if let continuing {
        range = FilterText.trim(continuing.line, 0..<continuing.line.count)
        (current, offset) = (continuing.line, collection.sources[Int(number)].text.count)
        collection.sources[Int(number)].text += continuing.line
        position = continuing.next
      }
      guard collection.lines.count < Self.mostLines else {
        collection.isCut = true
        return
      }
      var line = FilterLine(
        source: number,
        number: lineNumber,
        start: UInt32(offset + range.lowerBound),
        end: UInt32(offset + range.upperBound),
        standing: .ordinary
      )
      defer {
        for _ in 0..<(continuing?.count ?? 0) {
          lineNumber += 1
          guard collection.lines.count < Self.mostLines else {
            collection.isCut = true
            break
          }
          collection.lines.append(
            FilterLine(source: number, number: lineNumber, start: 0, end: 0, standing: .directive)
          )
        }
      }
      defer { isForOthers = isForOthers && (range.isEmpty || line.standing == .directive) }
      let isReached = blocks.last.map { $0.holds && $0.isReached } ?? true
      guard range.count <= Self.longestLine else {
        line.standing = .tooLong
        collection.lines.append(line)
        continue
      }
      guard range.count > 1, current[range.lowerBound] == UInt8(ascii: "!"),
        continuing == nil, source.dialect != .hosts
      else {
        if !isReached {
          line.standing = .switchedOff
        } else if isForOthers, !range.isEmpty {
          line.standing = .otherPlatform
        } else if Directive.isTemplate(current, range) {
          line.standing = .refused
          collection.refusals[collection.lines.count] =
            "this is a template; let the list's own tools make the list of it"
        }
        collection.lines.append(line)
        continue
      }
      switch Directive(text, range) {
      case .none:
        collection.lines.append(line)
      case .condition(let condition):
        line.standing = .directive
        collection.lines.append(line)
        let value = DirectiveCondition.holds(
          text[condition],
          names: source.dialect.conditionNames
        )
        // A condition that cannot be read does not hold.
        blocks.append(Block(holds: value ?? false, isReached: isReached))
      case .otherwise:
        line.standing = .directive
        collection.lines.append(line)
        if let last = blocks.indices.last { blocks[last].holds.toggle() }
      case .end:
        line.standing = .directive
        collection.lines.append(line)
        _ = blocks.popLast()
      case .affinity:
        line.standing = .affinity
        collection.lines.append(line)
      case .hint(let isForSafari):
        line.standing = .directive
        collection.lines.append(line)
        // To the others it is a comment.
        if !isForSafari, source.dialect == .adguard { isForOthers = true }
      case .include(let path):
        line.standing = isReached ? .directive : .switchedOff
        collection.lines.append(line)
        if isReached { include(FilterText.string(text, path), source, open, &files) }
      }
    }
  }

  /// Reads the file that the last line includes.
  private mutating func include(
    _ path: String,
    _ source: FilterSource,
    _ open: [String],
    _ files: inout some FilterIncluding
  ) {
    let line = collection.lines.count - 1
    do throws(FilterIncludeRefusal) {
      let parts = try Self.parts(of: path, from: open.last)
      let name = parts.joined(separator: "/")
      guard open.count <= Self.includeDepth else {
        throw FilterIncludeRefusal(
          "files include each other more than \(Self.includeDepth) deep"
        )
      }
      guard !open.contains(name) else { throw FilterIncludeRefusal("\(name) includes itself") }
      guard includes < Self.includeCount, includedBytes < Self.includeBytes else {
        throw FilterIncludeRefusal(
          "at most \(Self.includeCount) files of together \(Self.includeBytes >> 20) MiB are included"
        )
      }
      let bytes = try files.read(parts, limit: Self.includeBytes - includedBytes)
      if let obstacle = ListObstacle.find(in: bytes) {
        throw FilterIncludeRefusal("\(name) \(obstacle)")
      }
      includes += 1
      includedBytes += bytes.count
      add(
        FilterSource(name: folder + name, dialect: source.dialect, text: bytes),
        open: open + [name],
        &files
      )
    } catch {
      collection.lines[line].standing = .refused
      collection.refusals[line] = error.message
    }
  }

  /// Returns the parts of an include's path below the list's folder.
  ///
  /// - Parameters:
  ///   - path: The path as written, relative to the file that has it.
  ///   - file: The path of that file; `nil` for the list itself.
  /// - Returns: The parts.
  /// - Throws: ``FilterIncludeRefusal`` for a path that could lead elsewhere.
  static func parts(
    of path: String,
    from file: String?
  ) throws(FilterIncludeRefusal) -> [String] {
    let isAddress = path.contains("://") || path.hasPrefix("//")
    guard !isAddress else {
      throw FilterIncludeRefusal(
        "\(path) is an address, and only files of the list's folder are read"
      )
    }
    guard !path.hasPrefix("/"), !path.hasPrefix("~"), !path.contains("\\"), !path.contains("\0"),
      path.utf8.count <= 1_024
    else {
      throw FilterIncludeRefusal("only files of the list's own folder are included")
    }
    let folder = file.map { $0.split(separator: "/").dropLast().map(String.init) } ?? []
    let parts = path.split(separator: "/").map(String.init).filter { $0 != "." }
    guard !parts.isEmpty, !parts.contains("..") else {
      throw FilterIncludeRefusal("only files of the list's own folder are included")
    }
    return folder + parts
  }
}
