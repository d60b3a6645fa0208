/// How long WebKit compiles patterns, by their forms.
///
/// > Source: `Scripts/measure-spellings --update`, which lets WebKitGTK compile 5,000 hosts in each
/// > form, and writes the lines below.
enum WebKitFactors {
  static let factors: [PatternForm: Double] = [
    // begin: measured
    .hostAnchor: 1.0,
    .oldHostAnchorToEnd: 10.0,
    .oldHostAnchor: 1.5,
    .looseHostAnchor: 1.3,
    .webHostAnchor: 1.4,
    .anywhere: 6.4,
      // end: measured
  ]
}
