#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import KeepsakeBase

extension JSON {
  /// Encodes `Encodable` values as JSON, as Foundation's `JSONEncoder` does, byte for byte.
  ///
  /// Where Foundation's order of keys is random, this one's is that of encoding; a key encoded
  /// twice has its last value, at its first position. Values may lie ``Writer/maximumDepth`` objects
  /// and arrays deep in one another.
  ///
  /// Options may be changed and values encoded on any thread; an encoding uses the options that
  /// were set when it began.
  public final class Encoder: Sendable {
    let options = Mutex(EncodingOptions())

    /// Creates an encoder with the default strategies.
    public init() {}

    /// The layout of the text; compact, in order of encoding, with escaped slashes by default.
    public var outputFormatting: OutputFormatting {
      get { options.withLock { $0.outputFormatting } }
      set { options.withLock { $0.outputFormatting = newValue } }
    }

    /// How dates are encoded; as they encode themselves by default.
    public var dateEncodingStrategy: DateEncodingStrategy {
      get { options.withLock { $0.dates } }
      set { options.withLock { $0.dates = newValue } }
    }

    /// How data is encoded; as base64 by default.
    public var dataEncodingStrategy: DataEncodingStrategy {
      get { options.withLock { $0.data } }
      set { options.withLock { $0.data = newValue } }
    }

    /// How numbers that JSON has no text for are encoded; by default they are errors.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
      get { options.withLock { $0.floats } }
      set { options.withLock { $0.floats = newValue } }
    }

    /// How keys are changed; not at all by default.
    public var keyEncodingStrategy: KeyEncodingStrategy {
      get { options.withLock { $0.keys } }
      set { options.withLock { $0.keys = newValue } }
    }

    /// What values find in their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock { $0.userInfo } }
      set { options.withLock { $0.userInfo = newValue } }
    }
  }
}

extension JSON.Encoder {
  /// Encodes a value.
  ///
  /// - Returns: The text in UTF-8.
  /// - Throws: `EncodingError.invalidValue` for a value that JSON has no text for, and what the
  ///   value itself throws.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    try encode(value) { handle throws in
      try handle.encodeRoot(value)
    } result: {
      $0.takeData()
    }
  }

  /// Encodes a value, as an array of bytes.
  ///
  /// - Returns: The text in UTF-8.
  /// - Throws: `EncodingError.invalidValue` for a value that JSON has no text for, and what the
  ///   value itself throws.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func encodeToBytes<T: Encodable>(_ value: T) throws -> [UInt8] {
    try encode(value) { handle throws in
      try handle.encodeRoot(value)
    } result: {
      $0.bytes()
    }
  }

  /// Encodes a value that needs a configuration.
  ///
  /// - Returns: The text in UTF-8.
  /// - Throws: `EncodingError.invalidValue` for a value that JSON has no text for, and what the
  ///   value itself throws.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func encode<T: EncodableWithConfiguration>(
    _ value: T, configuration: T.EncodingConfiguration
  ) throws -> Data {
    try encode(value) { handle throws in
      try handle.scope(at: .none, entry: EncodingMark()) {
        try value.encode(to: ValueEncoder(handle: $0), configuration: configuration)
      }
    } result: {
      $0.takeData()
    }
  }

  /// Encodes a value that needs a configuration, which a type provides.
  ///
  /// - Returns: The text in UTF-8.
  /// - Throws: `EncodingError.invalidValue` for a value that JSON has no text for, and what the
  ///   value itself throws.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func encode<T, C>(_ value: T, configuration: C.Type) throws -> Data
  where
    T: EncodableWithConfiguration, C: EncodingConfigurationProviding,
    T.EncodingConfiguration == C.EncodingConfiguration
  {
    try encode(value, configuration: C.encodingConfiguration)
  }

  @inline(__always)
  private func encode<T, Result>(
    _ value: T, _ body: (EncodingHandle) throws -> Void,
    result: (inout OutputBuffer) -> Result
  ) throws -> Result {
    try Self.encode(value, options.withLock { $0 }, body, result: result)
  }

  @inline(__always)
  static func encode<T, Result>(
    _ value: T, _ options: EncodingOptions, _ body: (EncodingHandle) throws -> Void,
    result: (inout OutputBuffer) -> Result
  ) throws -> Result {
    let isPretty = options.outputFormatting.contains(.prettyPrinted)
    return try EncodingState.withNew(options) { handle in
      try body(handle)
      let state = handle.state
      if let failure = state.pointee.failure { throw failure }
      guard state.pointee.hasValue else {
        throw EncodingError.invalidValue(
          value,
          EncodingError.Context(
            codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
      }
      if state.pointee.isRecording {
        var text = state.pointee.takeText()
        if isPretty { text = text.laidOut() }
        return result(&text.output)
      }
      state.pointee.writer.removeLastComma()
      guard isPretty else { return result(&state.pointee.writer.output) }
      var text = state.pointee.writer.laidOut()
      return result(&text.output)
    }
  }
}
