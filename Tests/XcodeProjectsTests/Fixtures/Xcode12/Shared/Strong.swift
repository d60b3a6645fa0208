// swift-format-ignore-file
let strong = true
