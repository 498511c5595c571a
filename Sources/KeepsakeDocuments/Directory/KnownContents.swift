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
    /// The names of the document's past versions as this store left them, newest first.
    var versions: [String]?
    /// The number of the write that it came by, among all of this store; 0 where it was read.
    fileprivate(set) var write = 0

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
  /// The same for files that are loaded together, most of which nobody changes.
  private static let byteLimitOfLoadingAll = 1 << 20

  /// How many contents this store has written.
  private(set) var writeCount = 0
  private var contents: [String: Content] = [:]
  private(set) var byteCount = 0

  /// Whether the bytes of files that are loaded together are kept.
  var isKeepingBytesOfAll: Bool { byteCount < Self.byteLimitOfLoadingAll }

  subscript(name: String) -> Content? { contents[name] }

  /// Makes room for what is known of so many files.
  mutating func reserveCapacity(_ count: Int) { contents.reserveCapacity(count) }

  /// Takes a content that was written for the one that is known.
  mutating func wrote(_ content: Content, to name: String) {
    var content = content
    writeCount += 1
    content.write = writeCount
    set(content, for: name)
  }

  /// Takes a content that was read for the one that is known, unless another was written since.
  ///
  /// - Parameter count: How many had been written when it was read.
  mutating func read(_ content: Content, from name: String, after count: Int) {
    guard let known = contents[name] else { return set(content, for: name) }
    if known.digest != content.digest && known.write <= count {
      set(content, for: name)
    } else if known.bytes == nil, content.bytes != nil {
      update(name, content.digest) { $0.bytes = content.bytes }
    }
  }

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

  /// Takes what is known of a file for that of its new name, unless something is known of that; its
  /// names are to be made durable anew.
  mutating func move(_ name: String, to newName: String) {
    guard var content = contents[name] else { return }
    set(nil, for: name)
    if contents[newName] != nil { return }
    content.durability = .unknown
    wrote(content, to: newName)
  }

  /// Notes more of a content, unless another has taken its place.
  mutating func update(_ name: String, _ digest: ContentDigest, _ change: (inout Content) -> Void) {
    guard var content = contents[name], content.digest == digest else { return }
    change(&content)
    set(content, for: name)
  }
}
