import KeepsakeCoding
import Testing

@Suite("Arrays that are read straight from the bytes") struct ArrayReadingTests {
  /// Counts those that exist.
  private final class Counter {
    var count = 0
  }

  /// An element that holds a reference, of any size and alignment.
  private struct Element<Filling> {
    final class Reference {
      let counter: Counter

      init(_ counter: Counter) {
        self.counter = counter
        counter.count += 1
      }

      deinit { counter.count -= 1 }
    }

    let number: Int
    let reference: Reference
    let filling: Filling
  }

  private func read<Filling>(
    _ text: String, _ filling: Filling, _ counter: Counter
  ) throws -> [Element<Filling>] {
    try JSON.read(Array(text.utf8)) { reader throws(JSON.Fault) in
      try reader.readArray { reader throws(JSON.Fault) in
        let number = try reader.readInteger(as: Int.self)
        return Element(
          number: number, reference: Element.Reference(counter), filling: filling)
      }
    }
  }

  private func check<Filling: Equatable>(_ filling: Filling) throws {
    let counter = Counter()
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 200] {
      let numbers = (0..<count).map(String.init)
      let elements = try read("[\(numbers.joined(separator: ", "))]", filling, counter)
      #expect(counter.count == count)
      #expect(elements.map(\.number) == Array(0..<count))
      #expect(elements.allSatisfy { $0.filling == filling })
    }
    #expect(counter.count == 0)
  }

  @Test("have all elements, of every size and alignment, each once") func all() throws {
    try check(UInt8(1))
    try check(SIMD4<Double>(1, 2, 3, 4))
    try check(SIMD64<UInt8>(repeating: 7))
    try check([1, 2, 3])
    try check(SIMD64<Double>(repeating: 0.5))
  }

  @Test("release what was read before a fault") func faults() {
    let counter = Counter()
    for count in [0, 1, 3, 4, 8, 20, 21, 100] {
      let text = "[" + String(repeating: "1,", count: count) + "\"\"]"
      #expect(throws: JSON.ParseError.self) { try read(text, 0, counter) }
      #expect(throws: JSON.ParseError.self) {
        try read(text, SIMD64<Double>(repeating: 0.5), counter)
      }
      #expect(counter.count == 0)
    }
  }

  @Test("of texts and numbers are those of their elements") func usual() throws {
    for count in [0, 1, 2, 3, 4, 16, 63, 64, 65, 300] {
      let numbers = "[\((0..<count).map(String.init).joined(separator: ","))]"
      let texts = "[\((0..<count).map { "\"\($0)\"" }.joined(separator: " , "))]"
      #expect(try array(numbers) == Array(0..<count))
      #expect(try array(numbers) == (0..<count).map(Double.init))
      #expect(try array(numbers) == (0..<count).map(Float.init))
      #expect(try array(numbers) == (0..<count).map(Optional.init))
      #expect(try array(texts) == (0..<count).map(String.init))
      #expect(try array("[\(numbers),\(numbers)]") == [Array(0..<count), Array(0..<count)])
    }
  }

  private func array<Element: JSON.Readable>(_ text: String) throws -> [Element] {
    try JSON.read(Array(text.utf8)) { reader throws(JSON.Fault) in try [Element](from: &reader) }
  }
}
