import SafariServices

/// What is known of open pages; handlers come and go with each event.
class Articles {
    static let shared = Articles()

    var words: [SFSafariPage: Int] = [:]

    /// The minutes that a page takes to read, at 200 words a minute; 0 for a page that is no article.
    func minutes(of page: SFSafariPage) -> Int {
        guard let words = words[page], words >= 100 else { return 0 }
        return (words + 199) / 200
    }
}
