import Foundation
import KeepsakeCoding
import Testing

@Suite("A subclass that is decoded through the metatype of its superclass") struct SubclassTests {
  private class Shape: Codable {
    var name = "shape"
  }

  private final class Circle: Shape {
    let radius: Int

    required init(from decoder: any Decoder) throws {
      radius = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .radius)
      try super.init(from: decoder)
    }

    enum Key: CodingKey { case radius }
  }

  /// Decodes a circle from every kind of container.
  private struct Drawing: Decodable {
    let shapes: [Shape]

    init(from decoder: any Decoder) throws {
      let type: Shape.Type = Circle.self
      let container = try decoder.container(keyedBy: Key.self)
      var array = try container.nestedUnkeyedContainer(forKey: .array)
      shapes = [
        try container.decode(type, forKey: .one),
        try #require(try container.decodeIfPresent(type, forKey: .one)),
        try array.decode(type),
        try #require(try array.decodeIfPresent(type)),
        try container.superDecoder(forKey: .one).singleValueContainer().decode(type),
      ]
    }

    enum Key: CodingKey { case one, array }
  }

  private static let circle = ["name": Value.text("c"), "radius": .number(2)]

  private enum Value: Encodable, Sendable {
    case text(String), number(Int), object([String: Value]), array([Value])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .object(let object): try container.encode(object)
      case .array(let array): try container.encode(array)
      }
    }
  }

  @Test(
    "is one of the subclass, wherever it is one with Foundation",
    arguments: [nil, PropertyList.Format.xml, .binary])
  func decoding(format: PropertyList.Format?) throws {
    let circle = Value.object(Self.circle)
    let drawing = Value.object(["one": circle, "array": .array([circle, circle])])
    let type: Shape.Type = Circle.self
    let shapes: [Shape]
    let theirs: [Shape]
    if let format {
      let encoder = PropertyList.Encoder()
      encoder.outputFormat = format
      let (one, all) = try (encoder.encode(circle), encoder.encode(drawing))
      let (decoder, foundation) = (PropertyList.Decoder(), Foundation.PropertyListDecoder())
      shapes =
        try decoder.decode(Drawing.self, from: all).shapes + [decoder.decode(type, from: one)]
      theirs =
        try foundation.decode(Drawing.self, from: all).shapes + [foundation.decode(type, from: one)]
    } else {
      let (one, all) = try (JSON.Encoder().encode(circle), JSON.Encoder().encode(drawing))
      let (decoder, foundation) = (JSON.Decoder(), Foundation.JSONDecoder())
      shapes =
        try decoder.decode(Drawing.self, from: all).shapes + [decoder.decode(type, from: one)]
      theirs =
        try foundation.decode(Drawing.self, from: all).shapes + [foundation.decode(type, from: one)]
    }
    #expect(shapes.map { $0 is Circle } == theirs.map { $0 is Circle })
    // The standard library's keyed containers drop the metatype.
    #expect(shapes.map { $0 is Circle }.count { $0 } == 4)
    for shape in shapes { #expect(shape.name == "c") }
  }
}
