#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Tape {
  // MARK: To a value

  /// The value of a row; no reader makes a tape deeper than ``PropertyList/maximumDepth``.
  mutating func value(at index: Int) throws(PropertyList.Fault) -> PropertyList.Value {
    switch kind(index) {
    case .null: return .string("$null")
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int64(bitPattern: bits(index)))
    case .unsigned: return .unsigned(bits(index))
    case .real: return .real(Double(bitPattern: bits(index)))
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits(index))))
    case .string: return .string(text(index))
    case .number:
      preconditionFailure("only JSON has numbers as text")
    case .data:
      do throws(Base64.InvalidByte) {
        return .data(try data(index))
      } catch {
        throw PropertyList.Fault(
          offset: error.offset, path: plainPath(to: index), message: Base64.InvalidByte.message)
      }
    case .array:
      var elements: [PropertyList.Value] = []
      elements.reserveCapacity(elementCount(index))
      var element = index + Self.arrayHeader
      let end = end(index)
      while element < end {
        elements.append(try value(at: element))
        element = next(element)
      }
      return .array(elements)
    case .object:
      var dictionary = [String: PropertyList.Value](minimumCapacity: elementCount(index))
      var key = index + Self.objectHeader
      let end = end(index)
      while key < end {
        let value = value(ofKey: key)
        if !isSuperseded(key) { dictionary[text(key)] = try self.value(at: value) }
        key = next(value)
      }
      return .dictionary(dictionary)
    }
  }

  /// The keys and indices that lead to a row.
  private func plainPath(to target: Int) -> [String] {
    var path: [String] = []
    var container = 0
    while container != target {
      let isObject = self.is(.object, container)
      var row = container + (isObject ? Self.objectHeader : Self.arrayHeader)
      var position = 0
      while next(isObject ? value(ofKey: row) : row) <= target {
        row = next(isObject ? value(ofKey: row) : row)
        position += 1
      }
      path.append(isObject ? plainText(row) : String(position))
      container = isObject ? value(ofKey: row) : row
    }
    return path
  }

  // MARK: From a value

  /// A tape of a value that no file holds.
  init(_ value: PropertyList.Value) {
    self.init(
      InputBytes(borrowing: UnsafeBufferPointer(start: nil, count: 0)), format: .memory,
      wordCount: 0)
    append(value)
  }

  private mutating func append(_ value: PropertyList.Value) {
    let row = count
    switch value {
    case .string(let text):
      appendText(text, at: 0)
      recognizeNull(row)
    case .integer(let number): append(.integer, UInt64(bitPattern: number), at: 0)
    case .unsigned(let number):
      append(number > UInt64(Int64.max) ? .unsigned : .integer, number, at: 0)
    case .real(let number): append(.real, number.bitPattern, at: 0)
    case .boolean(let isTrue): append(isTrue ? .true : .false, at: 0)
    case .date(let date):
      append(.date, date.timeIntervalSinceReferenceDate.bitPattern, at: 0)
    case .data(let data): data.withUnsafeBytes { appendData($0, at: 0) }
    case .array(let elements):
      open(.array, at: 0)
      for element in elements { append(element) }
      close(row, elementCount: elements.count)
    case .dictionary(let dictionary):
      open(.object, at: 0)
      for (key, value) in dictionary {
        appendText(key, at: 0)
        append(value)
      }
      close(row, elementCount: dictionary.count)
    }
  }
}
