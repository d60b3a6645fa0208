/// The error for bytes that are not a valid compiled rule list.
public struct ByteCodeError: Error, Hashable, Sendable {
  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// The file does not begin with the eight bytes `TICKBIRD`.
    case badMagic
    /// The file has another format version, which is given; compile the list again.
    case unsupportedVersion(UInt32)
    /// The file is shorter or longer than its header says.
    case truncated
    /// The checksum does not match the bytes.
    case badChecksum
    /// A section does not lie in the file behind the one before, or has the wrong size for its
    /// records.
    case badSection
    /// A number is out of its range.
    case badRecord
    /// A program has an unknown instruction or leaves its bounds.
    case badProgram
  }

  /// The kind of fault.
  public var code: Code
  /// The offset in the file, in bytes.
  public var offset: Int

  init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// What is wrong, where, and what to do, in one sentence.
  public var message: String {
    let reason =
      switch code {
      case .badMagic: "this is not a compiled rule list"
      case .unsupportedVersion(let version):
        "it is of format version \(version), and this engine reads \(FileLayout.version)"
      case .truncated: "its length is not what its header says"
      case .badChecksum: "its checksum does not fit its bytes"
      case .badSection: "a section lies outside of it"
      case .badRecord: "a record is out of range"
      case .badProgram: "a program leaves its bounds"
      }
    return "\(reason) (at byte \(offset)); compile the list again"
  }
}
