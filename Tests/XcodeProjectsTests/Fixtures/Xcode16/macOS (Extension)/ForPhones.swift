// swift-format-ignore-file
import CoreTelephony
