public import Foundation
public import GRDB

extension Row {
  /// Returns the value of a column; in a damaged database, which may have any value anywhere, another one.
  ///
  /// GRDB's subscript ends the program there, and with it all that the program does beside. Use this where a value is
  /// shown or can be found out again, and `try decode(forColumn:)` where a wrong one must not be written back.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - other: What is returned for a value of another type, and for a missing one where it has to be there.
  /// - Returns: The value, or `other`.
  public func value<Value: DatabaseValueConvertible>(_ column: String, or other: Value) -> Value {
    (try? decode(Value.self, forColumn: column)) ?? other
  }

  /// Returns the number of a column within a range; of one beyond it, the end of the range.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - range: What the program can calculate with; its lower end also stands for a value of another type.
  /// - Returns: The number.
  public func count<Number: FixedWidthInteger & DatabaseValueConvertible>(
    _ column: String,
    in range: ClosedRange<Number>
  ) -> Number {
    Swift.min(Swift.max(value(column, or: range.lowerBound), range.lowerBound), range.upperBound)
  }

  /// Returns the time of a column that has seconds since 1970.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - perSecond: How many of the column's units a second has.
  /// - Returns: The time; `nil` for a missing one, one that no calendar has, and a value of another type.
  public func date(_ column: String, perSecond: Double = 1) -> Date? {
    guard let number = value(column, or: Double?.none) else { return nil }
    let date = Date(timeIntervalSince1970: number / perSecond)
    return date.isKept ? date : nil
  }
}

extension Date {
  /// Whether a database gives the time back: not one that no calendar has.
  public var isKept: Bool { abs(timeIntervalSince1970) <= Self.latest }

  /// The end of the year 9999.
  private static let latest = 253_402_300_800.0.nextDown
}
