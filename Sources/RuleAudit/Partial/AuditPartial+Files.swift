package import CommandInput
internal import CommandOutput
package import TextOutput

// What needs zlib and files; the C library does without (`Scripts/build-library`).

extension AuditPartial {
  /// Encodes an audit as a file; equal audits give equal files.
  package static func write(_ audit: Audit) throws(OutputError) -> [UInt8] {
    guard let file = Gzip.compressed(json(audit)) else {
      throw OutputError(message: "the partial audit cannot be compressed: there is no memory")
    }
    return file
  }

  /// Reads an audit from a file.
  ///
  /// - Throws: ``InputError`` that names the file, and the place in it, if it is not a complete
  ///   partial audit of this version.
  package static func read(path: String) throws(InputError) -> Audit {
    let input = try ByteInput(path: path)
    return try read(try input.readAll(limit: sizeLimit), name: input.name)
  }
}
