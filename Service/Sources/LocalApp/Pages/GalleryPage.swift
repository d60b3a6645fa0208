internal import ExtensionBundles
internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import GallerySite
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PageTexts
internal import Synchronization

/// The pages of galleries: adding one, browsing, searching, installing, updating, removing.
///
/// What is asked before, and by whom it is checked, is what `tickbird gallery add` and `tickbird install`
/// ask: both call the same installer.
struct GalleryPage: Sendable {
  let site: Site
  let installer: ExtensionInstaller
  let extensions: any HostCalling
  let shelf: GalleryShelf
  let installation: AskedInstallation
  private static let perPage = 48

  init(site: Site, installer: ExtensionInstaller, extensions: any HostCalling) {
    self.site = site
    self.installer = installer
    self.extensions = extensions
    shelf = GalleryShelf(installer)
    installation = AskedInstallation(installer)
  }

  func add(to routes: Routes) {
    routes.get("/gallery", in: .gallery) { visit in try await index(visit) }
    routes.get("/gallery/extension", in: .gallery, detail)
    routes.get("/gallery/pictures/:name", in: .gallery, picture)
    routes.post("/gallery/add", in: .gallery, add)
    routes.post("/gallery/remove", in: .gallery, removeGallery)
    routes.post("/gallery/look", in: .gallery) { _ in
      await shelf.forget()
      return site.done(to: "/gallery")
    }
    routes.post("/gallery/prepare", in: .gallery, prepare)
    routes.post("/gallery/install", in: .gallery, install)
    routes.post("/gallery/update", in: .gallery, update)
    routes.get("/gallery/questions", in: .gallery, questions)
    routes.post("/gallery/uninstall", in: .gallery, uninstall)
  }

  // MARK: Looking

  private func index(
    _ visit: Visit,
    address: String = "",
    error: GalleryError? = nil
  ) async throws -> Response {
    let texts = visit.texts
    let galleries = try await shelf.browsed()
    let installed = Set(try await installer.store.installedIdentifiers())
    let query = visit.query["q"].trimmingCharacters(in: .whitespaces)
    let wanted = visit.query["category"]
    let offers = try await shelf.offers()
    let found = try await shelf.found(query, category: wanted, texts.of(.gallerySite))
    let counts = offers.counts
    let paging = Paging(count: found.count, perPage: Self.perPage, page: visit.query.number("page"))
    var values: [String: Any] = [
      "isEmpty": galleries.isEmpty, "query": query, "address": address,
      "summary": texts.counted("gallery_count", found.count), "hasFound": !found.isEmpty,
      "category": wanted, "hasMany": offers.all.count > 1,
      "categories": Presentation.categories.compactMap { category -> [String: Any]? in
        guard let count = counts[category] else { return nil }
        return [
          "id": category, "title": texts("\(category)_category"), "count": texts.number(count),
          "isCurrent": category == wanted,
        ]
      },
      "entries": found[paging.range].map { each -> [String: Any] in
        self.values(each, installed, texts).merging([
          "hasTwins": offers.hasTwins(each)
        ]) { $1 }
      },
      "paging": paging.values("\(site.base)/gallery", ["q": query, "category": wanted], texts),
      "galleries": galleries.map { browsed -> [String: Any] in
        var values: [String: Any] = [
          "name": browsed.gallery.name, "address": browsed.gallery.url.absoluteString,
          "key": browsed.gallery.pin.key.fingerprint.description,
          "contents": texts.counted("gallery_count", browsed.list?.entries.count ?? 0),
        ]
        if let error = browsed.error {
          values["fault"] = ["text": PageError.message(error, for: visit).shown]
        }
        return values
      },
    ]
    let waiting = installation.updates.count
    if waiting > 0 {
      values["waiting"] = ["text": texts.counted("gallery_questions_waiting", waiting)]
    }
    if let error { values["error"] = ["message": PageError.message(error, for: visit).shown] }
    return site.page(
      in: .gallery,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.gallery(site.values(values), in: texts.language)
    )
  }

