import Foundation

/// A note that covers the pages of a site.
struct Note: Codable {
    var id: String
    var site: String
    var text: String
    var emoji: String
    var snoozedUntil: Date?

    var isSnoozed: Bool { snoozedUntil.map { $0 > Date() } ?? false }
}

/// The notes, in a file that the app and its extension share.
struct NoteStore {
    private let file: URL

    /// Finds the file; nil without the application group.
    init?() {
        let group = "group.com.example.page-notes"
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
            return nil
        }
        file = folder.appendingPathComponent("Notes.json")
    }

    private var notes: [Note] {
        (try? JSONDecoder().decode([Note].self, from: Data(contentsOf: file))) ?? []
    }

    private func save(_ notes: [Note]) {
        try? JSONEncoder().encode(notes).write(to: file, options: .atomic)
    }

    func note(for site: String) -> Note? { notes.last { $0.site == site } }

    func add(_ note: Note) { save(notes + [note]) }

    func change(_ id: String, _ body: (inout Note) -> Void) {
        save(
            notes.map { note in
                var note = note
                if note.id == id { body(&note) }
                return note
            }
        )
    }

    func delete(_ id: String) { save(notes.filter { $0.id != id }) }
}
