internal import CommandInput
internal import CommandOutput
internal import TextOutput

/// A way from one syntax to another.
///
/// Whoever adds a reader or a writer adds a route to ``all``.
struct ConversionRoute: Sendable {
  /// The syntaxes that it reads.
  var from: [ConvertedSyntax]
  /// What it writes.
  var to: ConversionProduct
  /// Reads the lists and converts them.
  ///
  /// - Throws: `InputError` or `ExitStatus` if a list cannot be read.
  var convert: @Sendable (ConversionRequest) throws -> any ConvertedList

  /// The routes that there are.
  static let all = [
    ConversionRoute(
      from: [.abp, .adguard, .ubo, .hosts],
      to: .webkit,
      convert: { try FilterConversionRoute.convert($0) }
    ),
    ConversionRoute(
      from: [.dnr],
      to: .webkit,
      convert: { try DeclarativeImportRoute.convert($0) }
    ),
    ConversionRoute(
      from: [.abp, .adguard, .ubo, .hosts],
      to: .dnr,
      convert: { try DeclarativeRoute.convertFilters($0) }
    ),
    ConversionRoute(
      from: [.webkit],
      to: .dnr,
      convert: { try DeclarativeRoute.convertLists($0) }
    ),
  ]

  /// Returns the route for a request; without a syntax, the first that leads there.
  ///
  /// - Throws: `InputError` with the routes that there are.
  static func find(
    from syntax: ConvertedSyntax?,
    to product: ConversionProduct
  ) throws(InputError) -> ConversionRoute {
    let route = all.first { route in
      route.to == product && syntax.map { route.from.contains($0) } ?? true
    }
    if let route { return route }
    let routes = all.map { route in
      "from \(route.from.map(\.rawValue).joined(separator: ", ")) to \(route.to.rawValue)"
    }
    throw InputError(
      "there is no conversion \(syntax.map { "from \($0.rawValue) " } ?? "")to \(product.rawValue); "
        + "there is \(routes.joined(separator: ", and "))"
    )
  }
}
