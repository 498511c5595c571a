// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the code that the macros generate calls. Public for the compiler's sake; an app calls none of
// it, and the names begin with an underscore, which keeps them out of the documentation.
//
// The direct way only has to be right if it succeeds: any difficulty is a fault, or an error of
// writing, after which the value is decoded or encoded once more through `Codable`.

import KeepsakeBase
public import KeepsakeCoding

extension CodingUserInfoKey {
  /// The key of a function that is called with each error of a value that is replaced by its default,
  /// or left out of its array, because it could not be decoded: a `@Sendable (any Error) -> Void`.
  public static let unreadableValueHandler = CodingUserInfoKey(
    rawValue: "keepsake.unreadableValueHandler")!
}

// MARK: Decoding

/// The keyed values that a type is decoded from.
public struct _Fields<Key: CodingKey> {
  let decoder: any Decoder
  let container: KeyedDecodingContainer<Key>
  /// The version of the type that wrote the values.
  let version: Int

  public func _read<T: Decodable>(_ key: Key) throws -> T {
    if !container.contains(key), let nothing = _nothing(T.self) { return nothing }
    return try container.decode(T.self, forKey: key)
  }

  public func _readIfPresent<T: Decodable>(_ key: Key) throws -> T? {
    try container.decodeIfPresent(T.self, forKey: key)
  }

  public func _read<T: Decodable>(_ key: Key, into value: inout T) throws {
    if container.contains(key) { value = try container.decode(T.self, forKey: key) }
  }

  /// A property with attributes.
  public func _at(
    _ path: Key..., or aliases: [Key]..., useDefaultIfUnreadable: Bool = false
  ) -> _FieldLocation<Key> {
    _FieldLocation(
      fields: self, paths: [path] + aliases, useDefaultIfUnreadable: useDefaultIfUnreadable)
  }

  public func _readFlattened<T: Decodable>() throws -> T { try T(from: decoder) }

  /// `nil` if a key is missing that the value must have.
  public func _readFlattenedIfPresent<T: Decodable>() throws -> T? {
    do {
      return try T(from: decoder)
    } catch DecodingError.keyNotFound(_, let context)
      where context.codingPath.count == decoder.codingPath.count
    {
      return nil
    }
  }

  public func _readUnknown<T: Decodable>(except known: [Key]) throws -> [String: T] {
    let container = try decoder.container(keyedBy: _AnyKey.self)
    let known = Set(known.map(\.stringValue))
    var values: [String: T] = [:]
    for key in container.allKeys where !known.contains(key.stringValue) {
      values[key.stringValue] = try container.decode(T.self, forKey: key)
    }
    return values
  }
}

extension Decoder {
  public func _fields<Key>(_ keys: Key.Type) throws -> _Fields<Key> {
    _Fields(decoder: self, container: try container(keyedBy: keys), version: 1)
  }

  public func _fields<Key>(_ keys: Key.Type, version: Key) throws -> _Fields<Key> {
    let container = try container(keyedBy: keys)
    return _Fields(
      decoder: self, container: container,
      version: try container.decodeIfPresent(Int.self, forKey: version) ?? 1)
  }
}

/// An earlier form of a property.
public struct _Migration<Key: CodingKey, Value> {
  let source: [Key]?
  let version: Int?
  let convert: (KeyedDecodingContainer<Key>, Key) throws -> Value?

  public init<Old: Decodable>(
    from source: [Key]? = nil, before version: Int? = nil,
    _ convert: @escaping (Old) throws -> Value?
  ) {
    self.source = source
    self.version = version
    self.convert = { try convert($0.decode(Old.self, forKey: $1)) }
  }
}

/// Where the value of a property is.
public struct _FieldLocation<Key: CodingKey> {
  let fields: _Fields<Key>
  /// The path of the property, and those of its aliases.
  let paths: [[Key]]
  let useDefaultIfUnreadable: Bool

  public func _read<T: Decodable>(_ migrations: _Migration<Key, T>...) throws -> T {
    try find(migrations) { try $0.decode(T.self, forKey: $1) } ?? missing()
  }

  public func _readIfPresent<T: Decodable>(_ migrations: _Migration<Key, T>...) throws -> T? {
    try find(migrations, isOptional: true) { try $0.decode(T.self, forKey: $1) }
  }

  public func _read<T: Decodable>(
    into value: inout T, _ migrations: _Migration<Key, T>...
  ) throws {
    if let found = try find(migrations, { try $0.decode(T.self, forKey: $1) }) { value = found }
  }

