import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("A binary property list") struct BinaryTests {
  typealias Value = PropertyList.Value

  @Test("returns every value that is written to it") func returnsEveryValueThatIsWritten()
    throws
  {
    var random = RandomValues(seed: 11)
    for _ in 0..<20_000 {
      let value = random.value()
      let copy = try Value(parsingBinary: value.serializedBinary())
      guard copy == value else {
        Issue.record("\(value) became \(copy)")
        return
      }
    }
  }

  @Test("is read by Foundation, and Foundation's is read") func isReadByFoundation() throws {
    var random = RandomValues(seed: 12)
    random.isPortable = true
    for _ in 0..<5_000 {
      let value = Value.array([random.value()])
      let bytes = value.serializedBinary()
      let theirs = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      let data = try PropertyListSerialization.data(
        fromPropertyList: theirs, format: .binary, options: 0)
      let copy = try Value(parsingBinary: Array(data))
      guard copy == value else {
        Issue.record("\(value) became \(copy)")
        return
      }
    }
  }

  @Test("has the bytes that its format prescribes") func hasTheBytesThatItsFormatPrescribes() {
    #expect(
      (["a": 1, "b": "a"] as Value).serializedBinary()
        == BinaryFile(
          [0xD2, 1, 2, 3, 1], [0x51, 0x61], [0x51, 0x62], [0x10, 1]
        ).bytes)
    let many = (Value.array(Array(repeating: true, count: 16))).serializedBinary()
    #expect(Array(many[8..<12]) == [0xAF, 0x10, 16, 1])
    #expect(
      Array((-1 as Value).serializedBinary()[8...16]) == [0x13] + Array(repeating: 0xFF, count: 8))
    #expect(
      Array(Value.unsigned(1 << 63).serializedBinary()[8...17]) == [0x14]
        + Array(repeating: 0, count: 8) + [0x80])
    #expect(Array(("é" as Value).serializedBinary()[8...10]) == [0x61, 0, 0xE9])
    #expect(Value.dictionary([:]).serializedBinary() == BinaryFile([0xD0]).bytes)
  }

  @Test("is the same for equal values, in any order of their keys")
  func isTheSameForEqualValues() {
    var random = RandomValues(seed: 13)
    for _ in 0..<500 {
      let entries = random.dictionary(count: 20)
      let bytes = Value.dictionary(entries).serializedBinary()
      let again = Dictionary(uniqueKeysWithValues: entries.shuffled())
      #expect(Value.dictionary(again).serializedBinary() == bytes)
    }
  }

  @Test("writes equal scalars once, and names them in as few bytes as hold their number")
  func writesEqualScalarsOnce()
    throws
  {
    let rows = Value.array(Array(repeating: ["name": "the same text", "number": 7], count: 300))
    let bytes = rows.serializedBinary()
    #expect(bytes.count < 300 * 14)
    #expect(try Value(parsingBinary: bytes) == rows)
    // 256 objects: the last is named by one byte; 257: by two.
    for (count, size) in [(255, 1), (256, 2)] as [(Int, UInt8)] {
      let numbers = Value.array((0..<count).map { .integer(Int64($0)) })
      let bytes = numbers.serializedBinary()
      #expect(bytes[bytes.count - 25] == size)
      #expect(try Value(parsingBinary: bytes) == numbers)
    }
  }

  @Test("holds more than a value can: sets, identifiers, null, numbers of any width")
  func holdsMoreThanAValueCan() throws {
    #expect(try Value(parsingBinary: BinaryFile([0xC1, 1], [0x08]).bytes) == [false])
    #expect(try Value(parsingBinary: BinaryFile([0x00]).bytes) == "$null")
    #expect(try Value(parsingBinary: BinaryFile([0x80, 5]).bytes) == ["CF$UID": 5])
    #expect((["CF$UID": 5] as Value).serializedBinary() == BinaryFile([0x80, 5]).bytes)
    #expect(try Value(parsingBinary: BinaryFile([0x22, 0x3F, 0x80, 0, 0]).bytes) == 1.0)
    let wide = [0x14] + [UInt8](repeating: 0, count: 15)
    #expect(try Value(parsingBinary: BinaryFile(wide + [3]).bytes) == 3)
    #expect(
      try Value(parsingBinary: BinaryFile([0x14] + [UInt8](repeating: 0xFF, count: 16)).bytes) == -1
    )
    #expect(try Value(parsingBinary: BinaryFile([0x62, 0xD8, 0, 0, 0x61]).bytes) == "\u{FFFD}a")
    // Of two equal keys the last one's value counts, also where they are two objects.
    #expect(
      try Value(
        parsingBinary: BinaryFile(
          [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x61], [0x10, 1], [0x09]
        ).bytes)
        == ["a": true])
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let file: BinaryFile
    let offset: Int
    let message: String
    var path: [String] = []
    var testDescription: String { message }
  }

  static let faults: [Fault] = {
    var faults = [
      Fault(
        file: BinaryFile([0xA1, 0]), offset: 8, message: "a container that holds itself",
        path: ["0"]),
      Fault(
        file: BinaryFile([0xD1, 1, 2], [0x51, 0x61], [0xA1, 0]), offset: 8,
        message: "a container that holds itself", path: ["a", "0"]),
      Fault(
        file: BinaryFile([0xA1, 9]), offset: 9, message: "a reference to object 9 of 1", path: ["0"]
      ),
      Fault(
        file: BinaryFile([0x4F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]), offset: 8,
        message: "a length of 2147483647 reaches beyond the file's objects"),
      Fault(
        file: BinaryFile([0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)), offset: 8,
        message: "a length of \(Int.max) reaches beyond the file's objects"),
      Fault(
        file: BinaryFile([0xDF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)), offset: 8,
        message: "a length of \(1 << 62) reaches beyond the file's objects"),
      Fault(
        file: BinaryFile([0x5F, 0x51]), offset: 9, message: "a length that is no whole number"),
      Fault(file: BinaryFile([0x51, 0xE9]), offset: 8, message: "a byte that is not ASCII"),
      Fault(
        file: BinaryFile([0xD1, 1, 1], [0x08]), offset: 11, message: "a key that is not a string",
        path: ["?"]),
      Fault(
        file: BinaryFile([0x13, 0]), offset: 8,
        message: "a number that reaches beyond the file's objects"),
      Fault(file: BinaryFile([0xE0]), offset: 8, message: "0xe0 is no kind of object"),
      Fault(
        file: BinaryFile([0x14, 1] + [UInt8](repeating: 0, count: 15)), offset: 8,
        message: "a whole number of more than 64 bits"),
    ]
    var file = BinaryFile([0x08])
    file.top = 7
    faults.append(
      Fault(file: file, offset: 26, message: "the first object is none of the file's"))
    file = BinaryFile([0x08])
    file.objectCount = .max
    faults.append(
      Fault(file: file, offset: 18, message: "more objects than the table of offsets holds"))
    file = BinaryFile([0x08])
    file.tableOffset = 1 << 63
    faults.append(
      Fault(file: file, offset: 34, message: "the table of offsets is outside of the file"))
    file = BinaryFile([0x08])
    file.offsets = [0: 200]
    faults.append(
      Fault(file: file, offset: 9, message: "object 0 is outside of the file's objects"))
    file = BinaryFile([0x08])
    file.referenceSize = 0
    faults.append(Fault(file: file, offset: 17, message: "a reference of 0 bytes"))
    return faults
  }()

  @Test("is refused with the place of what is wrong", arguments: faults)
  func isRefusedWithThePlaceOfWhat(fault: Fault) throws {
    let error = try #require(throws: PropertyList.ParseError.self) {
      try Value(parsingBinary: fault.file.bytes)
    }
    #expect(error.message == fault.message && error.location.offset == fault.offset)
    #expect(fault.path == ["?"] || error.path == fault.path)
    #expect(error.description.hasPrefix("byte \(error.location.offset)"))
    #expect(throws: DecodingError.self) {
      try PropertyList.Decoder().decode(Probe.self, from: fault.file.bytes)
    }
  }

  @Test(
    "whose containers are deeper or more often shared than any is made is refused",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func whoseContainersAreDeeperOrMoreOften() throws {
    // Each of 600 arrays holds the next.
    var deep = BinaryFile()
    deep.offsetSize = 2
    deep.referenceSize = 2
    for index in 1...600 { deep.objects.append([0xA1, UInt8(index >> 8), UInt8(index & 0xFF)]) }
    deep.objects.append([0x09])
    var error = try #require(throws: PropertyList.ParseError.self) {
      try Value(parsingBinary: deep.bytes)
    }
    #expect(error.message == "more than 512 containers deep" && error.path.count == 512)
    // Each of 60 arrays holds the next one twice: 2^60 values.
    var laughs = BinaryFile()
    for index in 1...60 { laughs.objects.append([0xA2, UInt8(index), UInt8(index)]) }
    laughs.objects.append([0x51, 0x61])
    error = try #require(throws: PropertyList.ParseError.self) {
      try Value(parsingBinary: laughs.bytes)
    }
    #expect(error.message == "shared containers that hold more than the file has room for")
    // A long text that is named often is kept once.
    var often = BinaryFile([0xAF, 0x11, 0x40, 0] + Array(repeating: 1, count: 0x4000))
    often.offsetSize = 3
    often.objects.append([0x5F, 0x12, 0, 0x10, 0, 0] + Array(repeating: 0x61, count: 1 << 20))
    guard case .array(let texts) = try Value(parsingBinary: often.bytes) else { return }
    #expect(texts.count == 0x4000 && texts.last == .string(String(repeating: "a", count: 1 << 20)))
  }
}
