/// How long WebKit compiles patterns, by their forms.
///
/// > Source: `Scripts/measure-spellings --update`, which lets WebKitGTK compile 5,000 hosts in each
/// > form, and writes the lines below.
enum WebKitFactors {
  static let factors: [PatternForm: Double] = [
    // Measured:
    .hostAnchor: 1.0,
    .oldHostAnchorToEnd: 9.2,
    .oldHostAnchor: 1.4,
    .looseHostAnchor: 1.1,
    .webHostAnchor: 1.0,
    .anywhere: 6.2,
  ]
}
