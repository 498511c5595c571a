#if Secrets
import KeepsakeBase
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Secret Service of the user's desktop, used through `secret-tool`.
///
/// A secret is an item with two attributes, the app and the name. Its value is Base64, so that any
/// bytes pass through a tool made for text.
struct SecretService: SecretBackend {
  let identifier: String
  /// The environment of the tool; by default that of the process.
  var environment: [String: String]?
  /// The tool, found on the search path.
  var command = "secret-tool"

  /// The maximum size of a secret. The tool stores no more than the first 8,191 bytes that it reads,
  /// and succeeds.
  static let maximumSize = 8191 / 4 * 3

  func names() throws(SecretError) -> [SecretName] {
    let found = try run(["search", "--all", "--unlock", "application", Self.encode(identifier)])
    // The tool writes secrets to one stream and attributes to the other, depending on its version.
    let mark = "attribute.name = "
    let lines = (found.output + [0x0A] + found.errors).split(separator: 0x0A)
    let names = lines.map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
      .compactMap(PercentEncoding.decode)
    return Set(names.map { SecretName($0) }).sorted()
  }

  func bytes(for name: SecretName) throws(SecretError) -> [UInt8]? {
    let found = try run(["lookup"] + attributes(of: name), name: name)
    // An item without a value is an empty secret.
    if found.output.isEmpty && found.status != 0 { return nil }
    let text = String(decoding: found.output, as: UTF8.self)
    guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
      throw SecretError(
        .damaged, "another program changed the secret; it is kept", name: name.string)
    }
    return Array(data)
  }

  func update(_ body: (inout SecretChanges) throws -> Void) throws {
    var changes = SecretChanges { (name) throws(SecretError) in try bytes(for: name) }
    try body(&changes)
    for (name, bytes) in changes.changes {
      guard let bytes, bytes.count > Self.maximumSize else { continue }
      throw SecretError(
        .notWritten,
        "the encoded secret has \(bytes.count) bytes, and secret-tool stores at most "
          + "\(Self.maximumSize); nothing was changed",
        name: name.string)
    }
    for (name, bytes) in changes.changes.sorted(by: { $0.key < $1.key }) {
      if let bytes { try store(bytes, as: name) } else { try clear(name) }
      // The tool can succeed without a change.
      guard try self.bytes(for: name) == bytes else {
        throw SecretError(
          .notWritten, "secret-tool succeeded, but the Secret Service has another secret",
          name: name.string)
      }
    }
  }

  private func store(_ bytes: [UInt8], as name: SecretName) throws(SecretError) {
    let label = Self.encode("\(identifier): \(name.string)")
    _ = try run(
      ["store", "--label=\(label)"] + attributes(of: name), name: name,
      input: Array(Data(bytes).base64EncodedString().utf8))
  }

  private func clear(_ name: SecretName) throws(SecretError) {
    _ = try run(["clear"] + attributes(of: name), name: name)
  }

  private func attributes(of name: SecretName) -> [String] {
    ["application", Self.encode(identifier), "name", Self.encode(name.string)]
  }

  /// Encodes a text as an attribute, which is one line, and as an argument, which is not an option.
  private static func encode(_ text: String) -> String {
    PercentEncoding.encode(text) { index, scalar in
      scalar.value < 0x20 || scalar.value == 0x7F || index == 0 && scalar == "-"
    }
  }

  private func run(
    _ arguments: [String], name: SecretName? = nil, input: [UInt8] = []
  ) throws(SecretError) -> CommandResult {
    let result: CommandResult
    do {
      result = try CommandResult(of: command, arguments, input: input, environment: environment)
    } catch {
      let message =
        error as? Errno == .noChildProcess
        ? "the result of secret-tool is unknown, because this process ignores SIGCHLD or waits for "
          + "all its children; a change may have been made"
        : "secret-tool cannot be run; it is in the package libsecret-tools"
      throw SecretError(.unavailable, message, name: name?.string, cause: error)
    }
    // The tool exits with 1 both if it found nothing and if it failed; only then it reports why.
    let complaints = String(decoding: result.errors, as: UTF8.self).split(separator: "\n")
    let hasFailed = complaints.contains { $0.hasPrefix("secret-tool:") }
    if result.status == 0 || result.status == 1 && !hasFailed { return result }
    throw SecretError(
      .unavailable, "the Secret Service did not answer (\(complaints.joined(separator: "; ")))",
      name: name?.string)
  }
}
#endif
