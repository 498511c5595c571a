extension JSON {
  /// The names of a type's fields, as a reader looks for them.
  ///
  /// ```swift
  /// private static let fields = JSON.Fields("name", "age")
  ///
  /// init(from reader: inout JSON.Reader) throws(JSON.Fault) {
  ///   var name: String?
  ///   var age: Int?
  ///   var object = try reader.beginObject(Self.fields)
  ///   while let field = try reader.nextField(of: &object) {
  ///     switch field {
  ///     case 0: name = try String(from: &reader)
  ///     case 1: age = try Int(from: &reader)
  ///     default: try reader.skipValue()
  ///     }
  ///   }
  ///   guard let name, let age else { throw object.missingField }
  ///   (self.name, self.age) = (name, age)
  /// }
  /// ```
  public struct Fields: @unchecked Sendable {
    // Sendable, since the memory is written once, before anyone else has it, and never freed.

    /// A name in quotation marks.
    @usableFromInline struct Name {
      @usableFromInline let start: UnsafePointer<UInt8>
      @usableFromInline let count: Int
    }

    @usableFromInline let names: UnsafePointer<Name>
    /// The number of fields, whose names come first.
    @usableFromInline let count: Int
    /// Numbers of names, each where its hash puts it or after; 255 where none is.
    private let table: UnsafePointer<UInt8>
    /// The names again, and the fields that they are of.
    private let texts: UnsafeBufferPointer<(name: String, field: Int)>

    /// The most names that a type can have; others are coded with `Codable`.
    public static var maximumCount: Int { 64 }

    /// Prepares names to be looked for, once for each type: the memory is never freed.
    ///
    /// - Parameters:
    ///   - names: The names of the fields, in the order in which they are expected.
    ///   - aliases: Other names, and the number of the field that each is for.
    /// - Precondition: There are at most ``maximumCount`` names, and no two are equal.
    public init(_ names: String..., aliases: KeyValuePairs<String, Int> = [:]) {
      let all = names.enumerated().map { ($1, $0) } + aliases.map { ($0, $1) }
      let texts = UnsafeMutableBufferPointer<(name: String, field: Int)>.allocate(
        capacity: all.count)
      _ = texts.initialize(from: all)
      precondition(texts.count <= Self.maximumCount, "more than 64 names")
      count = names.count
      let names = UnsafeMutablePointer<Name>.allocate(capacity: max(texts.count, 1))
      let table = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.tableSize)
      table.initialize(repeating: 255, count: Self.tableSize)
      for (index, text) in texts.map(\.name).enumerated() {
        let quoted = Array("\"\(text)\"".utf8)
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: quoted.count + 16)
        start.initialize(repeating: 0, count: quoted.count + 16)
        start.update(from: quoted, count: quoted.count)
        // A name that stands in a text with escapes is never the expected one.
        if text.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }) { start[0] = 0 }
        (names + index).initialize(to: Name(start: start, count: quoted.count))
        var slot = Self.slot(start + 1, quoted.count - 2)
        while table[slot] != 255 { slot = (slot + 1) % Self.tableSize }
        table[slot] = UInt8(index)
      }
      self.names = UnsafePointer(names)
      self.texts = UnsafeBufferPointer(texts)
      self.table = UnsafePointer(table)
    }

    /// Twice as many as there are names, so that few lie where their hash does not put them.
    private static let tableSize = 128

    /// Where the search for a name begins.
    private static func slot(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
      guard count > 0 else { return 0 }
      let hash =
        count &* 31 &+ Int(start[0]) &* 7 &+ Int(start[count &- 1]) &* 13
        &+ Int(start[count &>> 1]) &* 3
      return hash % tableSize
    }

    /// The number of the field that a key is for, or -1.
    func index(of key: JSON.Reader.Key) -> Int {
      var slot = Self.slot(key.start, key.count)
      while true {
        let index = Int(table[slot])
        guard index != 255 else { return unusualIndex(of: key) }
        let name = names[index]
        if name.count == key.count &+ 2,
          ByteComparison.areEqual(name.start + 1, key.start, key.count)
        {
          return index < count ? index : texts[index].field
        }
        slot = (slot &+ 1) % Self.tableSize
      }
    }

    /// The number of the field whose name is equal to a key, but written in other scalars, or -1.
    private func unusualIndex(of key: JSON.Reader.Key) -> Int {
      guard UnsafeBufferPointer(start: key.start, count: key.count).contains(where: { $0 > 0x7F })
      else { return -1 }
      let key = key.string
      return texts.first { $0.name == key }?.field ?? -1
    }
  }
}
