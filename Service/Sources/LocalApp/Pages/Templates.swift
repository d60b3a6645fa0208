/// How pages look: `Resources/Pages`, which are part of the program.
extension Template {
  /// The frame around all pages.
  static let frame = Template(PackageResources.frame_mustache)
  static let problem = Template(PackageResources.problem_mustache)
  /// The page for those who were not let in.
  static let refusal = Template(PackageResources.refusal_mustache)

  static let extensions = Template(PackageResources.extensions_mustache)
  static let extensionDetail = Template(PackageResources.extension_detail_mustache)

  static let lists = Template(PackageResources.lists_mustache)

  static let rules = Template(PackageResources.rules_mustache)
  /// The part of the page of rules that its script asks for.
  static let rulesAnswer = Template(PackageResources.rules_answer_mustache)

  static let stream = Template(PackageResources.stream_mustache)
  static let subscriptions = Template(PackageResources.subscriptions_mustache)
  static let unsubscribing = Template(PackageResources.unsubscribing_mustache)

  static let notes = Template(PackageResources.notes_mustache)
  static let noteEditor = Template(PackageResources.note_editor_mustache)
  static let noteDeletion = Template(PackageResources.note_deletion_mustache)

  /// What several templates take in, as `{{> name}}`: `Resources/Parts`.
  static let parts = [
    "extension-failure": PackageResources.extension_failure_mustache,
    "extension-switch": PackageResources.extension_switch_mustache,
    "paging": PackageResources.paging_mustache,
  ]
}
