/// What a store knows about its files since it last read or wrote each.
struct KnownContents: Sendable {
  /// One file.
  struct Content: Sendable {
    let digest: ContentDigest
    /// The bytes, unless there was no space for them.
    var bytes: [UInt8]?
    /// Whether the content survives a power cut.
    var durability = Durability.unknown
    /// Whether the file is known to contain no unknown keys.
    var isWhollyKnown = false
    /// The names of the document's past versions as this store left them, newest first.
    var versions: [String]?
    /// The number of the write by this store that it comes from; 0 if it was read.
    fileprivate(set) var write = 0

    init(_ bytes: [UInt8]) {
      digest = ContentDigest(of: bytes)
      self.bytes = bytes
    }
  }

  /// Whether a content survives a power cut.
  enum Durability: Sendable {
    /// It was not written by this store.
    case unknown
    /// This store made it durable.
    case durable
    /// The disk refused a flush: it must be written again, because a later flush proves nothing.
    case refused
  }

  /// The maximum number of bytes that are kept; of further files only the digests are.
  static let byteLimit = 32 << 20
  /// The same while all files are loaded, most of which will not be changed.
  private static let byteLimitOfLoadingAll = 1 << 20

  /// How many contents this store has written.
  private(set) var writeCount = 0
  private var contents: [String: Content] = [:]
  private(set) var byteCount = 0

  /// Whether the bytes of files that are loaded together are kept.
  var isKeepingBytesOfAll: Bool { byteCount < Self.byteLimitOfLoadingAll }

  subscript(name: String) -> Content? { contents[name] }

  /// Reserves space for a number of files.
  mutating func reserveCapacity(_ count: Int) { contents.reserveCapacity(count) }

  /// Records a content that was written.
  mutating func wrote(_ content: Content, to name: String) {
    var content = content
    writeCount += 1
    content.write = writeCount
    set(content, for: name)
  }

  /// Records a content that was read, unless another was written since.
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

  /// Sets the known content of a file.
  mutating func set(_ content: Content?, for name: String) {
    let old =
      content.map { contents.updateValue($0, forKey: name) } ?? contents.removeValue(forKey: name)
    byteCount += (content?.bytes?.count ?? 0) - (old?.bytes?.count ?? 0)
    if byteCount > Self.byteLimit, let count = content?.bytes?.count {
      contents[name]?.bytes = nil
      byteCount -= count
    }
  }

  /// Moves what is known about a file to its new name, unless something is known about that; its name
  /// must be made durable again.
  mutating func move(_ name: String, to newName: String) {
    guard var content = contents[name] else { return }
    set(nil, for: name)
    if contents[newName] != nil { return }
    content.durability = .unknown
    wrote(content, to: newName)
  }

  /// Changes what is known about a content, unless another has replaced it.
  mutating func update(_ name: String, _ digest: ContentDigest, _ change: (inout Content) -> Void) {
    guard var content = contents[name], content.digest == digest else { return }
    change(&content)
    set(content, for: name)
  }
}