  public func _read<Coding: FieldCoding>(
    using coding: Coding, _ migrations: _Migration<Key, Coding.Value>...
  ) throws -> Coding.Value {
    try find(migrations) { try Self.decode($0, $1, coding) } ?? missing()
  }

  public func _readIfPresent<Coding: FieldCoding>(
    using coding: Coding, _ migrations: _Migration<Key, Coding.Value>...
  ) throws -> Coding.Value? {
    try find(migrations, isOptional: true) { try Self.decode($0, $1, coding) }
  }

  public func _read<Coding: FieldCoding>(
    into value: inout Coding.Value, using coding: Coding,
    _ migrations: _Migration<Key, Coding.Value>...
  ) throws {
    if let found = try find(migrations, { try Self.decode($0, $1, coding) }) { value = found }
  }

  public func _read<Coding: FieldCoding>(
    into value: inout Coding.Value?, using coding: Coding,
    _ migrations: _Migration<Key, Coding.Value?>...
  ) throws {
    let found = try find(migrations) { (container, key) -> Coding.Value? in
      try container.decodeNil(forKey: key) ? nil : Self.decode(container, key, coding)
    }
    if let found { value = found }
  }

  private static func decode<Coding: FieldCoding>(
    _ container: KeyedDecodingContainer<Key>, _ key: Key, _ coding: Coding
  ) throws -> Coding.Value {
    let stored = try container.decode(Coding.Stored.self, forKey: key)
    if let value = try coding.value(from: stored) { return value }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: container, debugDescription: "\(stored) is not a \(Coding.Value.self).")
  }

  /// The value, or `nil` if there is none.
  ///
  /// - Parameter isOptional: Whether there is none if it is null.
  private func find<T>(
    _ migrations: [_Migration<Key, T>], isOptional: Bool = false,
    _ decode: (KeyedDecodingContainer<Key>, Key) throws -> T
  ) throws -> T? {
    do {
      for migration in migrations where fields.version < migration.version ?? 0 {
        return try value(of: migration)
      }
      for path in paths {
        guard let (container, key) = try location(of: path) else { continue }
        if isOptional, try container.decodeNil(forKey: key) { return nil }
        do {
          return try decode(container, key)
        } catch {
          for migration in migrations where migration.source == nil && migration.version == nil {
            if let value = try? migration.convert(container, key) { return value }
          }
          throw error
        }
      }
      for migration in migrations where migration.source != nil && migration.version == nil {
        if let value = try value(of: migration) { return value }
      }
      return nil
    } catch  where useDefaultIfUnreadable {
      fields.decoder._report(error)
      return nil
    }
  }

  private func value<T>(of migration: _Migration<Key, T>) throws -> T? {
    guard let (container, key) = try location(of: migration.source ?? paths[0]) else { return nil }
    return try migration.convert(container, key)
  }

  /// The container and the key at the end of a path, if there is a value.
  private func location(of path: [Key]) throws -> (KeyedDecodingContainer<Key>, Key)? {
    var container = fields.container
    for key in path.dropLast() {
      guard container.contains(key), try !container.decodeNil(forKey: key) else { return nil }
      container = try container.nestedContainer(keyedBy: Key.self, forKey: key)
    }
    guard let key = path.last, container.contains(key) else { return nil }
    return (container, key)
  }

  private func missing<T>() throws -> T {
    if let nothing = _nothing(T.self) { return nothing }
    var container = fields.container
    var path = paths[0][...]
    while path.count > 1, let key = path.first, container.contains(key) {
      container = try container.nestedContainer(keyedBy: Key.self, forKey: key)
      path.removeFirst()
    }
    let key = path[path.startIndex]
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: container.codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }
}

extension Decoder {
  fileprivate func _report(_ error: any Error) {
    (userInfo[.unreadableValueHandler] as? @Sendable (any Error) -> Void)?(error)
  }
}

/// An array without the elements that cannot be decoded.
public struct _DroppingElements<Element: Codable>: FieldCoding {
  public init() {}
  public func value(from stored: _ReadableElements<Element>) -> [Element]? { stored.elements }
  public func stored(_ value: [Element]) -> _ReadableElements<Element> {
    _ReadableElements(elements: value)
  }
}

/// The elements of an array that can be decoded.
public struct _ReadableElements<Element: Codable>: Codable {
  let elements: [Element]

