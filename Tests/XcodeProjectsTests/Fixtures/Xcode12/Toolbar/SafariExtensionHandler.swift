// swift-format-ignore-file
import SafariServices
