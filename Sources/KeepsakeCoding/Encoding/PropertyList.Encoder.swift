#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import KeepsakeBase

extension PropertyList {
  /// Encodes values as property lists, as Foundation's `PropertyListEncoder` does, several times
  /// as fast.
  ///
  /// ```swift
  /// let encoder = PropertyList.Encoder()
  /// encoder.outputFormat = .xml
  /// let data = try encoder.encode(card)
  /// ```
  ///
  /// With `typealias PropertyListEncoder = PropertyList.Encoder` code that is written for
  /// Foundation's needs no change, and Foundation's decoder reads what is written. Equal values
  /// give equal bytes: in both formats the keys of a dictionary are sorted by their UTF-8 bytes.
  ///
  /// One encoder can be used by many threads at once.
  public final class Encoder: Sendable {
    private struct Options {
      var outputFormat = PropertyList.Format.binary
      var encoding = EncodingOptions(format: .propertyList)
      var keepsFractionsOfSeconds = false
    }
    private let options = Mutex(Options())

    /// Creates an encoder of binary property lists.
    public init() {}

    /// The format that is written: `.binary` unless set, or `.xml`. OpenStep's cannot be written.
    public var outputFormat: PropertyList.Format {
      get { options.withLock { $0.outputFormat } }
      set { options.withLock { $0.outputFormat = newValue } }
    }

    /// What types that encode themselves can look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock { $0.encoding.userInfo } }
      set { options.withLock { $0.encoding.userInfo = newValue } }
    }

    /// Whether XML keeps the fraction of a date's second, which this library reads, but Foundation
    /// and Apple's tools refuse. Without it, as with Foundation, a date in XML is the whole second
    /// before it. A binary property list keeps every date exactly.
    public var keepsFractionsOfSeconds: Bool {
      get { options.withLock { $0.keepsFractionsOfSeconds } }
      set { options.withLock { $0.keepsFractionsOfSeconds = newValue } }
    }
  }
}

extension PropertyList.Encoder {
  /// Encodes a value.
  ///
  /// - Parameter value: A value that encodes itself as a dictionary, an array or data.
  /// - Returns: The bytes of a property list in ``outputFormat``.
  /// - Throws: `EncodingError.invalidValue` if the value encodes itself as another kind, as none, or
  ///   has a whole number of more than 64 bits or, in XML, a date outside the years 0 to 9999, or if
  ///   the format cannot be written; what the value's types throw.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    var output = try write(value) { try $0.encodeRoot(value) }
    return output.takeData()
  }

  /// Encodes a value as an array of bytes.
  ///
  /// - Parameter value: A value that encodes itself as a dictionary, an array or data.
  /// - Returns: The bytes of a property list in ``outputFormat``.
  /// - Throws: As ``encode(_:)`` does.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func encodeToBytes<T: Encodable>(_ value: T) throws -> [UInt8] {
    try write(value) { try $0.encodeRoot(value) }.bytes()
  }

  /// Encodes a value as a property list in memory, without bytes between.
  ///
  /// - Parameter value: A value of any kind.
  /// - Returns: What the value encodes itself as, dates as they are; if that is nothing, an empty
  ///   dictionary.
  /// - Throws: `EncodingError.invalidValue` if the value has a whole number of more than 64 bits;
  ///   what the value's types throw.
  /// - Complexity: O(*n*) in the number of values.
  public func encodeToValue<T: Encodable>(_ value: T) throws -> PropertyList.Value {
    try EncodingState.withNew(options.withLock { $0.encoding }) { root in
      try root.encodeRoot(value)
      if let failure = root.state.pointee.failure { throw failure }
      return root.state.pointee.records.value()
    }
  }

  /// Encodes a value of a type that needs a configuration.
  ///
  /// - Parameters:
  ///   - value: A value that encodes itself as a dictionary, an array or data.
  ///   - configuration: What the type needs.
  /// - Returns: The bytes of a property list in ``outputFormat``.
  /// - Throws: As ``encode(_:)`` does.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func encode<T: EncodableWithConfiguration>(
    _ value: T, configuration: T.EncodingConfiguration
  ) throws -> Data {
    var output = try write(value) {
      try value.encode(to: ValueEncoder(handle: $0), configuration: configuration)
    }
    return output.takeData()
  }

  /// Encodes a value of a type that needs a configuration.
  ///
  /// - Parameters:
  ///   - value: A value that encodes itself as a dictionary, an array or data.
  ///   - configuration: A type that provides what the value's type needs.
  /// - Returns: The bytes of a property list in ``outputFormat``.
  /// - Throws: As ``encode(_:)`` does.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
    _ value: T, configuration: C.Type
  ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
    try encode(value, configuration: C.encodingConfiguration)
  }

  private func write<T>(
    _ value: T, _ body: (EncodingHandle) throws -> Void
  ) throws -> OutputBuffer {
    let options = options.withLock { $0 }
    guard options.outputFormat == .binary || options.outputFormat == .xml else {
      throw Self.invalid(value, "The OpenStep format is only read.")
    }
    return try EncodingState.withNew(options.encoding) { root in
      try body(root)
      if let failure = root.state.pointee.failure { throw failure }
      switch root.state.pointee.records.records[0].kind {
      case .none, .text: throw Self.nothing(value)
      case .array, .dictionary, .data: break
      case .string: throw Self.fragment(value, "string")
      case .date: throw Self.fragment(value, "date")
      case .true, .false: throw Self.fragment(value, "boolean")
      case .integer, .unsigned, .real, .single: throw Self.fragment(value, "number")
      }
      // It may have been replaced, or its value may have failed.
      if options.outputFormat == .xml, root.state.pointee.hadDateWithoutText,
        let record = root.state.pointee.records.dateWithoutText(in: 0)
      {
        throw RecordSlot(state: root.state, record: record).dateWithoutText
      }
      if options.outputFormat == .binary {
        return PropertyList.BinaryWriter.document(root.state.pointee.records)
      }
      return PropertyList.XMLWriter.document(
        root.state.pointee.records, keepsFractions: options.keepsFractionsOfSeconds)
    }
  }

  private static func nothing<T>(_ value: T) -> EncodingError {
    invalid(value, "Top-level \(T.self) did not encode any values.")
  }

  private static func fragment<T>(_ value: T, _ kind: String) -> EncodingError {
    invalid(value, "Top-level \(T.self) encoded as \(kind) property list fragment.")
  }

  /// An error like Foundation's, which contains another one.
  private static func invalid<T>(_ value: T, _ message: String) -> EncodingError {
    let cause = EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: message))
    return .invalidValue(
      value,
      EncodingError.Context(
        codingPath: [],
        debugDescription: "Unable to encode the given top-level value as a property list",
        underlyingError: cause))
  }
}
