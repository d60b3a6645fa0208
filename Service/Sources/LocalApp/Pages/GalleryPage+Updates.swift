internal import ExtensionGallery
internal import Hummingbird
internal import PageTexts

/// Updates of what is installed, and the questions of those that ask for more.
extension GalleryPage {
  /// Installs what asks for nothing new, and goes on to the questions of the others.
  func update(_ visit: Visit) async throws -> Response {
    let identifier = visit.form["id"]
    let (results, questions) = try await installation.update(
      identifier.isEmpty ? nil : [identifier]
    )
    await shelf.forget()
    let texts = visit.texts
    var updated: [String] = []
    var problems: [(name: String, reason: Phrase)] = []
    for result in results {
      switch result.outcome {
      case .updated(let from, let to, _): updated.append("\(result.identifier) \(from) → \(to)")
      case .failed(let error): problems.append((result.identifier, .english(error.message)))
      case .noSource(let reason) where !identifier.isEmpty:
        problems.append((result.identifier, .english(reason)))
      case .upToDate, .moved, .noSource, .needsConsent: break
      }
    }
    let back =
      identifier.isEmpty ? "/gallery" : "/extensions/extension/\(Paging.encoded(identifier))"
    let place = questions.isEmpty ? back : "/gallery/questions"
    // The questions are the answer, where there is nothing else to tell.
    if updated.isEmpty, problems.isEmpty, !questions.isEmpty { return site.done(to: place) }
    let found =
      updated.isEmpty
      ? texts("gallery_nothing_updated") : texts("gallery_updated", texts.list(updated))
    guard !problems.isEmpty else { return site.done(found, to: place) }
    return site.done(
      texts.sentences([found, texts("gallery_not_updated", texts.failures(problems))]),
      isWarning: true,
      to: place
    )
  }

  /// Shows what the command asks on a terminal, one form for each.
  func questions(_ visit: Visit) -> Response {
    let questions = installation.updates
    let values = questions.enumerated().map { number, question -> [String: Any] in
      var values = OfferWords(question.offer).values
      values["number"] = number
      values["offer"] = question.key
      values["kind"] = Self.kind(question.offer.manifest.extensionPoint, visit.texts)
      values["page"] = "\(site.base)/gallery"
      values["fromGallery"] = question.offer.gallery.map { ["text": $0] }
      return site.values(values)
    }
    return site.page(
      visit.texts("gallery_questions"),
      in: .gallery,
      for: visit,
      content: Template.galleryQuestions(
        site.values(["questions": values, "hasQuestions": !values.isEmpty]),
        in: visit.texts.language
      )
    )
  }
}
