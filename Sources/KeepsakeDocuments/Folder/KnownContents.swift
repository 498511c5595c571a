/// What a store knows of its files: each as it was when it was last read or written.
struct KnownContents: Sendable {
  /// One file.
  struct Content: Sendable {
    let digest: ContentDigest
    /// The bytes, unless there was no room for them.
    var bytes: [UInt8]?
    /// How sure it is that the content survives a power cut.
    var durability = Durability.unknown
    /// Whether the file is known to have nothing but what the document's type knows.
    var isWhollyKnown = false

    init(_ bytes: [UInt8]) {
      digest = ContentDigest(of: bytes)
      self.bytes = bytes
    }
  }

  /// How sure it is that a content survives a power cut.
  enum Durability: Sendable {
    /// Somebody wrote it.
    case unknown
    /// This store made it durable.
    case sure
    /// The disk refused a flush: it must be written anew, for a later flush says nothing of it.
    case refused
  }

  /// The most bytes that are kept; of files beyond it the digest is.
  static let byteLimit = 32 << 20

  private var contents: [String: Content] = [:]
  private var byteCount = 0

  subscript(name: String) -> Content? { contents[name] }

  /// Makes room for what is known of so many files.
  mutating func reserveCapacity(_ count: Int) { contents.reserveCapacity(count) }

  /// Takes the content of a file for the one that is known.
  mutating func set(_ content: Content?, for name: String) {
    let old =
      content.map { contents.updateValue($0, forKey: name) } ?? contents.removeValue(forKey: name)
    byteCount += (content?.bytes?.count ?? 0) - (old?.bytes?.count ?? 0)
    if byteCount > Self.byteLimit, let count = content?.bytes?.count {
      contents[name]?.bytes = nil
      byteCount -= count
    }
  }

  /// Notes more of a content, unless another has taken its place.
  mutating func update(_ name: String, _ digest: ContentDigest, _ change: (inout Content) -> Void) {
    guard var content = contents[name], content.digest == digest else { return }
    change(&content)
    set(content, for: name)
  }
}
