internal import CTickbird

/// The columns of a caller's batch, one for each part of a load.
@safe
struct BatchColumns {
  let url: Column
  let page: Column
  let frame: Column
  let type: Column
  let context: Column
  let method: Column
  let party: Column
  /// The type of every row, for a batch without a column of types.
  let everyType: LoadParts.Text
  let rows: Int

  /// Reads the columns; `nil` if one of them is none.
  init?(_ batch: tickbird_batch) {
    let rows = unsafe batch.rows
    guard rows >= 0,
      let url = unsafe Column(batch.url, rows: rows),
      let page = unsafe Column(batch.page, rows: rows),
      let frame = unsafe Column(batch.frame, rows: rows),
      let type = unsafe Column(batch.type, rows: rows),
      let context = unsafe Column(batch.context, rows: rows),
      let method = unsafe Column(batch.method, rows: rows),
      let party = unsafe Column(batch.party, rows: rows),
      let everyType = unsafe LoadParts.text(batch.every_type)
    else { return nil }
    self.url = url
    self.page = page
    self.frame = frame
    self.type = type
    self.context = context
    self.method = method
    self.party = party
    unsafe self.everyType = everyType
    self.rows = rows
  }

  /// Returns a row's type; `nil` if its offsets are not within the bytes.
  @inline(__always)
  func type(_ row: Int) -> LoadParts.Text? { unsafe type.exists ? type.text(row) : everyType }

  /// Returns a row's load; `nil` if a column's offsets are wrong.
  @inline(__always)
  func load(_ row: Int) -> LoadParts? {
    guard let url = unsafe url.text(row), let page = unsafe page.text(row),
      let frame = unsafe frame.text(row), let type = unsafe type(row),
      let context = unsafe context.text(row), let method = unsafe method.text(row),
      let party = unsafe party.text(row)
    else { return nil }
    return unsafe LoadParts(
      url: url,
      page: page,
      frame: frame,
      type: type,
      context: context,
      method: method,
      party: party
    )
  }
}
