internal import PageTexts

/// How pages look: `Resources/Pages`, which are part of the program.
extension Template {
  /// The frame around all pages.
  static let frame = page(PackageResources.frame_mustache)
  static let problem = page(PackageResources.problem_mustache)
  /// The page for those who were not let in.
  static let refusal = page(PackageResources.refusal_mustache)

  static let extensions = page(PackageResources.extensions_mustache)
  static let extensionDetail = page(PackageResources.extension_detail_mustache)

  static let gallery = page(PackageResources.gallery_mustache)
  static let galleryKey = page(PackageResources.gallery_key_mustache)
  static let galleryExtension = page(PackageResources.gallery_extension_mustache)
  static let galleryOffer = page(PackageResources.gallery_offer_mustache)
  static let galleryQuestions = page(PackageResources.gallery_questions_mustache)
  static let galleryRemoval = page(PackageResources.gallery_removal_mustache)

  static let lists = page(PackageResources.lists_mustache)

  static let rules = page(PackageResources.rules_mustache)
  /// The part of the page of rules that its script asks for.
  static let rulesAnswer = page(PackageResources.rules_answer_mustache)

  static let stream = page(PackageResources.stream_mustache)
  static let subscriptions = page(PackageResources.subscriptions_mustache)
  static let unsubscribing = page(PackageResources.unsubscribing_mustache)

  static let notes = page(PackageResources.notes_mustache)
  static let noteEditor = page(PackageResources.note_editor_mustache)
  static let noteDeletion = page(PackageResources.note_deletion_mustache)

  /// What several templates take in: `Resources/Parts`.
  static let parts = TemplateParts(
    [
      "extension-failure": PackageResources.extension_failure_mustache,
      "extension-switch": PackageResources.extension_switch_mustache,
      "offer": PackageResources.offer_mustache,
      "paging": PackageResources.paging_mustache,
    ],
    texts: .localApp
  )

  private static func page(_ bytes: [UInt8]) -> Template {
    Template(bytes, texts: .localApp, parts: parts)
  }
}

/// What pages say: `Resources/Texts`.
extension TextCatalogue {
  static let localApp = TextCatalogue([
    .english: PackageResources.en_json, .german: PackageResources.de_json,
    .japanese: PackageResources.ja_json, .arabic: PackageResources.ar_json,
  ])
}
