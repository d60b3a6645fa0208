/// A rule list in the form that decides loads: the bytes of a compiled file, checked once, then
/// read in place.
///
///     let list = try CompiledRuleList(validating: bytes)
///     var scratch = MatchScratch()
///     scratch.prepare(for: list)
///     var page = PageState()
///     list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
///     scratch.assign(url.span)
///     list.decide(properties, page, &scratch).isBlocked
///
/// The list is immutable and may be used by any number of threads at once; each needs its own
/// ``MatchScratch``.
public final class CompiledRuleList: Sendable {
  /// Counts that belong to the whole list.
  public let info: ListInfo
  let image: Image
  let sections: SectionTable
  let urlIndex: FilterIndexView
  let topURLIndex: FilterIndexView
  let frameURLIndex: FilterIndexView
  let runner: ProgramRunner
  let classes: EntryClasses
  let identity = ListIdentity()
  private let owner: BytesOwner

  /// Checks the bytes of a compiled file and takes a copy of them.
  ///
  /// Afterwards deciding cannot read outside of the bytes.
  ///
  /// - Throws: ``ByteCodeError`` with the offset of the fault.
  /// - Complexity: O(*n*) for *n* bytes.
  public convenience init(validating bytes: [UInt8]) throws(ByteCodeError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    unsafe copy.copyBytes(from: bytes)
    // The address as a number, since pointers cannot be handed to another thread's deinit.
    let address = Int(bitPattern: copy.baseAddress)
    try unsafe self.init(validating: UnsafeRawBufferPointer(copy)) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// Checks the bytes of a compiled file and uses them where they are, as a mapped file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file. Nobody may change them until `release` is called.
  ///   - release: Called once when the bytes are no longer needed; at once if they are refused.
  /// - Throws: ``ByteCodeError`` with the offset of the fault.
  @unsafe
  public init(
    validating bytes: UnsafeRawBufferPointer,
    release: @escaping @Sendable () -> Void
  ) throws(ByteCodeError) {
    owner = BytesOwner(release: release)
    let image = unsafe Image(bytes)
    let sections = try SectionTable(readingHeaderOf: image)
    try Validator(image: image, sections: sections).validate()
    self.image = image
    self.sections = sections
    info = ListInfo(image, at: sections.start(.info))
    urlIndex = FilterIndexView(image, at: sections.start(.urlIndex))
    topURLIndex = FilterIndexView(image, at: sections.start(.topURLIndex))
    frameURLIndex = FilterIndexView(image, at: sections.start(.frameURLIndex))
    classes = EntryClasses(image: image, start: sections.start(.entryClasses))
    runner = ProgramRunner(
      image: image,
      programs: sections.start(.programs),
      characterSets: sections.start(.characterSets)
    )
  }

  /// The number of action slots.
  public var slotCount: Int { sections.size(.slots) / Slot.size }

  /// The slot with a number below ``slotCount``.
  public func slot(_ number: UInt32) -> Slot {
    Slot(image, at: sections.start(.slots) + Int(number) * Slot.size)
  }

  /// The UTF-8 bytes of an action's text; empty for ``Slot/noText``.
  public func text(at offset: UInt32) -> [UInt8] {
    guard offset != Slot.noText else { return [] }
    let start = sections.start(.texts) + Int(offset)
    return image.bytes(start + 4..<start + 4 + Int(image.u32(start)))
  }

  /// The JSON text that the list was compiled from.
  ///
  /// Opening a list does not look at it; ``isSourceIntact`` does.
  public var source: [UInt8] {
    image.bytes(sections.start(.source)..<sections.start(.source) + sections.size(.source))
  }

  /// Whether the source text is the one that the list was compiled from, by its checksum.
  ///
  /// - Complexity: O(*n*) for *n* bytes of source.
  public var isSourceIntact: Bool {
    FileLayout.checksum(of: image, sections.start(.source)..<sections.end(.source))
      == info.sourceChecksum
  }

  /// The size of the file in bytes, and how much of it is the source text.
  public var size: (file: Int, source: Int) { (image.count, sections.size(.source)) }

  /// Whether the list hides anything on every page.
  public var hasGlobalSheet: Bool { info.globalSheet != Slot.noText }

  /// The selectors of the global sheet, joined by commas; `nil` when there are none.
  ///
  /// They hide on every page where no load of the document found an `ignore-previous-rules`; see
  /// ``ListDecision/attachesGlobalSheet``.
  public var globalSheet: [UInt8]? {
    hasGlobalSheet ? text(at: info.globalSheet) : nil
  }
}

/// Calls a function when the last reference is gone.
private final class BytesOwner: Sendable {
  private let release: @Sendable () -> Void

  init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
