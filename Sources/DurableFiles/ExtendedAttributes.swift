internal import CLibrary

#if canImport(Glibc) || canImport(Musl)
internal import CExtendedAttributes
#endif

/// What a file has beside its bytes, its owner and its permissions: an access list and other extended
/// attributes.
///
/// Without its access list a file may be open to more people than before: where there is one, the
/// permissions of the group are the most that anybody in the list can have, and not the group's own.
enum ExtendedAttributes {
  /// Gives a new file all that another has.
  ///
  /// Labels of the system (`security.*` and the like) are given where that is permitted; what the
  /// system computes from a file's bytes never is.
  ///
  /// - Throws: ``FileFailure`` where an access list or an attribute of the user's cannot be kept.
  static func copyAll(from old: Int32, to new: Int32, path: String) throws(FileFailure) {
    #if os(Linux)
    for name in try names(of: old, path) where !computed.contains(name) {
      try copy(name, from: old, to: new, path: path)
    }
    // A folder may give its new files a list that the old one has not.
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

  /// Gives a new file the access list that another has, if it has one.
  ///
  /// - Throws: ``FileFailure`` where it cannot be given.
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
  /// Digests of the bytes, which would be wrong for others.
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

  /// Reads what has a length of its own; `nil` where there is nothing, or no such thing.
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
