#if Console
import KeepsakeBase

extension Loopback {
  /// A request that is within the limits of its server.
  public struct Request: Sendable {
    /// `GET` or another method, as it was sent.
    public let method: String
    /// The path, without the query; still percent-encoded.
    public let path: String
    /// The body; empty unless the route is an upload.
    public internal(set) var body: [UInt8] = []
    private let query: [(name: String, value: String)]

    /// A request as its first line states it, or `nil` if that is not one of HTTP/1.
    init?(line: String) {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0",
        words[1].hasPrefix("/")
      else { return nil }
      method = String(words[0])
      let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      path = String(parts[0])
      query =
        parts.count == 1
        ? [] : parts[1].split(separator: "&").compactMap(Self.item)
    }

    /// The first value of a name in the query, or `nil` if there is none.
    public func value(of name: String) -> String? { query.first { $0.name == name }?.value }

    /// A name and its value, as a form encodes them.
    private static func item(_ text: Substring) -> (name: String, value: String)? {
      let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let plain = words.map { PercentEncoding.decode(String($0.map { $0 == "+" ? " " : $0 })) }
      guard let name = plain[0] else { return nil }
      guard plain.count > 1 else { return (name, "") }
      return plain[1].map { (name, $0) }
    }
  }
}
#endif
