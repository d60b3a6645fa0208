// swift-format-ignore-file
import Cocoa

@NSApplicationMain
class AppDelegate: NSObject, NSApplicationDelegate {}
