import KeepsakeBase

/// What is known of the types that were met: a hash table that threads read without a lock, for what
/// is in it is never changed or removed.
final class TypeTable<Known: Sendable>: Sendable {
  private static var capacity: Int { 2048 }
  /// From this many values on, it is worthwhile to find out about a type.
  private static var worthwhileSize: Int { 128 }

  private struct Entry: ~Copyable {
    /// The type; 0 until the rest is written, after which neither changes.
    let type = Atomic<UInt>(0)
    var known: Known
  }

  private struct State: ~Copyable {
    var count = 0
    /// How many values of the types with each of 64 hashes were met before their types were known.
    let sizes = UnsafeMutablePointer<Int>.allocate(capacity: 64)

    init() { sizes.initialize(repeating: 0, count: 64) }

    deinit { sizes.deallocate() }
  }

  /// The pointer is never freed; an entry's content is written under the lock, before its type is
  /// stored with release ordering, and read only after the type was loaded with acquire ordering.
  private nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry>
  private let state = Mutex(State())

  init() {
    // Zeros are empty entries, and pages of them that nobody writes to cost nothing.
    guard let memory = calloc(Self.capacity, MemoryLayout<Entry>.stride) else {
      fatalError("no memory")
    }
    entries = memory.bindMemory(to: Entry.self, capacity: Self.capacity)
  }

  @inline(__always)
  func known(of type: ObjectIdentifier) -> Known? {
    let key = UInt(bitPattern: type)
    // Eleven bits: always below the capacity.
    var index = type.hash(bits: 11)
    while true {
      let found = entries[index].type.load(ordering: .acquiring)
      if found == key { return entries[index].known }
      if found == 0 { return nil }
      index = (index &+ 1) & (Self.capacity - 1)
    }
  }

  /// Counts values of a type that is not known yet.
  ///
  /// - Returns: Whether they have become so many that it is worthwhile to find out about the type.
  func countUse(of type: ObjectIdentifier, size: Int) -> Bool {
    state.withLock { state in
      let total = state.sizes + type.hash(bits: 6)
      total.pointee &+= size
      return total.pointee >= Self.worthwhileSize
    }
  }

  func insert(_ known: Known, of type: ObjectIdentifier) {
    let key = UInt(bitPattern: type)
    state.withLock { state in
      // Half of the entries stay empty, so every search ends soon.
      guard state.count < Self.capacity / 2 else { return }
      var index = type.hash(bits: 11)
      while true {
        let found = entries[index].type.load(ordering: .relaxed)
        if found == key { return }
        if found == 0 { break }
        index = (index + 1) & (Self.capacity - 1)
      }
      entries[index].known = known
      entries[index].type.store(key, ordering: .releasing)
      state.count += 1
    }
  }
}
