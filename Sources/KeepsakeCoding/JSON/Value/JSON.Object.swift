extension JSON {
  /// Values by key, in the order in which the keys came.
  ///
  /// Two objects are equal if they have the same values by key, in any order.
  public struct Object: Sendable {
    /// A key and its value.
    public typealias Element = (key: String, value: Value)

    private var entries: [Element] = []
    /// The index of every key; `nil` while there are so few that looking at each is faster.
    private var keyIndices: [String: Int]?

    private static let indexThreshold = 16

    /// Creates an object without keys.
    public init() {}

    init(minimumCapacity: Int) { entries.reserveCapacity(minimumCapacity) }

    /// The value of a key; assigning `nil` removes it.
    ///
    /// - Complexity: O(1) on average; O(*n*) to remove.
    public subscript(key: String) -> Value? {
      get { index(ofKey: key).map { entries[$0].value } }
      set {
        switch (index(ofKey: key), newValue) {
        case (let index?, let value?): entries[index].value = value
        case (nil, let value?): append(value, for: key)
        case (let index?, nil):
          entries.remove(at: index)
          keyIndices = nil
          indexKeys()
        case (nil, nil): break
        }
      }
    }

    /// Adds a value, unless the key has one.
    mutating func append(_ value: Value, ifAbsent key: String) {
      if index(ofKey: key) == nil { append(value, for: key) }
    }

    private mutating func append(_ value: Value, for key: String) {
      keyIndices?[key] = entries.count
      entries.append((key, value))
      if keyIndices == nil { indexKeys() }
    }

    private mutating func indexKeys() {
      guard entries.count > Self.indexThreshold else { return }
      var keyIndices = [String: Int](minimumCapacity: entries.capacity)
      for (index, entry) in entries.enumerated() { keyIndices[entry.key] = index }
      self.keyIndices = keyIndices
    }

    private func index(ofKey key: String) -> Int? {
      if let keyIndices { return keyIndices[key] }
      return entries.firstIndex { $0.key == key }
    }
  }
}

extension JSON.Object: RandomAccessCollection {
  /// The index of the first key: 0.
  public var startIndex: Int { 0 }
  /// The number of keys.
  public var endIndex: Int { entries.count }

  /// The key and the value at an index.
  public subscript(position: Int) -> Element { entries[position] }

  /// The keys in order.
  public var keys: [String] { entries.map(\.key) }

  /// The values in order.
  public var values: [JSON.Value] { entries.map(\.value) }
}

extension JSON.Object: Hashable {
  /// Whether two objects have equal values for the same keys.
  public static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }

  /// Hashes keys and values, in any order.
  public func hash(into hasher: inout Hasher) {
    // The order must not matter.
    var sum = 0
    for (key, value) in self {
      var entry = Hasher()
      entry.combine(key)
      entry.combine(value)
      sum ^= entry.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  /// Creates an object with its keys in this order; of two equal keys the last counts.
  public init(dictionaryLiteral elements: (String, JSON.Value)...) {
    self.init(minimumCapacity: elements.count)
    for (key, value) in elements { self[key] = value }
  }
}
