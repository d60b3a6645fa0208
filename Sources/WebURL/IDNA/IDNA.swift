enum IDNA {
  static func domainToASCII(_ domain: [UInt8]) -> [UInt8]? {
    domain.contains { $0 >= 0x80 } ? nil : domain.map(ASCII.lowercased)
  }
}