  private func detail(_ visit: Visit) async throws -> Response {
    let offered = try await chosen(visit.query["gallery"], visit.query["id"], visit.texts)
    let installed = try await installer.store.installedExtension(offered.shown.entry.identifier)
    var values = values(offered, [], visit.texts)
    values["installed"] = installed.map { ["version": $0.version] }
    values["isInstalled"] = installed != nil
    values["isNewer"] = installed?.version != offered.shown.entry.version.description
    return site.page(
      .value(offered.shown.entry.name),
      in: .gallery,
      for: visit,
      content: Template.galleryExtension(site.values(values), in: visit.texts.language)
    )
  }

  private func picture(_ visit: Visit) async throws -> Response {
    guard let found = try await shelf.picture(visit.part("name")) else {
      throw PageError(.notFound, visit.texts("gallery_no_picture"))
    }
    return Response(
      status: .ok,
      headers: [.contentType: found.type],
      body: .init(byteBuffer: ByteBuffer(bytes: found.bytes))
    )
  }

  // MARK: Galleries

  /// Adds a gallery: at first shows its key, and adds it with the fingerprint that was shown.
  private func add(_ visit: Visit) async throws -> Response {
    let text = visit.form["address"].trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      // A page must not make this program read files.
      guard let address = URL(string: text), ["http", "https"].contains(address.scheme ?? ""),
        Downloader.allows(address)
      else {
        throw GalleryError(
          .download,
          "“\(text)” is no address of a gallery; give one that begins with https://"
        )
      }
      let key = try fingerprint(visit.form["key"])
      let root = try fingerprint(visit.form["root"])
      let shown = Mutex<UpdateList?>(nil)
      let added = try await installer.addGallery(address, key: key, root: root) { list in
        shown.withLock { $0 = list }
        return false
      }
      await shelf.forget()
      if let added { return site.done(visit.texts("gallery_added", added.name), to: "/gallery") }
      guard let list = shown.withLock({ $0 }) else { return site.done(to: "/gallery") }
      return site.page(
        in: .gallery,
        for: visit,
        content: Template.galleryKey(
          site.values([
            "name": list.name, "address": text, "key": list.signer.fingerprint.description,
            "root": list.root?.fingerprint.description ?? "", "hasRoot": list.root != nil,
            "contents": visit.texts.counted("gallery_count", list.entries.count),
          ]),
          in: visit.texts.language
        )
      )
    } catch let error as GalleryError {
      return try await index(visit, address: text, error: error)
    }
  }

  private func fingerprint(_ text: String) throws -> KeyFingerprint? {
    guard !text.trimmingCharacters(in: .whitespaces).isEmpty else { return nil }
    guard let fingerprint = KeyFingerprint(text) else {
      throw GalleryError(.key, "“\(text)” is no fingerprint: 64 hexadecimal digits")
    }
    return fingerprint
  }

  private func removeGallery(_ visit: Visit) async throws -> Response {
    try await installer.removeGallery(visit.form["gallery"])
    await shelf.forget()
    return site.done(
      visit.texts("gallery_removed"),
      to: "/gallery"
    )
  }

  // MARK: Installing

  /// Fetches and checks a package, and shows what the command shows before it asks.
  private func prepare(_ visit: Visit) async throws -> Response {
    let offered = try await chosen(visit.form["gallery"], visit.form["id"], visit.texts)
    let prepared = try await installation.prepare(
      offered.shown.entry.identifier,
      from: offered.browsed.gallery.url,
      again: visit.form["again"] == "yes"
    )
    guard case .offer(let question) = prepared else {
      return site.done(
        visit.texts(
          "gallery_installed_already",
          offered.shown.entry.name,
          offered.shown.entry.shortVersion
        ),
        to: place(offered)
      )
    }
    var values = values(offered, [], visit.texts)
    values.merge(OfferWords(question.offer).values) { $1 }
    values["fromGallery"] = ["text": offered.browsed.gallery.name]
    values["offer"] = question.key
    values["isAlone"] = true
    return site.page(
      .value(question.offer.manifest.name),
      in: .gallery,
      for: visit,
      content: Template.galleryOffer(site.values(values), in: visit.texts.language)
    )
  }

  /// Installs exactly what a page has shown.
  private func install(_ visit: Visit) async throws -> Response {
    let outcome = try await installation.install(visit.form["offer"])
    // The next question, if there is one.
    func back(_ manifest: PackageManifest) -> String {
      installation.updates.isEmpty
        ? "/extensions/extension/\(Paging.encoded(manifest.identifier))" : "/gallery/questions"
    }
    switch outcome {
    case .installed(let manifest, .waiting):
      return site.done(
        visit.texts("gallery_installed_off", manifest.name, manifest.shortVersion),
        to: back(manifest)
      )
    case .installed(let manifest, _), .alreadyThere(let manifest):
      return site.done(
        visit.texts("gallery_installed", manifest.name, manifest.shortVersion),
        to: back(manifest)
      )
    case .declined: return site.done(visit.texts("gallery_nothing_installed"), to: "/gallery")
    }
  }

  private func uninstall(_ visit: Visit) async throws -> Response {
    let identifier = visit.form["id"]
    let found = try await extensions.call(DescribeExtension(identifier: identifier))
    guard visit.form["sure"] == "yes" else {
      return site.page(
        .value(found.name),
        in: .gallery,
        for: visit,
        content: Template.galleryRemoval(
          site.values([
            "name": found.name, "identifier": identifier, "gallery": visit.form["gallery"],
            "back": place(visit.form["gallery"], identifier),
          ]),
          in: visit.texts.language
        )
      )
    }
    _ = try await extensions.call(RemoveExtension(identifier: identifier))
    return site.done(visit.texts("gallery_uninstalled", found.name), to: "/gallery")
  }

  // MARK: Values

  private func chosen(
    _ gallery: String,
    _ identifier: String,
    _ texts: Texts
  ) async throws -> GalleryIndex.Offered {
    guard let found = try await shelf.offers().offered(identifier, in: gallery) else {
      throw PageError(.notFound, texts("gallery_gone"))
    }
    return found
  }

  private func place(_ gallery: String, _ identifier: String) -> String {
    "/gallery/extension?gallery=\(Paging.encoded(gallery))&id=\(Paging.encoded(identifier))"
  }

  private func place(_ offered: GalleryIndex.Offered) -> String {
    place(offered.browsed.gallery.url.absoluteString, offered.shown.entry.identifier)
  }

  private func values(
    _ offered: GalleryIndex.Offered,
    _ installed: Set<String>,
    _ texts: Texts
  ) -> [String: Any] {
    let shown = offered.shown
    var values = shown.values(folder: "\(site.base)/gallery/pictures/", texts.of(.gallerySite))
    values["kind"] = Self.kind(shown.entry.extensionPoint, texts)
    values["category"] = texts("\(shown.category)_category")
    values["size"] = texts.size(Int(clamping: shown.entry.size))
    values["versions"] = (shown.shown?.versions ?? []).map { version -> [String: Any] in
      var time: [String: Any] = texts.time(version.listed)
      time["version"] = version.version.description
      time["size"] = texts.size(Int(clamping: version.size))
      return time
    }
    values["page"] = site.base + place(offered)
    values["gallery"] = offered.browsed.gallery.name
    values["galleryAddress"] = offered.browsed.gallery.url.absoluteString
    values["isInstalled"] = installed.contains(offered.shown.entry.identifier)
    return values
  }

  static func kind(_ point: String, _ texts: Texts) -> Phrase {
    switch ExtensionPoint(rawValue: point) {
    case .contentBlocker: texts("extension_kind_blocker")
    case .sharedLinks: texts("extension_kind_links")
    case .webExtension: texts("extension_kind_web")
    default: .code(point)
    }
  }
}

/// The question before an installation, in words.
struct OfferWords {
  let offer: InstallOffer

  init(_ offer: InstallOffer) { self.offer = offer }

  var values: [String: Any] {
    var values: [String: Any] = [
      "name": offer.manifest.name, "identifier": offer.manifest.identifier,
      "shortVersion": offer.manifest.shortVersion, "version": offer.manifest.version.description,
      "signer": offer.signer.description, "isNewKey": offer.trust == .new,
      "isKnownKey": offer.trust == .known,
      "requests": offer.requests.sentences.map { ["text": $0] },
      "asksForMore": offer.asksForMore,
      "additional": offer.additionalRequests.map { ["text": $0] },
      "replacesUnsigned": offer.replacesUnsigned,
    ]
    if case .rotated(let old) = offer.trust { values["rotated"] = ["key": old.description] }
    values["replaces"] = offer.installedVersion.map {
      ["version": $0, "new": "\(offer.manifest.shortVersion) (\(offer.manifest.version))"]
    }
    return values
  }
}
