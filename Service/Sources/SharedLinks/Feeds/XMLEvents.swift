internal import CLibXML2

/// An element's start, as the parser reports it.
struct XMLElement {
  /// The local name, without the prefix.
  var name: String
  var prefix: String?
  /// The namespace of the prefix; nil if it is not declared.
  var namespace: String?
  var attributes: [Attribute]

  struct Attribute {
    var name: String
    var prefix: String?
    var value: String
  }

  /// The value of an attribute by its local name; one without a prefix is preferred.
  subscript(attribute: String) -> String? {
    (attributes.first { $0.name == attribute && $0.prefix == nil }
      ?? attributes.first { $0.name == attribute })?.value
  }

  /// The value of an attribute by prefix and name.
  subscript(prefix: String, attribute: String) -> String? {
    attributes.first { $0.name == attribute && $0.prefix == prefix }?.value
  }
}

/// Receives the parser's events.
protocol XMLEventHandler: AnyObject {
  func start(_ element: XMLElement)
  func end()
  func text(_ text: String)
}

/// Parses XML with libxml2's SAX interface.
///
/// The parser recovers from errors, never uses the network, and knows only XML's five entities,
/// since ``XMLRepair`` has removed all declarations. libxml2's own limits on depth, names and text
/// apply.
enum XMLEvents {
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Parses a repaired document.
  ///
  /// - Returns: The parser's first complaint, as a sentence; nil if there was none.
  static func read(_ bytes: [UInt8], to handler: any XMLEventHandler) -> String? {
    guard isReady, !bytes.isEmpty, bytes.count < Int32.max else { return nil }
    let sink = Sink(handler)
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
      guard let context = unsafe xmlCreateMemoryParserCtxt(start, Int32(buffer.count)) else {
        return
      }
      defer { unsafe xmlFreeParserCtxt(context) }
      let options = XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue
      unsafe xmlCtxtUseOptions(context, Int32(bitPattern: options))
      guard let table = unsafe context.pointee.sax else { return }
      unsafe table.pointee = callbacks()
      // The sink outlives the parse, whose callbacks run on this thread only.
      unsafe context.pointee.userData = Unmanaged.passUnretained(sink).toOpaque()
      unsafe xmlParseDocument(context)
    }
    return sink.complaint
  }

  // C function pointers capture nothing, not even this type.
  private static func callbacks() -> xmlSAXHandler {
    var table = unsafe xmlSAXHandler()
    // XML_SAX2_MAGIC, a macro that Swift does not import.
    unsafe table.initialized = 0xDEED_BEAF
    unsafe table.startElementNs = { context, name, prefix, namespace, _, _, count, _, attributes in
      guard let sink = unsafe Sink.at(context) else { return }
      var list: [XMLElement.Attribute] = []
      for number in 0..<Int(count) {
        guard let fields = unsafe attributes.map({ unsafe $0 + number * 5 }),
          let start = unsafe fields[3], let end = unsafe fields[4]
        else { continue }
        let value = unsafe UnsafeBufferPointer(start: start, count: end - start)
        list.append(
          XMLElement.Attribute(
            name: unsafe text(fields[0]) ?? "",
            prefix: unsafe text(fields[1]),
            // With entity replacement off, the parser reports an ampersand in an attribute as
            // "&#38;"; the repaired document has no other references there.
            value: unsafe String(decoding: value, as: UTF8.self).replacing("&#38;", with: "&")
          )
        )
      }
      sink.handler.start(
        XMLElement(
          name: unsafe text(name) ?? "",
          prefix: unsafe text(prefix),
          namespace: unsafe text(namespace),
          attributes: list
        )
      )
    }
    unsafe table.endElementNs = { context, _, _, _ in
      unsafe Sink.at(context)?.handler.end()
    }
    unsafe table.characters = { context, start, length in
      guard let sink = unsafe Sink.at(context), let start = unsafe start else { return }
      let buffer = unsafe UnsafeBufferPointer(start: start, count: Int(length))
      sink.handler.text(unsafe String(decoding: buffer, as: UTF8.self))
    }
    unsafe table.ignorableWhitespace = table.characters
    unsafe table.cdataBlock = table.characters
    unsafe table.serror = { context, error in
      guard let sink = unsafe Sink.at(context), sink.complaint == nil,
        let error = unsafe error, let message = unsafe error.pointee.message
      else { return }
      let sentence = unsafe String(cString: message).trimmingWhitespace()
      sink.complaint = "line \(unsafe error.pointee.line): \(sentence)"
    }
    return unsafe table
  }

  /// What the callbacks receive as their context pointer.
  private final class Sink {
    let handler: any XMLEventHandler
    var complaint: String?

    init(_ handler: any XMLEventHandler) { self.handler = handler }

    static func at(_ context: UnsafeMutableRawPointer?) -> Sink? {
      guard let context = unsafe context else { return nil }
      return unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    }
  }
}

private func text(_ pointer: UnsafePointer<xmlChar>?) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe String(cString: pointer)
}
