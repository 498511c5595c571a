#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Records {
  typealias Value = PropertyList.Value

  /// The records of a value.
  init(_ value: Value) {
    self.init()
    set(0, value)
  }

  /// The records of a dictionary.
  init(_ entries: some Sequence<(key: String, value: Value)>) {
    self.init()
    set(0, entries: entries)
  }

  private mutating func set(
    _ record: Int, entries: some Sequence<(key: String, value: Value)>
  ) {
    set(record, .dictionary)
    for (key, value) in entries {
      let element = add(to: record, key: key)
      set(element, value)
      link(element)
    }
  }

  private mutating func set(_ record: Int, _ value: Value) {
    switch value {
    case .string(let text): set(record, text: text)
    case .integer(let number): set(record, .integer, UInt64(bitPattern: number))
    case .unsigned(let number):
      set(record, number > UInt64(Int64.max) ? .unsigned : .integer, number)
    case .real(let number): set(record, .real, number.bitPattern)
    case .boolean(let isTrue): set(record, isTrue ? .true : .false)
    case .date(let date): set(record, .date, date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data): set(record, data: data)
    case .array(let elements):
      set(record, .array)
      for value in elements {
        let element = addElement(to: record)
        set(element, value)
        link(element)
      }
    case .dictionary(let dictionary):
      set(record, entries: dictionary.lazy.map { (key: $0.key, value: $0.value) })
    }
  }

  /// The value of a record.
  func value(_ record: Int = 0) -> Value {
    let payload = records[record].payload
    switch records[record].kind {
    // Only an encoder of JSON has text.
    case .none, .text: return .dictionary([:])
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int64(bitPattern: payload))
    case .unsigned: return .unsigned(payload)
    case .real: return .real(Double(bitPattern: payload))
    case .single:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: payload))))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: payload)))
    case .data: return .data(data(record))
    case .string:
      return .string(
        String(knownUTF8: textBytes(record), isASCII: records[record].isTextASCII))
    case .array:
      var elements: [Value] = []
      elements.reserveCapacity(Int(records[record].count))
      forEachElement(of: record) { elements.append(value($0)) }
      return .array(elements)
    case .dictionary:
      var dictionary = [String: Value](minimumCapacity: Int(records[record].count))
      forEachElement(of: record) {
        let key = String(knownUTF8: keyBytes($0), isASCII: records[$0].isKeyASCII)
        dictionary[key] = value($0)
      }
      return .dictionary(dictionary)
    }
  }

  private func forEachElement(of record: Int, _ body: (Int) -> Void) {
    guard records[record].count > 0 else { return }
    var element = Int(UInt32(truncatingIfNeeded: records[record].payload))
    while element != 0 {
      body(element)
      element = Int(records[element].next)
    }
  }
}
