// swift-format-ignore-file
import Foundation

enum Feed {
    static let address = "https://feed.example/item"
}
