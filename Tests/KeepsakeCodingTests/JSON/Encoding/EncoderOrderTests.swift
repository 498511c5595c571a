import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("JSON.Encoder: containers out of order")
struct EncoderOrderTests {
  /// Expects Foundation's bytes at the top, in an array and in an object.
  private func expectSame(
    _ body: @escaping (any Encoder) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let pair = EncoderPair()
    pair.expectSame(Encoding(body), sourceLocation: sourceLocation)
    pair.expectSame([Encoding(body), Encoding(body)], sourceLocation: sourceLocation)
    pair.expectSame(["q": Encoding(body)], sourceLocation: sourceLocation)
    pair.expectSame(
      Encoding { encoder in
        var container = encoder.container(keyedBy: NamedKey.self)
        try container.encode(Encoding(body), forKey: "first")
        try container.encode(Encoding(body), forKey: "second")
      }, sourceLocation: sourceLocation)
  }

  @Test("an outer one is written while an inner one is open, and the inner one again")
  func anOuterOneIsWritten() {
    expectSame { encoder in
      var outer = encoder.container(keyedBy: NamedKey.self)
      var inner = outer.nestedContainer(keyedBy: NamedKey.self, forKey: "inner")
      try inner.encode(1, forKey: "x")
      try outer.encode(2, forKey: "outer")
      try inner.encode(3, forKey: "y")
      var array = inner.nestedUnkeyedContainer(forKey: "array")
      try array.encode("s")
      try outer.encode([4, 5], forKey: "later")
      try array.encode(["k": 6])
      #expect(array.count == 2)
      var last = array.nestedContainer(keyedBy: NamedKey.self)
      try inner.encode([1], forKey: "list")
      try last.encode(2.5, forKey: "z")
      try last.encodeNil(forKey: "n")
    }
  }

  @Test("rows are written by turns") func rowsAreWrittenByTurns() throws {
    expectSame { encoder in
      var rows = encoder.unkeyedContainer()
      var open = (0..<4).map { _ in rows.nestedUnkeyedContainer() }
      for round in 0..<5 {
        for row in open.indices { try open[row].encode(round * 10 + row) }
      }
      try rows.encode("end")
    }
  }

  @Test("many thousand values are written by turns") func manyThousandValuesAreWrittenByTurns()
    throws
  {
    // In quadratic time this would take minutes.
    let count = 100_000
    let bytes = try JSON.Encoder().encodeToBytes(
      Encoding { encoder in
        var outer = encoder.container(keyedBy: NamedKey.self)
        var first = outer.nestedUnkeyedContainer(forKey: "a")
        var second = outer.nestedUnkeyedContainer(forKey: "b")
        for index in 0..<count {
          try first.encode(index % 10)
          try second.encode(index % 10)
        }
      })
    #expect(bytes.count == 4 * count + 13)
  }

  @Test("of two values for a key the one that ends last counts, among many keys, too")
  func theOneThatEndsLastCounts() throws {
    let value = Encoding { encoder in
      var outer = encoder.container(keyedBy: NamedKey.self)
      let held = outer
      try outer.encode(
        Encoding { encoder in
          var outer = held
          var inner = encoder.unkeyedContainer()
          try inner.encode(1)
          try outer.encode(2, forKey: "twice")
          for number in 0..<100 {
            try outer.encode(number, forKey: NamedKey(stringValue: "\(number)"))
          }
          try inner.encode(3)
        }, forKey: "twice")
    }
    EncoderPair().expectSame(value)
    let decoded = try PropertyList.Value(parsing: PropertyList.Encoder().encodeToBytes(value))
    guard case .dictionary(let entries) = decoded else { throw CancellationError() }
    #expect(entries["twice"] == [1, 3])
    #expect(entries.count == 101)
  }

  @Test("two of one encoder are one") func twoOfOneEncoderAreOne() {
    expectSame { encoder in
      var first = encoder.container(keyedBy: NamedKey.self)
      try first.encode(1, forKey: "a")
      var second = encoder.container(keyedBy: NamedKey.self)
      try second.encode(2, forKey: "b")
      try first.encode(3, forKey: "c")
    }
    expectSame { encoder in
      var first = encoder.unkeyedContainer()
      try first.encode(1)
      var second = encoder.unkeyedContainer()
      try second.encode(2)
      try first.encode(3)
    }
  }

