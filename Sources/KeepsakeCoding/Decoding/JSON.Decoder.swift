#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import KeepsakeBase

extension JSON {
  /// Decodes values of `Decodable` types from JSON.
  ///
  /// It behaves as Foundation's `JSONDecoder` does (`typealias JSONDecoder = JSON.Decoder` makes
  /// code written for that one compile), reads the text strictly as RFC 8259 defines it, and says
  /// in every error where it happened: see `DecodingError.location`.
  ///
  /// ```swift
  /// let decoder = JSON.Decoder()
  /// decoder.keyDecodingStrategy = .convertFromSnakeCase
  /// let books = try decoder.decode([Book].self, from: data)
  /// ```
  ///
  /// A decoder can be used by several threads at once; a call takes the properties as they are
  /// when it begins.
  public final class Decoder: Sendable {
    private let options = Mutex(DecodingOptions())

    /// Creates a decoder with the default strategies.
    public init() {}

    /// How dates are read; `.deferredToDate` by default.
    public var dateDecodingStrategy: DateDecodingStrategy {
      get { options.withLock { $0.date } }
      set { options.withLock { $0.date = newValue } }
    }

    /// How `Data` is read; `.base64` by default.
    public var dataDecodingStrategy: DataDecodingStrategy {
      get { options.withLock { $0.data } }
      set { options.withLock { $0.data = newValue } }
    }

    /// How infinities and NaN are read; `.throw` by default.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
      get { options.withLock { $0.float } }
      set { options.withLock { $0.float = newValue } }
    }

    /// How the keys of the text become those of a type; `.useDefaultKeys` by default.
    public var keyDecodingStrategy: KeyDecodingStrategy {
      get { options.withLock { $0.key } }
      set { options.withLock { $0.key = newValue } }
    }

    /// Which value counts where an object has one key several times; `.first` by default.
    public var duplicateKeyPolicy: DuplicateKeyPolicy {
      get { options.withLock { $0.duplicates } }
      set { options.withLock { $0.duplicates = newValue } }
    }

    /// What the types that are decoded find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock { $0.userInfo } }
      set { options.withLock { $0.userInfo = newValue } }
    }

    /// Whether JSON5 (<https://spec.json5.org>) is read; `false` by default.
    public var allowsJSON5: Bool {
      get { options.withLock { $0.syntax.isSuperset(of: .json5) } }
      set { set(.json5, newValue) }
    }

    /// Whether `//` and `/* */` are read in place of whitespace; `false` by default.
    public var allowsComments: Bool {
      get { options.withLock { $0.syntax.contains(.comments) } }
      set { set(.comments, newValue) }
    }

    /// Whether a comma may follow the last entry of an object or array; `false` by default.
    public var allowsTrailingCommas: Bool {
      get { options.withLock { $0.syntax.contains(.trailingCommas) } }
      set { set(.trailingCommas, newValue) }
    }

    /// Whether the braces of the outermost object may be missing; `false` by default.
    public var assumesTopLevelDictionary: Bool {
      get { options.withLock { $0.syntax.contains(.topLevelObjectWithoutBraces) } }
      set { set(.topLevelObjectWithoutBraces, newValue) }
    }

    /// The most objects and arrays that may be open at once; 512 by default, as with Foundation.
    ///
    /// A thread needs about a kilobyte of stack for each, and more if a type's `init(from:)` does.
    public var maximumDepth: Int {
      get { options.withLock { $0.maximumDepth } }
      set { options.withLock { $0.maximumDepth = newValue } }
    }

    /// The longest text that is read, in bytes; by default, and at most, just under 3 GiB.
    ///
    /// While it is read, a text takes up to twelve times its length of memory, and twice that while
    /// it turns out to: the worst are arrays of empty objects.
    public var maximumByteCount: Int {
      get { options.withLock { $0.maximumByteCount } }
      set { options.withLock { $0.maximumByteCount = min(newValue, Tape.maximumByteCount) } }
    }

    private func set(_ part: Syntax, _ isAllowed: Bool) {
      options.withLock {
        if isAllowed { $0.syntax.formUnion(part) } else { $0.syntax.subtract(part) }
      }
    }

    /// Reads a text that holds one value.
    func storage(_ bytes: UnsafeRawBufferPointer) throws -> TapeStorage {
      let options = options.withLock { $0 }
      do {
        return try TapeStorage(json: Self.input(bytes, options), options)
      } catch let error as ParseError {
        throw Self.invalid(error)
      }
    }

    /// Reads a value straight from the text if its type can and the options allow it, otherwise
    /// through ``Swift/Decodable``, which also knows what is wrong with a text that cannot be read.
    fileprivate func decode<T: Decodable>(
      _ type: T.Type, _ bytes: UnsafeRawBufferPointer
    ) throws -> T {
      // Not the options, which it takes longer to copy than to read a short text.
      let direct = options.withLock { $0.direct }
      guard let direct, let readable = ReadableTypes.find(type, size: bytes.count),
        bytes.count <= direct.maximumByteCount, WideEncoding(of: bytes) == nil
      else { return try storage(bytes).decode { try $0.decode(type) } }
      return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
        let value = memory.baseAddress.unsafelyUnwrapped
        do throws(Fault) {
          try readable.readAll(of: InputBytes(copying: bytes), direct, into: value)
        } catch {
          return try storage(bytes).decode { try $0.decode(type) }
        }
        return value.move()
      }
    }

    /// Copies a text that is not too long.
    private static func input(
      _ bytes: UnsafeRawBufferPointer, _ options: DecodingOptions
    ) throws -> InputBytes {
      guard bytes.count <= options.maximumByteCount else {
        throw invalid(Fault(.tooLarge, at: 0))
      }
      do throws(WideEncoding.InvalidUnit) {
        return try InputBytes.detectingEncoding(of: bytes)
      } catch {
        throw invalid(Fault(.invalidEncoding, at: error.offset))
      }
    }

    /// An error of a text that is not read at all.
    private static func invalid(_ fault: Fault) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(
          codingPath: [],
          debugDescription:
            "The given data was not valid JSON: \(fault).",
          underlyingError: fault))
    }

    private static func invalid(_ error: ParseError) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(
          codingPath: error.path.map(AnyCodingKey.init),
          debugDescription: "The given data was not valid JSON: \(error)",
          underlyingError: error))
    }

    /// Decodes value after value of a text.
    fileprivate func forEachValue(
      _ bytes: UnsafeRawBufferPointer, _ body: (TapeStorage) throws -> Void
    ) throws {
      let options = options.withLock { $0 }
      let input = try Self.input(bytes, options)
      var offset = 0
      var locations = LocationFinder()
      while true {
        let storage: TapeStorage?
        do throws(ParseError) {
          storage = try TapeStorage.next(in: input, options, at: &offset)
        } catch {
          throw Self.invalid(error)
        }
        guard let storage else { return }
        // Lines are counted once for all values.
        storage.exchange(&locations)
        try body(storage)
        storage.exchange(&locations)
      }
    }
  }
}

