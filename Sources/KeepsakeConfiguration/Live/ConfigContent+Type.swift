#if Configuration
import Configuration
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ConfigContent {
  /// A value read as one of swift-configuration's types, or `nil` if it has another.
  ///
  /// - Parameter isUntyped: Whether a string is read as the text of an argument is.
  init?(_ content: ConfigurationLayers.Content, isUntyped: Bool, as type: ConfigType) {
    let value = TypedContent(content: content, isUntyped: isUntyped)
    let typed: ConfigContent? =
      switch type {
      case .string: value.string.map { .string($0) }
      case .int: value.scalar().map { .int($0) }
      case .double: value.scalar().map { .double($0) }
      case .bool: value.scalar().map { .bool($0) }
      case .bytes: value.scalar().map { (data: Data) in .bytes(Array(data)) }
      case .stringArray: value.elements(\.string).map { .stringArray($0) }
      case .intArray: value.elements { $0.scalar() }.map { .intArray($0) }
      case .doubleArray: value.elements { $0.scalar() }.map { .doubleArray($0) }
      case .boolArray: value.elements { $0.scalar() }.map { .boolArray($0) }
      case .byteChunkArray:
        value.elements { $0.scalar() }
          .map { (chunks: [Data]) in .byteChunkArray(chunks.map(Array.init)) }
      }
    guard let typed else { return nil }
    self = typed
  }
}

/// A value that is read as one of swift-configuration's types.
private struct TypedContent {
  let content: ConfigurationLayers.Content
  let isUntyped: Bool

  func scalar<Scalar: ConfigurationScalar>() -> Scalar? {
    switch content {
    case .value(let value): Scalar(configured: value, isUntyped: isUntyped)
    case .text(let text): Scalar(configured: text)
    }
  }

  /// The string; or a date as text, because swift-configuration has no type for it.
  var string: String? {
    if case .value(let date) = content, case .date = date {
      return ConfigurationSecrets.plain(date)
    }
    return scalar()
  }

  /// The elements of an array, or `nil` if one has another type.
  func elements<Element>(_ read: (TypedContent) -> Element?) -> [Element]? {
    let contents: [ConfigurationLayers.Content]
    switch content {
    case .value(.array(let array)): contents = array.map { .value($0) }
    case .text(let text):
      contents = text.parts.map { part in
        .text(TextLayer.Text(name: text.name, whole: part, parts: [part]))
      }
    case .value: return nil
    }
    let elements = contents.compactMap {
      read(TypedContent(content: $0, isUntyped: isUntyped))
    }
    return elements.count == contents.count ? elements : nil
  }
}
#endif
