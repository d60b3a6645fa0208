// swift-format-ignore-file
import AppKit