  @Test("two nested ones for a key are one") func twoNestedOnesForAKey() throws {
    expectSame { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      var first = container.nestedContainer(keyedBy: NamedKey.self, forKey: "n")
      try first.encode(1, forKey: "x")
      var second = container.nestedContainer(keyedBy: NamedKey.self, forKey: "n")
      try second.encode(2, forKey: "y")
      try second.encode(3, forKey: "x")
      var list = container.nestedUnkeyedContainer(forKey: "l")
      try list.encode(1)
      var more = container.nestedUnkeyedContainer(forKey: "l")
      try more.encode(2)
    }
    expectSame { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(["a": 1], forKey: "b")
      var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "b")
      try nested.encode(2, forKey: "c")
    }
  }

  @Test("a container replaces a value, or one of the other kind") func replacedContainers() throws {
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(5, forKey: "k")
      var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "k")
      try nested.encode(1, forKey: "a")
    }
    #expect(try encoded(value) == #"{"k":{"a":1}}"#)
    let other = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "k")
      try nested.encode(1, forKey: "a")
      var list = container.nestedUnkeyedContainer(forKey: "k")
      try list.encode(1)
    }
    #expect(try encoded(other) == #"{"k":[1]}"#)
  }

  @Test("a nested one continues what an unused super encoder left") func unusedSuperEncoder() {
    expectSame { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      _ = container.superEncoder(forKey: "k")
      var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "k")
      try nested.encode(1, forKey: "a")
    }
  }

  @Test("many nested ones beside one that is opened again take linear time") func manyNested()
    throws
  {
    // In quadratic time this would take minutes.
    let count = 50_000
    let bytes = try JSON.Encoder().encodeToBytes(
      Encoding { encoder in
        var outer = encoder.container(keyedBy: NamedKey.self)
        var list = outer.nestedUnkeyedContainer(forKey: "list")
        for _ in 0..<count {
          var element = list.nestedContainer(keyedBy: NamedKey.self)
          try element.encode(1, forKey: "a")
        }
        for number in 0..<2 {
          var nested = outer.nestedContainer(keyedBy: NamedKey.self, forKey: "k")
          try nested.encode(number, forKey: NamedKey(stringValue: "\(number)"))
        }
      })
    #expect(bytes.count > count * 8)
    #expect(String(decoding: bytes.suffix(21), as: UTF8.self) == #"}],"k":{"0":0,"1":1}}"#)
  }

  @Test("super encoders stand for a value of their own") func superEncodersStandForAValue() {
    expectSame { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      do {
        var array = container.superEncoder().unkeyedContainer()
        try array.encode(1)
      }
      do {
        var single = container.superEncoder(forKey: "k").singleValueContainer()
        try single.encode("v")
      }
      _ = container.superEncoder(forKey: "none")
      try container.encode(1, forKey: "a")
    }
    expectSame { encoder in
      var container = encoder.unkeyedContainer()
      do {
        var keyed = container.superEncoder().container(keyedBy: NamedKey.self)
        try keyed.encode(1, forKey: "x")
      }
      try container.encode(2)
    }
  }

  @Test("a super encoder is used after its container went on") func aSuperEncoderIsUsedAfter() {
    let pair = EncoderPair()
    pair.expectSame(
      Encoding { encoder in
        var container = encoder.container(keyedBy: NamedKey.self)
        let parent = container.superEncoder()
        try container.encode(1, forKey: "a")
        var late = parent.container(keyedBy: NamedKey.self)
        try late.encode(2, forKey: "b")
        try container.encode(3, forKey: "c")
      })
  }

  @Test("a value within writes to the container that encodes it")
  func aValueWithinWritesToTheContainer() {
    expectSame { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      var other = container
      let child = Encoding { inner in
        var own = inner.container(keyedBy: NamedKey.self)
        try own.encode(1, forKey: "in")
        try other.encode(5, forKey: "late")
        try own.encode(2, forKey: "in2")
      }
      try container.encode(child, forKey: "child")
      try container.encode(6, forKey: "after")
    }
    expectSame { encoder in
      var container = encoder.unkeyedContainer()
      var other = container
      try container.encode(1)
      let child = Encoding { inner in
        var own = inner.container(keyedBy: NamedKey.self)
        try own.encode(1, forKey: "in")
        try other.encode(5)
        try own.encode(2, forKey: "in2")
      }
      try container.encode(child)
      try container.encode(6)
    }
  }

  @Test("a single value is gone on with") func aSingleValueIsGoneOnWith() {
    expectSame { encoder in
      var single = encoder.singleValueContainer()
      try single.encode(["a": 1])
      var keyed = encoder.container(keyedBy: NamedKey.self)
      try keyed.encode(2, forKey: "b")
    }
    expectSame { encoder in
      try ["a": 1].encode(to: encoder)
      var keyed = encoder.container(keyedBy: NamedKey.self)
      try keyed.encode(2, forKey: "b")
    }
  }

  @Test(
    "any order of writing random trees is Foundation's bytes",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func anyOrderOfWritingRandomTrees() {
    var random = RandomOrder(seed: 7)
    for _ in 0..<2_000 {
      let seed = random.next()
      EncoderPair().expectSame(
        Encoding { encoder in
          var random = RandomOrder(seed: seed)
          try random.write(to: encoder)
        })
    }
  }

  @Test("one that is kept after the end writes nothing and breaks nothing")
  func oneThatIsKeptAfterTheEnd() throws {
    final class Kept {
      var keyed: KeyedEncodingContainer<NamedKey>?
      var unkeyed: (any UnkeyedEncodingContainer)?
      var encoder: (any Encoder)?
    }
    let kept = Kept()
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(1, forKey: "a")
      kept.unkeyed = container.nestedUnkeyedContainer(forKey: "u")
      kept.keyed = container
      kept.encoder = encoder
    }
    for _ in 0..<3 {
      #expect(try encoded(value) == #"{"a":1,"u":[]}"#)
      #expect(throws: EncodingError.self) { try kept.keyed?.encode(2, forKey: "b") }
      #expect(throws: EncodingError.self) { try kept.unkeyed?.encode(["b": 2]) }
      var nested = kept.keyed?.nestedContainer(keyedBy: NamedKey.self, forKey: "n")
      #expect(throws: EncodingError.self) { try nested?.encode(2, forKey: "b") }
      var single = kept.encoder?.singleValueContainer()
      #expect(throws: EncodingError.self) { try single?.encode(2) }
      var again = kept.encoder?.container(keyedBy: NamedKey.self)
      #expect(throws: EncodingError.self) { try again?.encode(2, forKey: "b") }
      #expect(kept.unkeyed?.count == 0)
      // While another encoding runs, too.
      let other = Encoding { encoder in
        var container = encoder.container(keyedBy: NamedKey.self)
        try container.encode("other", forKey: "o")
        #expect(throws: EncodingError.self) { try kept.keyed?.encode(2, forKey: "b") }
        try container.encode([1], forKey: "p")
      }
      #expect(try encoded(other) == #"{"o":"other","p":[1]}"#)
    }
  }

  @Test("one that is kept after the end breaks nothing of what other threads encode meanwhile")
  func oneThatIsKeptWhileOthersEncode() async throws {
    final class Kept: @unchecked Sendable {
      // Written before the other tasks begin, then used by one of them only.
      var keyed: KeyedEncodingContainer<NamedKey>?
      var encoder: (any Encoder)?
    }
    let rounds = 3_000
    let kept = Kept()
    _ = try encoded(
      Encoding { encoder in
        kept.keyed = encoder.container(keyedBy: NamedKey.self)
        try kept.keyed?.encode(1, forKey: "a")
        kept.encoder = encoder
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<rounds {
          #expect(throws: EncodingError.self) { try kept.keyed?.encode(2, forKey: "b") }
          var again = kept.encoder?.container(keyedBy: NamedKey.self)
          #expect(throws: EncodingError.self) { try again?.encode(2, forKey: "b") }
          #expect(kept.encoder?.codingPath.isEmpty == true)
          #expect(kept.encoder?.userInfo.isEmpty == true)
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for round in 0..<rounds {
            let text = try encoded(
              Encoding { encoder in
                var outer = encoder.container(keyedBy: NamedKey.self)
                var inner = outer.nestedContainer(keyedBy: NamedKey.self, forKey: "i")
                try outer.encode(round, forKey: "o")
                try inner.encode("x", forKey: "x")
              })
            #expect(text == #"{"i":{"x":"x"},"o":\#(round)}"#)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Writes random trees by containers in random order, the same for the same seed.
private struct RandomOrder {
  private var random: RandomValues
  private var keyed: [KeyedEncodingContainer<NamedKey>] = []
  private var unkeyed: [any UnkeyedEncodingContainer] = []
  private var fresh = 0

  init(seed: UInt64) { random = RandomValues(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func write(to encoder: any Encoder) throws {
    if random.below(2) == 0 {
      keyed.append(encoder.container(keyedBy: NamedKey.self))
    } else {
      unkeyed.append(encoder.unkeyedContainer())
    }
    for _ in 0..<random.below(24) { try step() }
  }

  private mutating func key() -> NamedKey {
    fresh += 1
    return NamedKey(stringValue: "\(random.below(100))-\(fresh)")
  }

  private mutating func value() -> Encoding {
    let seed = random.next()
    let isDeep = random.below(3) == 0
    return Encoding { encoder in
      if isDeep {
        var inner = RandomOrder(seed: seed)
        try inner.write(to: encoder)
      } else {
        var container = encoder.singleValueContainer()
        try container.encode(seed % 1_000)
      }
    }
  }

  private mutating func step() throws {
    let index = random.below(keyed.count + unkeyed.count)
    let choice = random.below(5)
    if index < keyed.count {
      switch choice {
      case 0:
        keyed.append(keyed[index].nestedContainer(keyedBy: NamedKey.self, forKey: key()))
      case 1: unkeyed.append(keyed[index].nestedUnkeyedContainer(forKey: key()))
      case 2: try keyed[index].encode(value(), forKey: key())
      default: try keyed[index].encode("\(fresh)", forKey: key())
      }
    } else {
      switch choice {
      case 0:
        keyed.append(unkeyed[index - keyed.count].nestedContainer(keyedBy: NamedKey.self))
      case 1: unkeyed.append(unkeyed[index - keyed.count].nestedUnkeyedContainer())
      case 2: try unkeyed[index - keyed.count].encode(value())
      default: try unkeyed[index - keyed.count].encode(fresh)
      }
    }
  }
}
