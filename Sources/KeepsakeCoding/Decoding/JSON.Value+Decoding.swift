#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
    let input: InputBytes
    do throws(WideEncoding.InvalidUnit) {
      input = try InputBytes.detectingEncoding(of: bytes)
    } catch {
      let bytes = bytes.withUnsafeBytes { InputBytes(copying: $0) }
      throw JSON.ParseError(
        JSON.Fault(.invalidEncoding, at: error.offset), in: bytes, syntax: syntax)
    }
    var options = DecodingOptions()
    options.syntax = syntax
    options.duplicates = duplicateKeys
    options.maximumDepth = maximumDepth
    let storage = try TapeStorage(json: input, options)
    // The values point into what the storage owns.
    defer { withExtendedLifetime(storage) {} }
    do throws(TapeValues.NoJSONValue) {
      self = try storage.values.jsonValue(0)
    } catch {
      let offset = storage.values.state.pointee.tape.offset(error.index)
      throw JSON.ParseError(
        JSON.Fault(.numberOutOfRange, at: offset), in: input, syntax: syntax)
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
}

extension JSON.Value: Decodable {
  /// Creates the value that a decoder of any format is at.
  ///
  /// ``JSON/Decoder`` and ``PropertyList/Decoder`` give what they have read; any other decoder is
  /// asked for one type after another.
  public init(from decoder: any Swift.Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.values.anyValue(decoder.index)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(JSON.Number(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .number(JSON.Number(value))
    } else if let value = try? container.decode(Double.self), let number = JSON.Number(value) {
      self = .number(number)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON.Value].self) {
      self = .array(value)
    } else {
      self = try Self.object(of: decoder)
    }
  }

  private static func object(of decoder: any Swift.Decoder) throws -> JSON.Value {
    let keyed = try decoder.container(keyedBy: AnyCodingKey.self)
    var object = JSON.Object()
    for key in keyed.allKeys {
      object[key.stringValue] = try keyed.decode(JSON.Value.self, forKey: key)
    }
    return .object(object)
  }
}

extension TapeValues {
  /// A value that JSON does not have: a number that is not finite, a date, or data.
  struct NoJSONValue: Error {
    var index: Int
  }

  /// A value of any kind.
  func anyValue(_ index: Int) throws -> JSON.Value {
    do throws(NoJSONValue) {
      return try jsonValue(index)
    } catch {
      switch state.pointee.tape.kind(error.index) {
      case .number, .real:
        throw corrupted("A number that is not finite is no JSON value.", at: error.index)
      default: throw mismatch(JSON.Value.self, at: error.index)
      }
    }
  }

  func jsonValue(_ index: Int) throws(NoJSONValue) -> JSON.Value {
    guard index >= 0 else { return .null }
    switch state.pointee.tape.kind(index) {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number:
      guard let number = JSON.Number(state.pointee.tape.number(index)) else {
        throw NoJSONValue(index: index)
      }
      return .number(number)
    case .integer:
      return .number(JSON.Number(Int64(bitPattern: state.pointee.tape.bits(index))))
    case .unsigned: return .number(JSON.Number(state.pointee.tape.bits(index)))
    case .real:
      guard let number = JSON.Number(Double(bitPattern: state.pointee.tape.bits(index))) else {
        throw NoJSONValue(index: index)
      }
      return .number(number)
    case .date, .data: throw NoJSONValue(index: index)
    case .string: return .string(state.pointee.tape.text(index))
    case .array:
      var array: [JSON.Value] = []
      array.reserveCapacity(state.pointee.tape.elementCount(index))
      let end = state.pointee.tape.end(index)
      var element = index + Tape.arrayHeader
      while element < end {
        array.append(try jsonValue(element))
        element = state.pointee.tape.next(element)
      }
      return .array(array)
    case .object:
      var object = JSON.Object(minimumCapacity: state.pointee.tape.elementCount(index))
      let end = state.pointee.tape.end(index)
      var key = index + Tape.objectHeader
      while key < end {
        let entry = state.pointee.tape.value(ofKey: key)
        if let name = self.key(key) { object.append(try jsonValue(entry), ifAbsent: name) }
        key = state.pointee.tape.next(entry)
      }
      return .object(object)
    }
  }
}