extension JSON.Decoder {
  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The text, in UTF-8; UTF-16 and UTF-32 are recognised too.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the text is not JSON or does not hold such a value, and what the
  ///   type's own `init(from:)` throws.
  /// - Complexity: O(*n*) in the number of bytes, beside what the type does.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try data.withUnsafeBytes { try decode(type, $0) }
  }

  /// Decodes a value, as ``decode(_:from:)-(_,Data)`` does, from an array of bytes.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    try bytes.withUnsafeBytes { try decode(type, $0) }
  }

  /// Decodes a value, as ``decode(_:from:)-(_,Data)`` does, from bytes that the caller owns.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: RawSpan) throws -> T {
    try bytes.withUnsafeBytes { try decode(type, $0) }
  }

  /// Decodes the value that a file holds.
  ///
  /// - Throws: What ``decode(_:from:)-(_,Data)`` throws, and what reading the file throws.
  public func decode<T: Decodable>(_ type: T.Type, contentsOf file: URL) throws -> T {
    try decode(type, from: Data(contentsOf: file))
  }

  /// Decodes a value of a type that needs a configuration.
  ///
  /// - Throws: What ``decode(_:from:)-(_,Data)`` throws.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws -> T {
    try data.withUnsafeBytes {
      try storage($0).decode { try type.init(from: $0, configuration: configuration) }
    }
  }

  /// Decodes a value of a type that needs a configuration.
  ///
  /// - Throws: What ``decode(_:from:)-(_,Data)`` throws.
  public func decode<T, C>(
    _ type: T.Type, from data: Data, configuration: C.Type
  ) throws -> T
  where
    T: DecodableWithConfiguration, C: DecodingConfigurationProviding,
    T.DecodingConfiguration == C.DecodingConfiguration
  {
    try decode(type, from: data, configuration: C.decodingConfiguration)
  }

  /// Decodes the values of a text that holds any number of them, one after another: JSON lines,
  /// or with nothing but whitespace between them.
  ///
  /// - Parameters:
  ///   - type: The type of each value.
  ///   - data: The text.
  ///   - body: Takes each value as soon as it is decoded.
  /// - Throws: What ``decode(_:from:)-(_,Data)`` throws, at the first value that gives reason to,
  ///   and what `body` throws.
  /// - Complexity: O(*n*) in the number of bytes; beside the text, memory for one value at a time.
  public func decodeEach<T: Decodable>(
    _ type: T.Type, from data: Data, _ body: (T) throws -> Void
  ) throws {
    try data.withUnsafeBytes { bytes in
      try forEachValue(bytes) { try body($0.decode { try $0.decode(type) }) }
    }
  }
}
