import Foundation

/// The names that follow from an extension's name.
public struct ExtensionNames: Equatable, Sendable {
  /// The extension's display name.
  public let product: String
  /// The name of the Swift module.
  public private(set) var module: String

  /// Derives the names.
  ///
  /// - Throws: ``BundleError`` with code `.badName` if the name cannot be a file's.
  public init(product: String) throws {
    guard !product.isEmpty, product.utf8.count <= 100, !product.hasPrefix("."),
      product.unicodeScalars.allSatisfy({ $0 != "/" && $0.properties.generalCategory != .control })
    else {
      throw BundleError(
        .badName,
        "\"\(product)\" cannot name an extension; use 1 to 100 bytes without / or a leading dot"
      )
    }
    self.product = product
    // Xcode's rule for PRODUCT_MODULE_NAME: characters that an identifier cannot have become
    // underscores.
    var module = String(
      String.UnicodeScalarView(
        product.unicodeScalars.map {
          $0.isASCII && $0.properties.isAlphabetic || isDigit($0) ? $0 : "_"
        }
      )
    )
    if let first = module.unicodeScalars.first, isDigit(first) { module = "_" + module }
    self.module = module
  }

  /// Creates names with a module name that does not follow from the product's.
  ///
  /// - Throws: ``BundleError`` with code `.badName` if the product's name cannot be a file's, or the
  ///   module's is no identifier.
  public init(product: String, module: String) throws {
    try self.init(product: product)
    guard Self.isIdentifier(module) else {
      throw BundleError(.badName, "\"\(module)\" cannot name a Swift module; use an identifier")
    }
    self.module = module
  }

  /// Whether a text is a bundle identifier: letters, digits, hyphens and dots.
  public static func isBundleIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 155
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy { scalar in
            scalar == "-" || isDigit(scalar) || scalar.isASCII && scalar.properties.isAlphabetic
          }
      }
  }

  /// Returns why a text is not a bundle identifier, and what to write.
  public static func refusal(ofBundleIdentifier text: String) -> String {
    "\"\(text)\" is no bundle identifier; use letters, digits and hyphens, with single dots between "
      + "them, such as com.example.blocker, of at most 155 characters"
  }

  /// Whether a text is a Swift identifier.
  public static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }
}

private func isDigit(_ scalar: UnicodeScalar) -> Bool {
  (0x30...0x39).contains(scalar.value)
}
