#if Secrets
import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Secret Service of the user's desktop, asked through `secret-tool`.
///
/// A secret is an item with two attributes, the app and the name. Its value is Base64, so that any
/// bytes pass through a tool made for text.
struct SecretService: SecretBackend {
  let identifier: String
  /// The variables the tool runs with; the process's own unless given.
  var environment: [String: String]?

  func names() throws(SecretError) -> [String] {
    let found = try run(["search", "--all", "--unlock", "application", identifier])
    // Secrets go to one stream, attributes to the other; which depends on the tool's version.
    let mark = "attribute.name = "
    let lines = (found.output + [0x0A] + found.errors).split(separator: 0x0A)
    return Set(
      lines.map { String(decoding: $0, as: UTF8.self) }
        .filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
        .compactMap(PercentEncoding.decode)
    ).sorted()
  }

  func bytes(for name: String) throws(SecretError) -> [UInt8]? {
    let found = try run(["lookup"] + attributes(of: name), name: name)
    if found.output.isEmpty { return nil }
    let text = String(decoding: found.output, as: UTF8.self)
    guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
      throw SecretError(.damaged, "another program changed the secret; it is kept", name: name)
    }
    return Array(data)
  }

  func update(_ body: (inout SecretChanges) throws -> Void) throws {
    var changes = SecretChanges { (name) throws(SecretError) in try bytes(for: name) }
    try body(&changes)
    for (name, bytes) in changes.changes.sorted(by: { $0.key < $1.key }) {
      if let bytes {
        let label = Self.encodeName("\(identifier): \(name)")
        _ = try run(
          ["store", "--label=\(label)"] + attributes(of: name), name: name,
          input: Array(Data(bytes).base64EncodedString().utf8))
      } else {
        _ = try run(["clear"] + attributes(of: name), name: name)
      }
    }
  }

  // Names may hold anything; an attribute is a line of text.
  private func attributes(of name: String) -> [String] {
    ["application", identifier, "name", Self.encodeName(name)]
  }

  private static func encodeName(_ name: String) -> String {
    PercentEncoding.encode(name) { _, scalar in scalar.value < 0x20 || scalar.value == 0x7F }
  }

  private func run(
    _ arguments: [String], name: String? = nil, input: [UInt8] = []
  ) throws(SecretError) -> CommandResult {
    do {
      let result = try CommandResult(
        of: "secret-tool", arguments, input: input, environment: environment)
      // The tool ends with 1 both where it found nothing and where it failed; only then it says why.
      let complaint = String(decoding: result.errors, as: UTF8.self)
        .split(separator: "\n").joined(separator: "; ")
      if result.status == 0 || result.status == 1 && !complaint.contains("secret-tool:") {
        return result
      }
      throw SecretError(
        .unavailable,
        "the Secret Service did not answer (\(complaint))",
        name: name)
    } catch let error as SecretError {
      throw error
    } catch {
      throw SecretError(
        .unavailable, "secret-tool cannot be run; it is in the package libsecret-tools",
        name: name, cause: error)
    }
  }
}
#endif
