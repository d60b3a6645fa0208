internal import ExtensionBundles

extension LegacyTranslator {
  mutating func readFolder() throws(WebExtensionError) {}
  mutating func writeGlobalBackground() {}
  var usesHost: Bool { false }
  var usesBeforeNavigate: Bool { false }
}
