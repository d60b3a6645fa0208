internal import ContentRules

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
  /// Whether what an `!#if` leaves out is read, too.
  private let ignoresConditions: Bool

  /// Creates a reader.
  package init() { self.init(ignoresConditions: false) }

  private init(ignoresConditions: Bool) { self.ignoresConditions = ignoresConditions }

  /// Returns the text of a list and those that it includes, on whatever conditions.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - name: The file's name.
  ///   - files: The list's folder.
  /// - Returns: The texts, the list's own first.
  /// - Complexity: O(*n*) for the bytes of the list and of what it includes.
  static func texts(
    of text: [UInt8],
    name: String,
    including files: inout some FilterIncluding
  ) -> [[UInt8]] {
    guard FilterText.contains(text, text.indices, "!#include") else { return [text] }
    var reader = FilterCollectionReader(ignoresConditions: true)
    reader.add(FilterSource(name: name, dialect: .abp, text: text), including: &files)
    return reader.collection.sources.map(\.text)
  }

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

  // `open` has the paths below the list's folder of the files that are being read, from the list
  // inward.
  private mutating func add(
    _ source: FilterSource,
    open: [String],
    _ files: inout some FilterIncluding
  ) {
    let number = collection.sources.count
    collection.sources.append(source)
    var lines = SourceLines(source)
    // The list is copied only where there is something to add to it.
    defer { if !lines.joined.isEmpty { collection.sources[number].text += lines.joined } }
    var conditions = DirectiveConditions(names: source.dialect.conditionNames)
    var isForOthers = false
    while let next = lines.next() {
      let (text, range) = lines.place(of: next)
      let isReached = ignoresConditions || conditions.areMet
      var standing = FilterLine.Standing.ordinary
      var directive: Directive?
      var refusal: String?
      if range.count > Self.longestLine {
        standing = .tooLong
      } else if next.continuations == 0, source.dialect != .hosts {
        directive = Directive(text, range)
      }
      switch directive {
      case nil where standing == .tooLong: break
      case nil where !isReached: standing = .switchedOff
      case nil where isForOthers && !range.isEmpty: standing = .otherPlatform
      case nil where Directive.isTemplate(text, range):
        standing = .refused
        refusal = "this is a template; let the list's own tools make the list of it"
      case nil, .comment: break
      case .condition(let condition):
        standing = .directive
        conditions.open(text[condition])
      case .otherwise:
        standing = .directive
        conditions.toggle()
      case .end:
        standing = .directive
        conditions.close()
      case .affinity: standing = .affinity
      case .hint(let isForSafari):
        standing = .directive
        // To the others it is a comment.
        if !isForSafari, source.dialect == .adguard { isForOthers = true }
      case .include: standing = isReached ? .directive : .switchedOff
      }
      isForOthers = isForOthers && (range.isEmpty || standing == .directive)
      guard append(next, of: number, standing, refusal: refusal) else { return }
      if case .include(let path) = directive, isReached {
        include(FilterText.string(text, path), source, open, &files)
      }
    }
  }

  /// Appends a line, and those that continue it; `false` if there are too many.
  private mutating func append(
    _ line: SourceLines.Line,
    of source: Int,
    _ standing: FilterLine.Standing,
    refusal: String?
  ) -> Bool {
    for offset in 0...Int32(line.continuations) {
      guard collection.lines.count < Self.mostLines else {
        collection.isCut = true
        return false
      }
      if offset == 0, let refusal { collection.refusals[collection.lines.count] = refusal }
      collection.lines.append(
        FilterLine(
          source: Int32(source),
          number: line.number + offset,
          start: offset == 0 ? UInt32(line.range.lowerBound) : 0,
          end: offset == 0 ? UInt32(line.range.upperBound) : 0,
          standing: offset == 0 ? standing : .directive
        )
      )
    }
    return true
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
      let parts = try IncludePath.parts(of: path, from: open.last)
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
      if let format = OtherFormat.recognizeNoList(bytes.span) {
        throw FilterIncludeRefusal("\(name) \(format.refusal)")
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
}