  init(elements: [Element]) { self.elements = elements }

  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    while !container.isAtEnd {
      let index = container.currentIndex
      do {
        elements.append(try container.decode(Element.self))
      } catch {
        decoder._report(error)
        if container.currentIndex == index { _ = try container.decode(Anything.self) }
      }
    }
    self.elements = elements
  }

  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// The value of a type that is optional, which the macro does not see through an alias.
private func _nothing<T>(_ type: T.Type) -> T? {
  (type as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? T }
}

/// Any value, which is not looked at.
private struct Anything: Decodable {
  init(from decoder: any Decoder) {}
}

/// A key that no type declares.
public struct _AnyKey: CodingKey {
  public let stringValue: String
  public var intValue: Int? { nil }
  public init(stringValue: String) { self.stringValue = stringValue }
  public init?(intValue: Int) { nil }
}

// MARK: Enumerations

extension Decoder {
  /// The name of a case without associated values.
  public func _caseName() throws -> String { try singleValueContainer().decode(String.self) }

  public func _value<T: Decodable>() throws -> T { try T(from: self) }

  /// The case that the only key names, and its associated values.
  public func _externalCase<Key>(_ keys: Key.Type) throws -> (Key, _Fields<Key>)? {
    let container = try container(keyedBy: keys)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else { return nil }
    let content = try container.nestedContainer(keyedBy: keys, forKey: key)
    return (key, _Fields(decoder: self, container: content, version: 1))
  }

  public func _unknownCase<T>(_ type: T.Type) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "Invalid number of keys found, expected one."))
  }

  public func _unknownCase<T>(_ type: T.Type, named name: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "\(type) has no case \"\(name)\"."))
  }

  /// The case that a tag names, and the values beside it.
  public func _taggedCase<Key>(_ keys: Key.Type, _ tag: Key) throws -> _TaggedCase<Key> {
    let fields = try _fields(keys)
    return _TaggedCase(
      name: try fields.container.decode(String.self, forKey: tag), values: fields, tag: tag)
  }

  /// The case that a tag names; `nil` if there is no object with a tag.
  public func _taggedCaseIfPresent<Key>(_ keys: Key.Type, _ tag: Key) -> _TaggedCase<Key>? {
    try? _taggedCase(keys, tag)
  }
}

/// A case that a tag names.
public struct _TaggedCase<Key: CodingKey> {
  public let name: String
  public let values: _Fields<Key>
  let tag: Key

  public func content(_ key: Key) throws -> _Fields<Key> {
    _Fields(
      decoder: values.decoder,
      container: try values.container.nestedContainer(keyedBy: Key.self, forKey: key), version: 1)
  }

  public func unknownCase<T>(_ type: T.Type) -> DecodingError {
    .dataCorruptedError(
      forKey: tag, in: values.container, debugDescription: "\(type) has no case \"\(name)\".")
  }
}

// MARK: Encoding

extension KeyedEncodingContainer {
  public mutating func _write<T: Encodable>(_ value: T, _ key: Key) throws {
    try encode(value, forKey: key)
  }

  public mutating func _write<T: Encodable>(_ value: T?, _ key: Key) throws {
    try encodeIfPresent(value, forKey: key)
  }

  public mutating func _write<Coding: FieldCoding>(
    _ value: Coding.Value, _ key: Key, using coding: Coding
  ) throws {
    try encode(coding.stored(value), forKey: key)
  }

  public mutating func _write<Coding: FieldCoding>(
    _ value: Coding.Value?, _ key: Key, using coding: Coding
  ) throws {
    if let value { try encode(coding.stored(value), forKey: key) }
  }
}

extension KeyedEncodingContainer {
  /// Writes null where a missing key would mean another value.
  public mutating func _writeOrNull<Coding: FieldCoding>(
    _ value: Coding.Value?, _ key: Key, using coding: Coding
  ) throws {
    if let value {
      try encode(coding.stored(value), forKey: key)
    } else {
      try encodeNil(forKey: key)
    }
  }
}

extension Encoder {
  public func _writeUnknown<T: Encodable>(_ values: [String: T]) throws {
    var container = container(keyedBy: _AnyKey.self)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: _AnyKey(stringValue: key))
    }
  }

  /// Writes a whole value, as its encoder writes it: a `JSON.Value` with the digits that it has.
  public func _write<T: Encodable>(_ value: T) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }

  public func _write(caseName: String) throws {
    var container = singleValueContainer()
    try container.encode(caseName)
  }
}

