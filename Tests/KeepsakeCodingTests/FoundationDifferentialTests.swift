import Foundation
import KeepsakeCoding
import Testing

@Suite("Against Foundation's property lists")
struct FoundationDifferentialTests {
  @Test("Foundation reads what is written")
  func foundationReads() throws {
    var random = RandomValues(seed: 3)
    random.isPortable = true
    for _ in 0..<3_000 {
      let entries = random.dictionary(count: 6)
      let bytes = PropertyList.Value.dictionary(entries).serializedXML()
      let copy = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      guard let mismatch = difference(.dictionary(entries), copy) else { continue }
      Issue.record("\(mismatch) in \(String(decoding: bytes, as: UTF8.self))")
      return
    }
  }

  @Test("What Foundation writes is read")
  func foundationWrites() throws {
    var random = RandomValues(seed: 4)
    random.isPortable = true
    for _ in 0..<3_000 {
      let entries = random.dictionary(count: 6)
      let data = try PropertyListSerialization.data(
        fromPropertyList: foundationValue(.dictionary(entries)), format: .xml, options: 0)
      let copy = try PropertyList.Value(parsingXML: Array(data))
      guard copy == .dictionary(entries) else {
        Issue.record("\(entries) became \(copy) in \(String(decoding: data, as: UTF8.self))")
        return
      }
    }
  }

  @Test("P11: Foundation's bytes are the bytes written, but for its order of keys and reals")
  func sameBytes() throws {
    var random = RandomValues(seed: 5)
    random.isPortable = true
    for _ in 0..<3_000 {
      let value = PropertyList.Value.array([random.value()])
      guard hasOneOrder(value) else { continue }
      let data = try PropertyListSerialization.data(
        fromPropertyList: foundationValue(value), format: .xml, options: 0)
      guard Array(data) == value.serializedXML() else {
        Issue.record(
          """
          \(String(decoding: data, as: UTF8.self)) is not
          \(String(decoding: value.serializedXML(), as: UTF8.self))
          """)
        return
      }
    }
  }

  @Test("P11: lines of base64 are as long as Foundation's, however far in")
  func deepData() throws {
    var value = PropertyList.Value.data(Data(repeating: 7, count: 100))
    for depth in 0..<12 {
      value = depth % 2 == 0 ? .array([value]) : ["key": value]
      let data = try PropertyListSerialization.data(
        fromPropertyList: foundationValue(value), format: .xml, options: 0)
      #expect(Array(data) == value.serializedXML())
    }
  }

  private func hasOneOrder(_ value: PropertyList.Value) -> Bool {
    switch value {
    case .real(let number): number.isInfinite
    case .array(let elements): elements.allSatisfy(hasOneOrder)
    case .dictionary(let entries):
      entries.allSatisfy { $0.key.utf8.allSatisfy { $0 < 0x80 } && hasOneOrder($0.value) }
    default: true
    }
  }

  private func foundationValue(_ value: PropertyList.Value) -> Any {
    switch value {
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .boolean(let isTrue): NSNumber(value: isTrue)
    case .date(let date): date
    case .data(let data): data
    case .array(let elements): elements.map(foundationValue)
    case .dictionary(let entries): entries.mapValues(foundationValue)
    }
  }

  /// What differs, if anything does.
  private func difference(_ value: PropertyList.Value, _ other: Any) -> String? {
    let isSame: Bool
    switch value {
    case .string(let text): isSame = other as? String == text
    case .integer(let number): isSame = (other as? NSNumber)?.int64Value == number
    case .unsigned(let number): isSame = (other as? NSNumber)?.uint64Value == number
    case .real(let number): isSame = (other as? NSNumber)?.doubleValue == number
    case .boolean(let isTrue): isSame = (other as? NSNumber)?.boolValue == isTrue
    case .date(let date): isSame = other as? Date == date
    case .data(let data): isSame = other as? Data == data
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return "\(value)" }
      return zip(elements, others).lazy.compactMap { difference($0, $1) }.first
    case .dictionary(let entries):
      guard let others = other as? [String: Any], others.count == entries.count else {
        return "\(value)"
      }
      return entries.lazy.compactMap { key, value in
        others[key].map { difference(value, $0) } ?? "no \(key)"
      }.first
    }
    return isSame ? nil : "\(value) became \(other)"
  }
}
