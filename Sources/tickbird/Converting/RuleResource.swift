internal import CLibrary
internal import CommandInput
internal import CommandOutput
internal import FilterLists

/// A file of declarative rules.
struct RuleResource {
  /// The file's name for messages and accounts.
  var name: String
  var text: [UInt8]

  private static let sizeLimit = 256 << 20

  /// Reads a file of rules; of an extension's folder, or of its `manifest.json`, all that are
  /// enabled.
  ///
  /// - Throws: `InputError` if something cannot be read, or no rules are enabled.
  static func files(at path: String) throws(InputError) -> [RuleResource] {
    let isFolder = isFolder(path)
    let manifest = isFolder ? path + "/manifest.json" : path
    let input = try ByteInput(path: manifest)
    let text = try input.readAll(limit: sizeLimit)
    guard isFolder || isManifest(text) else { return [RuleResource(name: input.name, text: text)] }
    guard path != "-", var folder = FilterFolder(ofList: manifest) else {
      throw InputError("standard input is a manifest; name its file, so that its rules are found")
    }
    var files: [RuleResource] = []
    for resource in try resources(text, input.name) where resource.isEnabled {
      let parts = resource.path.split(separator: "/").map(String.init)
      guard !parts.isEmpty, !parts.contains(".."), !parts.contains(".") else {
        throw InputError("\(input.name) names the rules “\(resource.path)”, outside of its folder")
      }
      do throws(FilterIncludeRefusal) {
        let text = try folder.read(parts, limit: sizeLimit)
        let prefix = manifest.dropLast("manifest.json".count)
        files.append(RuleResource(name: prefix + parts.joined(separator: "/"), text: text))
      } catch {
        throw InputError("\(input.name) names rules that cannot be read: \(error.message)")
      }
    }
    guard !files.isEmpty else {
      throw InputError("\(input.name) enables no rules; name a file of rules instead")
    }
    return files
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func isManifest(_ text: [UInt8]) -> Bool {
    var tape = JSONTape()
    guard (try? tape.parse(text.span)) != nil else { return false }
    return tape.member("manifest_version", of: JSONTape.root, in: text.span) != nil
  }

  /// What `declarative_net_request` of a manifest names.
  private static func resources(
    _ text: [UInt8],
    _ name: String
  ) throws(InputError) -> [(path: String, isEnabled: Bool)] {
    var tape = JSONTape()
    guard (try? tape.parse(text.span)) != nil else { throw InputError("\(name) is not JSON") }
    guard
      let rules = tape.member("declarative_net_request", of: JSONTape.root, in: text.span),
      let list = tape.member("rule_resources", of: rules, in: text.span)
    else { throw InputError("\(name) has no declarative_net_request.rule_resources") }
    var resources: [(path: String, isEnabled: Bool)] = []
    var children = tape.children(of: list)
    while let child = children.next() {
      guard let path = tape.string(tape.member("path", of: child, in: text.span), in: text.span)
      else { throw InputError("\(name) has an entry of rule_resources without a path") }
      let enabled = tape.member("enabled", of: child, in: text.span)
      let isEnabled = enabled.map { text[tape.offset(of: $0)] == UInt8(ascii: "t") } ?? true
      resources.append((path, isEnabled))
    }
    return resources
  }
}