// MARK: Reading JSON

extension JSON.Reader {
  /// No value yet, of a property's type.
  @inlinable @inline(__always)
  public static func _nothing<Root, T>(_ property: (Root) -> T) -> T? { nil }

  /// The `nil` of an optional property.
  @inlinable @inline(__always)
  public static func _nil<Root, T>(_ property: (Root) -> T?) -> T? { nil }

  @inlinable @inline(__always)
  public mutating func _read<T: JSON.Readable>(into value: inout T?) throws(JSON.Fault) {
    value = try T(from: &self)
  }

  @inlinable @inline(__always)
  public mutating func _readIfPresent<T: JSON.Readable>(
    into value: inout T?
  ) throws(JSON.Fault) {
    value = try readNull() ? nil : T(from: &self)
  }

  @inlinable @inline(__always)
  public mutating func _value<T: JSON.Readable>() throws(JSON.Fault) -> T { try T(from: &self) }

  @_disfavoredOverload
  public mutating func _read<T: Decodable>(into value: inout T?) throws(JSON.Fault) {
    value = try decode(T.self)
  }

  @_disfavoredOverload
  public mutating func _readIfPresent<T: Decodable>(
    into value: inout T?
  ) throws(JSON.Fault) {
    value = try readNull() ? nil : decode(T.self)
  }

  @_disfavoredOverload
  public mutating func _value<T: Decodable>() throws(JSON.Fault) -> T { try decode(T.self) }

  public mutating func _value<Coding: FieldCoding>(
    using coding: Coding
  ) throws(JSON.Fault) -> Coding.Value {
    let start = offset
    let stored = try decode(Coding.Stored.self)
    if let value = try? coding.value(from: stored) { return value }
    throw JSON.Fault(.expectedValue, at: start)
  }
}

extension JSON.Reader {
  public mutating func _valueIfPresent<Coding: FieldCoding>(
    using coding: Coding
  ) throws(JSON.Fault) -> Coding.Value? {
    if try readNull() { return nil }
    return try _value(using: coding)
  }

  /// Reads the version of a value, which must be the current one.
  public mutating func _expectVersion(_ version: Int) throws(JSON.Fault) {
    let start = offset
    guard try readInteger(as: Int.self) == version else {
      throw JSON.Fault(.expectedValue, at: start)
    }
  }

  // MARK: Cases

  /// A case that is being read.
  public struct _Case {
    public let name: String
    let start: JSON.Reader.Mark
    var isFirst: Bool
  }

  public var _unknownCase: JSON.Fault { JSON.Fault(.expectedValue, at: offset) }

  /// Reads up to the associated values of a case, whose name is the only key of an object.
  public mutating func _beginCase() throws(JSON.Fault) -> _Case {
    let start = mark
    try beginObject()
    var isFirst = true
    guard let key = try nextKey(&isFirst) else { throw _unknownCase }
    let name = key.string
    try beginObject()
    return _Case(name: name, start: start, isFirst: true)
  }

  /// Reads the name of a case, if it comes first.
  public mutating func _beginCase(tag: StaticString) throws(JSON.Fault) -> _Case {
    let start = mark
    try beginObject()
    var isFirst = true
    guard let key = try nextKey(&isFirst), key.matches(tag) else { throw _unknownCase }
    return _Case(name: try readString(), start: start, isFirst: false)
  }

  /// Reads the key and the opening of an object within the one of a case.
  public mutating func _beginContent(
    _ name: StaticString, _ open: inout _Case
  ) throws(JSON.Fault) {
    guard let key = try nextKey(&open.isFirst), key.matches(name) else { throw _unknownCase }
    try beginObject()
    open.isFirst = true
  }

  /// Reads the end of an object.
  public mutating func _endContent(_ open: inout _Case) throws(JSON.Fault) {
    guard try nextKey(&open.isFirst) == nil else { throw _unknownCase }
    open.isFirst = false
  }

  /// Reads an associated value, which must be the next.
  public mutating func _next<T: JSON.Readable>(
    _ name: StaticString, _ open: inout _Case
  ) throws(JSON.Fault) -> T {
    guard let key = try nextKey(&open.isFirst), key.matches(name) else { throw _unknownCase }
    return try T(from: &self)
  }

  @_disfavoredOverload
  public mutating func _next<T: Decodable>(
    _ name: StaticString, _ open: inout _Case
  ) throws(JSON.Fault) -> T {
    guard let key = try nextKey(&open.isFirst), key.matches(name) else { throw _unknownCase }
    return try decode(T.self)
  }

