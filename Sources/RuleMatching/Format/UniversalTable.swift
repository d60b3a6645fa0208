/// Entries of filters that match every URL: they depend on the page and the load's flags alone.
///
///     offset    size  field
///          0       4  entries without a condition or with a negated one, u
///          4       4  entries in all, n
///          8  4(c+1)  for each of the c conditions, and once more for the end: the number of its
///                     first entry, the first u apart
///                 8n  entry class and rule, 4 bytes each: the u first, then by condition
public enum UniversalTable {
  /// The size of an entry in bytes.
  public static let entrySize = 8
  /// The size of the fixed part in bytes.
  public static let headerSize = 8
}
