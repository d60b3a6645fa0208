// swift-format-ignore-file
import BaseKit
import Foundation

public final class ListProvider {
    public static let shared = ListProvider()

    // Types of extensions come with Foundation.
    public func item(for name: String) -> NSExtensionItem {
        let url = Bundle(for: ListProvider.self).url(forResource: name, withExtension: "json")
        let item = NSExtensionItem()
        item.attachments = url.flatMap { NSItemProvider(contentsOf: $0) }.map { [$0] }
        return item
    }
}
