import Foundation
import KeepsakeCoding
import Testing

@Suite("JSON.Encoder: paths and errors")
struct EncoderErrorTests {
  private struct Failure: Error {}

  @Test("the coding path is right in every container") func theCodingPathIsRightInEvery() throws {
    let value = Encoding { encoder in
      func names(_ path: [any CodingKey]) -> String {
        path.map(\.stringValue).joined(separator: ".")
      }
      #expect(names(encoder.codingPath) == "list.Index 1")
      var container = encoder.container(keyedBy: NamedKey.self)
      #expect(names(container.codingPath) == "list.Index 1")
      var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "n")
      #expect(names(nested.codingPath) == "list.Index 1.n")
      var array = nested.nestedUnkeyedContainer(forKey: "a")
      try array.encode(1)
      #expect(names(array.codingPath) == "list.Index 1.n.a")
      let inner = array.nestedContainer(keyedBy: NamedKey.self)
      #expect(names(inner.codingPath) == "list.Index 1.n.a.Index 1")
      try nested.encode(
        Encoding { encoder in
          #expect(names(encoder.codingPath) == "list.Index 1.n.v")
          try encoder.singleValueContainer().codingPath.isEmpty ? () : 1.encode(to: encoder)
        }, forKey: "v")
      #expect(names(inner.codingPath) == "list.Index 1.n.a.Index 1")
      let parent = container.superEncoder()
      #expect(names(parent.codingPath) == "list.Index 1.super")
      try array.encode(2)
      #expect(names(array.codingPath) == "list.Index 1.n.a")
      #expect(names(inner.codingPath) == "list.Index 1.n.a.Index 1")
      #expect(names(container.codingPath) == "list.Index 1")
      try array.encode(
        Encoding { encoder in
          #expect(names(encoder.codingPath) == "list.Index 1.n.a.Index 3")
        })
    }
    let result = try encoded(["list": [Encoding { try 0.encode(to: $0) }, value]])
    #expect(result == #"{"list":[0,{"n":{"a":[1,{},2,{}],"v":1},"super":{}}]}"#)
  }

  @Test("the path of a key keeps the key itself") func thePathOfAKeyKeeps() throws {
    enum Key: String, CodingKey { case only = "renamed" }
    var found: (any CodingKey)?
    _ = try encoded(
      Encoding { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
          Encoding { found = $0.codingPath.first }, forKey: .only)
      })
    #expect(found as? Key == .only)
  }

  @Test("a value that fails leaves no trace where its error is caught")
  func aValueThatFailsLeavesNoTrace() throws {
    let failing = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode([1, 2], forKey: "x")
      var nested = container.nestedUnkeyedContainer(forKey: "y")
      try nested.encode(1)
      try container.encode(2, forKey: "z")
      throw Failure()
    }
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try? container.encode(Double.nan, forKey: "a")
      try? container.encode(failing, forKey: "b")
      try? container.encode([1, .infinity], forKey: "c")
      try container.encode(1, forKey: "d")
      try? container.encode(["k": [failing]], forKey: "e")
      var array = container.nestedUnkeyedContainer(forKey: "f")
      try? array.encode(failing)
      try? array.encode(Float.nan)
      try array.encode(3)
      try container.encode(2, forKey: "g")
      try? array.encode(failing)
      try? container.encode(failing, forKey: "h")
      try array.encode(4)
    }
    for _ in 0..<2 {
      #expect(try encoded([value]) == #"[{"d":1,"f":[3,4],"g":2}]"#)
      #expect(throws: Failure.self) { try encoded([failing]) }
    }
  }

  /// A list of nodes, each within the one before.
  private final class Node: Encodable {
    var next: Node?

    static func encodedList(_ count: Int) throws -> Int {
      let nodes = (0..<count).map { _ in Node() }
      for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
      defer { for node in nodes { node.next = nil } }
      return try JSON.Encoder().encodeToBytes(nodes[0]).count
    }
  }

  @Test("values may lie as deep as Foundation lets them, and an error says if they lie deeper")
  func valuesMayLieAsDeepAsFoundation()
    throws
  {
    #expect(try Node.encodedList(JSON.Writer.maximumDepth) == 510 * 9 + 2)
    #expect(throws: EncodingError.self) { try Node.encodedList(JSON.Writer.maximumDepth + 1) }
    #expect(throws: EncodingError.self) { try Node.encodedList(20_000) }
    #expect(try Node.encodedList(2) == 11)
    func nested(_ depth: Int) -> Encoding {
      Encoding { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
        try container.encode(Encoding { try 1.encode(to: $0) })
      }
    }
    #expect(try encoded(nested(511)).utf8.count == 1023)
    #expect(throws: EncodingError.self) { try encoded(nested(512)) }
    #expect(throws: EncodingError.self) { try encoded([nested(511)]) }
  }

  @Test("a value that encodes itself without end is an error")
  func aValueThatEncodesItselfWithoutEnd() {
    struct Endless: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    struct Deep: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<600 { container = container.nestedUnkeyedContainer() }
      }
    }
    #expect(throws: EncodingError.self) { try encoded(Endless()) }
    #expect(throws: EncodingError.self) { try encoded([Endless()]) }
    #expect(throws: EncodingError.self) { try encoded(Deep()) }
    #expect(throws: EncodingError.self) { try encoded(["a": Deep()]) }
  }

  @Test("containers that contradict each other are an error")
  func containersThatContradictEachOther() {
    #expect(throws: EncodingError.self) {
      try encoded(
        Encoding { encoder in
          var keyed = encoder.container(keyedBy: NamedKey.self)
          try keyed.encode(1, forKey: "a")
          var unkeyed = encoder.unkeyedContainer()
          try? unkeyed.encode(1)
        })
    }
    #expect(throws: EncodingError.self) {
      try encoded(
        Encoding { encoder in
          var single = encoder.singleValueContainer()
          try single.encode(1)
          try single.encode(2)
        })
    }
    #expect(throws: EncodingError.self) {
      try encoded(
        Encoding { encoder in
          var single = encoder.singleValueContainer()
          try single.encode(1)
          var keyed = encoder.container(keyedBy: NamedKey.self)
          try? keyed.encode(1, forKey: "a")
        })
    }
  }

  @Test("a decimal number that is none is an error") func aDecimalNumberThatIsNone() {
    #expect(throws: EncodingError.self) { try encoded([Decimal.nan]) }
  }
}
