internal import CLibrary

#if canImport(Glibc) || canImport(Musl)
internal import CExtendedAttributes
#endif

/// Copies an access list and other extended attributes from file to file.
///
/// Without its access list a file may be open to more people than before: if there is one, the
/// group's permission bits are the most that anybody in the list may have, not the group's own
/// permissions.
enum ExtendedAttributes {
  /// Copies all extended attributes to a new file.
  ///
  /// Copies labels of the system (`security.*` and the like) if that is permitted, but never what
  /// the system computes from a file's bytes.
  ///
  /// - Throws: ``FileFailure`` if an access list or an attribute of the user's cannot be copied.
  static func copyAll(from old: Int32, to new: Int32, path: String) throws(FileFailure) {
    #if os(Linux)
    for name in try names(of: old, path) where !computed.contains(name) {
      try copy(name, from: old, to: new, path: path)
    }
    // A folder may give new files a default list that the old file lacks.
    if unsafe fgetxattr(old, accessList, nil, 0) < 0 {
      _ = unsafe fremovexattr(new, accessList)
    }
    #elseif canImport(Darwin)
    let flags = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
    guard unsafe fcopyfile(old, new, nil, flags) == 0 else {
      throw FileFailure(path, "replaced by one with the same attributes", errno)
    }
    #endif
  }

  /// Copies the access list, if there is one, to a new file.
  ///
  /// - Throws: ``FileFailure`` if that fails.
  static func copyAccessList(from old: Int32, to new: Int32, path: String) throws(FileFailure) {
    #if os(Linux)
    try copy(accessList, from: old, to: new, path: path)
    #elseif canImport(Darwin)
    guard unsafe fcopyfile(old, new, nil, copyfile_flags_t(COPYFILE_ACL)) == 0 else {
      throw FileFailure(path, "replaced by one with the same access list", errno)
    }
    #endif
  }
}

#if os(Linux)
extension ExtendedAttributes {
  private static let accessList = "system.posix_acl_access"
  /// Digests of the bytes, which would be wrong for other bytes.
  private static let computed: Set = ["security.ima", "security.evm"]

  private static func names(of file: Int32, _ path: String) throws(FileFailure) -> [String] {
    let bytes = try unsafe read(path) { unsafe flistxattr(file, $0, $1) } ?? []
    return bytes.split(separator: 0).map { name in
      String(decoding: name.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private static func copy(
    _ name: String,
    from old: Int32,
    to new: Int32,
    path: String
  ) throws(FileFailure) {
    guard let value = try unsafe read(path, { unsafe fgetxattr(old, name, $0, $1) }) else { return }
    guard unsafe fsetxattr(new, name, value, value.count, 0) != 0 else { return }
    let isNeeded = name.hasPrefix("user.") || name.hasPrefix("system.")
    if !isNeeded, [EPERM, EACCES, EOPNOTSUPP].contains(errno) { return }
    throw FileFailure(path, "replaced by one with the same attribute \(name)", errno)
  }

  /// Reads data of unknown length; `nil` if there is none.
  private static func read(
    _ path: String,
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileFailure) -> [CChar]? {
    while true {
      let length = body(nil, 0)
      guard length >= 0 else {
        if errno == ENODATA || errno == EOPNOTSUPP { return nil }
        throw FileFailure(path, "read with its attributes", errno)
      }
      var number: Int32 = 0
      let bytes = unsafe [CChar](unsafeUninitializedCapacity: length) { buffer, count in
        let got = length == 0 ? 0 : unsafe body(buffer.baseAddress, length)
        if got < 0 { number = errno }
        count = max(0, got)
      }
      // It may have grown meanwhile.
      if number == ERANGE { continue }
      guard number == 0 else { throw FileFailure(path, "read with its attributes", number) }
      return bytes
    }
  }
}
#endif
