#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList.Decoder {
  /// Decodes a value of a type that needs a configuration.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  ///   - configuration: What the type needs.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws -> T {
    var format = PropertyListFormat.binary
    return try decode(type, from: data, format: &format, configuration: configuration)
  }

  /// Decodes a value of a type that needs a configuration, and tells the format.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  ///   - format: Takes the format, once the value has been decoded.
  ///   - configuration: What the type needs.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, format: inout PropertyListFormat,
    configuration: T.DecodingConfiguration
  ) throws -> T {
    try data.withUnsafeBytes { bytes in
      try decode(bytes.assumingMemoryBound(to: UInt8.self), format: &format) {
        try type.init(from: $0, configuration: configuration)
      }
    }
  }

  /// Decodes a value of a type that needs a configuration.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  ///   - configuration: A type that provides what the value's type needs.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
    _ type: T.Type, from data: Data, configuration: C.Type
  ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
    try decode(type, from: data, configuration: C.decodingConfiguration)
  }

  /// Decodes a value of a type that needs a configuration, and tells the format.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  ///   - format: Takes the format, once the value has been decoded.
  ///   - configuration: A type that provides what the value's type needs.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
    _ type: T.Type, from data: Data, format: inout PropertyListFormat, configuration: C.Type
  ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
    try decode(type, from: data, format: &format, configuration: C.decodingConfiguration)
  }
}
