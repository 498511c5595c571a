#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Tape {
  typealias Value = PropertyList.Value

  // MARK: To a value

  /// The value of an entry; no reader makes a tape deeper than ``PropertyList/maximumDepth``.
  mutating func value(at index: Int) throws(PropertyList.Fault) -> Value {
    let entry = entries[index]
    switch entry.kind {
    case .null: return .string("$null")
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int64(bitPattern: entry.payload))
    case .unsigned: return .unsigned(entry.payload)
    case .real: return .real(Double(bitPattern: entry.payload))
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: entry.payload)))
    case .data: return .data(try sharedData(of: entry))
    case .string: return .string(sharedText(of: entry))
    case .array:
      var elements: [Value] = []
      elements.reserveCapacity(Int(entry.payload >> 32))
      var element = index + 1
      while element < entry.length {
        elements.append(try value(at: element))
        element = end(of: element)
      }
      return .array(elements)
    case .dictionary:
      var dictionary: [String: Value] = [:]
      var key = index + 1
      while key < entry.length {
        if !isSuperseded(key) {
          dictionary[sharedText(of: entries[key])] = try value(at: key + 1)
        }
        key = end(of: key + 1)
      }
      return .dictionary(dictionary)
    }
  }

  // MARK: From a value

  /// A tape of a value that no file holds.
  init(_ value: Value) {
    self.init(UnsafeBufferPointer(start: nil, count: 0), format: nil)
    append(value)
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .string(let text): appendText(text)
    case .integer(let number): append(.integer, at: 0, UInt64(bitPattern: number))
    case .unsigned(let number):
      append(number > UInt64(Int64.max) ? .unsigned : .integer, at: 0, number)
    case .real(let number): append(.real, at: 0, number.bitPattern)
    case .boolean(let isTrue): append(isTrue ? .true : .false, at: 0)
    case .date(let date):
      append(.date, at: 0, date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      let offset = data.withUnsafeBytes { appendToHeap($0) }
      append(.data, flags: Entry.isInHeap, at: offset, UInt64(data.count))
    case .array(let elements):
      let container = count
      append(.array, at: 0)
      for element in elements { append(element) }
      close(container, elementCount: elements.count)
    case .dictionary(let dictionary):
      let container = count
      append(.dictionary, at: 0)
      for (key, value) in dictionary {
        appendText(key)
        append(value)
      }
      close(container, elementCount: dictionary.count)
    }
  }
}
