/// A compiled rule list: the bytes of a file, validated once and then read in place.
///
///     let list = try CompiledRuleList(validating: bytes)
///     var scratch = MatchScratch()
///     scratch.prepare(for: list)
///     var page = PageState()
///     list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
///     scratch.assign(url.span)
///     list.decide(properties, page, &scratch).isBlocked
///
/// The list is immutable and may be used by any number of threads at once; each thread needs a
/// ``MatchScratch`` of its own.
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
  let universal: UniversalTableView
  let universalEntries: UniversalPageEntries
  let alwaysRun: AlwaysRunTable
  let crowded: CrowdedFilters
  let topURLFilters: [PageURLFilter]
  let frameURLFilters: [PageURLFilter]
  let identity = ListIdentity()
  private let owner: BytesOwner

  /// Validates the bytes of a compiled file and copies them.
  ///
  /// Afterwards deciding cannot read outside of the bytes.
  ///
  /// - Throws: ``ByteCodeError`` with the offset of the fault.
  /// - Complexity: O(*n*) for *n* bytes.
  public convenience init(validating bytes: [UInt8]) throws(ByteCodeError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    unsafe copy.copyBytes(from: bytes)
    // As a number, since a pointer is not `Sendable`.
    let address = Int(bitPattern: copy.baseAddress)
    try unsafe self.init(validating: UnsafeRawBufferPointer(copy)) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// Validates the bytes of a compiled file and uses them in place, such as a mapped file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, which must not change until `release` is called.
  ///   - mayLackSource: Whether the file may be cut where its source text begins, which deciding does
  ///     not read; ``source`` is empty then.
  ///   - callBoth: What calls the two parts of the work; by default one after the other.
  ///   - release: Called once when the bytes are no longer needed; at once if they are refused.
  /// - Throws: ``ByteCodeError`` with the offset of the fault.
  @unsafe
  public init(
    validating bytes: UnsafeRawBufferPointer,
    mayLackSource: Bool = false,
    callBoth: CallBoth = callInTurn,
    release: @escaping @Sendable () -> Void
  ) throws(ByteCodeError) {
    owner = BytesOwner(release: release)
    let image = unsafe Image(bytes)
    let (sections, crowds) = try Validator.validate(
      image,
      mayLackSource: mayLackSource,
      callBoth: callBoth
    )
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
    universal = UniversalTableView(image, sections, info, classes)
    universalEntries = UniversalPageEntries(universal, classes)
    let runner = runner
    func scanner(_ index: FilterIndexView) -> IndexScanner {
      IndexScanner(image: image, index: index, runner: runner)
    }
    alwaysRun = AlwaysRunTable(
      scanner(urlIndex),
      classes,
      conditionCount: Int(info.conditionCount)
    )
    crowded = CrowdedFilters(
      IndexWalk(image: image, view: urlIndex),
      at: crowds,
      classes,
      conditionCount: Int(info.conditionCount)
    )
    topURLFilters = scanner(topURLIndex).pageURLFilters()
    frameURLFilters = scanner(frameURLIndex).pageURLFilters()
  }

  /// The number of action slots.
  public var slotCount: Int { sections.size(.slots) / Slot.size }

  /// Returns the slot with a number below ``slotCount``.
  public func slot(_ number: UInt32) -> Slot {
    Slot(image, at: sections.start(.slots) + Int(number) * Slot.size)
  }

  /// The kinds of the list's actions, a bit for each ``ActionKind`` at its raw value.
  ///
  /// What hides on every page is in ``globalSheet`` and not among them.
  ///
  /// - Complexity: O(*n*) for *n* slots.
  public var actionKinds: UInt32 {
    let start = sections.start(.slots)
    return stride(from: start, to: sections.end(.slots), by: Slot.size)
      .reduce(0) { $0 | 1 << UInt32(image.u8($1)) }
  }

  /// Returns the UTF-8 bytes of an action's text; empty for ``Slot/noText``.
  public func text(at offset: UInt32) -> [UInt8] {
    guard offset != Slot.noText else { return [] }
    let start = sections.start(.texts) + Int(offset)
    return image.bytes(start + 4..<start + 4 + Int(image.u32(start)))
  }

  /// The JSON text that the list was compiled from.
  ///
  /// Opening a list does not check it; ``isSourceIntact`` does.
  public var source: [UInt8] {
    image.bytes(sections.start(.source)..<sections.start(.source) + sections.size(.source))
  }

  /// Whether the source text is undamaged, by its checksum.
  ///
  /// - Complexity: O(*n*) for *n* bytes of source.
  public var isSourceIntact: Bool {
    FileLayout.checksum(of: image, sections.start(.source)..<sections.end(.source))
      == info.sourceChecksum
  }

  /// The bytes of the file, valid as long as the list.
  @unsafe
  package var fileBytes: UnsafeRawBufferPointer { unsafe image.buffer }

  /// The size of the file in bytes, and how much of it is the source text.
  public var size: (file: Int, source: Int) { (image.count, sections.size(.source)) }

  /// Whether the list hides anything on every page.
  public var hasGlobalSheet: Bool { info.globalSheet != Slot.noText }

  /// The selectors of the global sheet, joined by commas; `nil` when there are none.
  ///
  /// They hide elements on every page, unless a load of its document met an
  /// `ignore-previous-rules`; see ``ListDecision/attachesGlobalSheet``.
  public var globalSheet: [UInt8]? {
    hasGlobalSheet ? text(at: info.globalSheet) : nil
  }
}

/// Calls a function when its last reference is released.
private final class BytesOwner: Sendable {
  private let release: @Sendable () -> Void

  init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