  /// Reads an associated value if it is the next.
  public mutating func _nextIfPresent<T: Decodable>(
    _ name: StaticString, _ open: inout _Case
  ) throws(JSON.Fault) -> T? {
    let (start, isFirst) = (mark, open.isFirst)
    guard let key = try nextKey(&open.isFirst), key.matches(name) else {
      goBack(to: start)
      open.isFirst = isFirst
      return nil
    }
    return try readNull() ? nil : decode(T.self)
  }

  /// Reads an associated value that has its own keys beside the tag.
  public mutating func _value<T: JSON.Readable>(from open: _Case) throws(JSON.Fault) -> T {
    goBack(to: open.start)
    return try T(from: &self)
  }

  @_disfavoredOverload
  public mutating func _value<T: Decodable>(from open: _Case) throws(JSON.Fault) -> T {
    goBack(to: open.start)
    return try decode(T.self)
  }
}

extension JSON.Fields {
  private static let ofGenericTypes = Mutex<[ObjectIdentifier: [Int: JSON.Fields]]>([:])

  /// The names of a generic type, which cannot have static properties.
  ///
  /// - Parameter number: Distinguishes the objects of a type.
  public static func _of<T>(
    _ type: T.Type, _ number: Int, _ make: () -> JSON.Fields
  ) -> JSON.Fields {
    ofGenericTypes.withLock { known in
      if let fields = known[ObjectIdentifier(type)]?[number] { return fields }
      let fields = make()
      known[ObjectIdentifier(type), default: [:]][number] = fields
      return fields
    }
  }
}

// MARK: Writing JSON

extension JSON.Writer {
  @inlinable @inline(__always)
  public mutating func _write<T: JSON.Writable>(
    _ value: T, key: StaticString
  ) throws(JSON.WriteError) {
    self.key(prejoined: key)
    try value.write(to: &self)
  }

  @inlinable @inline(__always)
  public mutating func _write<T: JSON.Writable>(
    _ value: T?, key: StaticString
  ) throws(JSON.WriteError) {
    if let value { try _write(value, key: key) }
  }

  @_disfavoredOverload
  public mutating func _write<T: Encodable>(
    _ value: T, key: StaticString
  ) throws(JSON.WriteError) {
    self.key(prejoined: key)
    try encode(value)
  }

  @_disfavoredOverload
  public mutating func _write<T: Encodable>(
    _ value: T?, key: StaticString
  ) throws(JSON.WriteError) {
    if let value { try _write(value, key: key) }
  }

  public mutating func _write<Coding: FieldCoding>(
    _ value: Coding.Value, key: StaticString, using coding: Coding
  ) throws(JSON.WriteError) {
    guard let stored = try? coding.stored(value) else { throw .needsEncoder }
    self.key(prejoined: key)
    try encode(stored)
  }

  public mutating func _write<Coding: FieldCoding>(
    _ value: Coding.Value?, key: StaticString, using coding: Coding
  ) throws(JSON.WriteError) {
    if let value { try _write(value, key: key, using: coding) }
  }

  @inlinable @inline(__always)
  public mutating func _writeOrNull<T: JSON.Writable>(
    _ value: T, key: StaticString
  ) throws(JSON.WriteError) {
    self.key(prejoined: key)
    try value.write(to: &self)
  }

  @_disfavoredOverload
  public mutating func _writeOrNull<T: Encodable>(
    _ value: T, key: StaticString
  ) throws(JSON.WriteError) {
    self.key(prejoined: key)
    try encode(value)
  }

  public mutating func _writeOrNull<Coding: FieldCoding>(
    _ value: Coding.Value?, key: StaticString, using coding: Coding
  ) throws(JSON.WriteError) {
    if let value { return try _write(value, key: key, using: coding) }
    self.key(prejoined: key)
    writeNull()
  }

  public mutating func _write<T: JSON.Writable>(_ value: T) throws(JSON.WriteError) {
    try value.write(to: &self)
  }

  @_disfavoredOverload
  public mutating func _write<T: Encodable>(_ value: T) throws(JSON.WriteError) {
    try encode(value)
  }

  public mutating func _write<T: Encodable>(
    _ value: T, tag: String, _ name: String
  ) throws(JSON.WriteError) {
    try writeObject(startingWith: tag, name) { writer throws(JSON.WriteError) in
      try writer.encode(value)
    }
  }
}
