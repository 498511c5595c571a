#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// Any JSON value: for text whose shape no type describes, read and written without loss.
  ///
  /// The keys of an object keep their order, and numbers all of their digits.
  public enum Value: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// Values in order.
    case array([Value])
    /// Values by key.
    case object(Object)
  }
}

extension JSON.Value {
  /// Reads a value.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8, UTF-16 or UTF-32.
  ///   - syntax: What is accepted beside RFC 8259.
  ///   - duplicateKeys: Which value counts where an object has one key several times.
  ///   - maximumDepth: The most objects and arrays that may be open at once.
  /// - Throws: ``JSON/ParseError`` for the first fault of the text.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(
    parsing bytes: [UInt8], syntax: JSON.Syntax = [],
    duplicateKeys: JSON.DuplicateKeyPolicy = .first,
    maximumDepth: Int = JSON.defaultMaximumDepth
  ) throws(JSON.ParseError) {
    let input: JSON.Input
    do throws(JSON.Fault) {
      input = try JSON.Input.detectingEncoding(of: bytes)
    } catch {
      let bytes = bytes.withUnsafeBytes { JSON.Input(copying: $0) }
      throw JSON.ParseError(error, in: bytes, syntax: syntax)
    }
    var options = JSON.Decoder.Options()
    options.syntax = syntax
    options.duplicates = duplicateKeys
    options.maximumDepth = maximumDepth
    let document = try JSON.Document(input, options)
    // The entries point into what the document owns.
    defer { withExtendedLifetime(document) {} }
    do throws(JSON.Fault) {
      self = try document.entries.value(0)
    } catch {
      throw JSON.ParseError(error, in: input, syntax: syntax)
    }
  }

  /// Reads a value, as ``init(parsing:syntax:duplicateKeys:maximumDepth:)-([UInt8],_,_,_)`` does,
  /// from data.
  public init(
    parsing data: Data, syntax: JSON.Syntax = [],
    duplicateKeys: JSON.DuplicateKeyPolicy = .first,
    maximumDepth: Int = JSON.defaultMaximumDepth
  ) throws(JSON.ParseError) {
    try self.init(
      parsing: Array(data), syntax: syntax, duplicateKeys: duplicateKeys,
      maximumDepth: maximumDepth)
  }

  /// Reads a value, as ``init(parsing:syntax:duplicateKeys:maximumDepth:)-([UInt8],_,_,_)`` does,
  /// from a string.
  public init(
    parsing text: String, syntax: JSON.Syntax = [],
    duplicateKeys: JSON.DuplicateKeyPolicy = .first,
    maximumDepth: Int = JSON.defaultMaximumDepth
  ) throws(JSON.ParseError) {
    try self.init(
      parsing: Array(text.utf8), syntax: syntax, duplicateKeys: duplicateKeys,
      maximumDepth: maximumDepth)
  }

  /// The value of a key, if this is an object that has it.
  public subscript(key: String) -> JSON.Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element at a place counted from 0, if this is an array that has it.
  public subscript(index: Int) -> JSON.Value? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension JSON.Entries {
  /// Builds the value of an entry.
  ///
  /// - Throws: ``JSON/Fault`` for a number that is not finite, which JSON5 has, but no value can be.
  func value(_ index: Int) throws(JSON.Fault) -> JSON.Value {
    guard index >= 0 else { return .null }
    switch state.pointee.tape.kind(index) {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number:
      guard let number = JSON.Number(state.pointee.tape.number(index)) else {
        throw JSON.Fault(.numberOutOfRange, at: state.pointee.tape.offset(index))
      }
      return .number(number)
    case .string: return .string(state.pointee.tape.text(index))
    case .array:
      var array: [JSON.Value] = []
      array.reserveCapacity(state.pointee.tape.elementCount(index))
      let end = state.pointee.tape.end(index)
      var element = index + JSON.Tape.arrayHeader
      while element < end {
        array.append(try value(element))
        element = state.pointee.tape.next(element)
      }
      return .array(array)
    case .object:
      var object = JSON.Object(minimumCapacity: state.pointee.tape.elementCount(index))
      let end = state.pointee.tape.end(index)
      var key = index + JSON.Tape.objectHeader
      while key < end {
        let entry = state.pointee.tape.next(key)
        if let name = self.key(key) { object.append(try value(entry), ifAbsent: name) }
        key = state.pointee.tape.next(entry)
      }
      return .object(object)
    }
  }
}

extension JSON.Value: ExpressibleByNilLiteral {
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON.Value: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON.Value: ExpressibleByIntegerLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(JSON.Number(value)) }
}

extension JSON.Value: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(JSON.Number(floatLiteral: value)) }
}

extension JSON.Value: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON.Value: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON.Value...) { self = .array(elements) }
}

extension JSON.Value: ExpressibleByDictionaryLiteral {
  /// Creates an object with its keys in this order; of two equal keys the last counts.
  public init(dictionaryLiteral elements: (String, JSON.Value)...) {
    var object = JSON.Object(minimumCapacity: elements.count)
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
