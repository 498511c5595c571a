extension PropertyList.XMLWriter {
  /// Writes a whole document that holds the value of records.
  ///
  /// - Parameter keepsFractions: Whether dates have the fraction of their second.
  static func document(
    _ records: Records, keepsFractions: Bool
  ) -> PropertyList.Output {
    let data = records.dataCount / 2 * 3
    var writer = Self(capacity: records.heapCount + records.count * 40 + data)
    writer.beginDocument()
    var elements = GrowingBuffer<Int>()
    writer.append(
      0, of: records, indent: 0, keepsFractions: keepsFractions, elements: &elements)
    return writer.endDocument()
  }

  /// Writes a record's value.
  ///
  /// - Parameter elements: The elements of the containers around it.
  private mutating func append(
    _ record: Int, of records: Records, indent: Int, keepsFractions: Bool,
    elements: inout GrowingBuffer<Int>
  ) {
    let value = records.records[record]
    if value.kind == .string {
      return appendLine(indent, "<string>", records.textBytes(record), "</string>\n")
    }
    appendIndent(indent)
    switch value.kind {
    // Only an encoder of JSON has text.
    case .none, .text: output.append("<dict/>\n")
    // Written above, as one line.
    case .string: break
    case .integer:
      let number = Int64(bitPattern: value.payload)
      appendInteger(number.magnitude, isNegative: number < 0)
    case .unsigned: appendInteger(value.payload, isNegative: false)
    case .real: appendReal(Double(bitPattern: value.payload))
    case .single:
      appendReal(Double(Float(bitPattern: UInt32(truncatingIfNeeded: value.payload))))
    case .true: appendBoolean(true)
    case .false: appendBoolean(false)
    case .date: appendDate(Double(bitPattern: value.payload), keepsFraction: keepsFractions)
    case .data: append(records.data(record), indent: indent)
    case .array, .dictionary:
      let isDictionary = value.kind == .dictionary
      if value.count == 0 { return output.append(isDictionary ? "<dict/>\n" : "<array/>\n") }
      output.append(isDictionary ? "<dict>\n" : "<array>\n")
      let start = elements.count
      if isDictionary {
        records.appendSortedElements(of: record, to: &elements)
      } else {
        records.appendElements(of: record, to: &elements)
      }
      for index in start..<elements.count {
        let element = elements[index]
        if isDictionary {
          appendLine(indent + 1, "<key>", records.keyBytes(element), "</key>\n")
        }
        append(
          element, of: records, indent: indent + 1, keepsFractions: keepsFractions,
          elements: &elements)
      }
      elements.truncate(to: start)
      appendIndent(indent)
      output.append(isDictionary ? "</dict>\n" : "</array>\n")
    }
  }
}

extension Records {
  /// A date within a record's value that XML has no text for.
  func dateWithoutText(in record: Int) -> Int? {
    switch records[record].kind {
    case .date:
      let seconds = Double(bitPattern: records[record].payload)
      return ISO8601.hasPropertyListText(secondsSinceReferenceDate: seconds) ? nil : record
    case .array, .dictionary:
      var elements = GrowingBuffer<Int>()
      if records[record].kind == .array {
        appendElements(of: record, to: &elements)
      } else {
        appendSortedElements(of: record, to: &elements)
      }
      for index in 0..<elements.count {
        if let date = dateWithoutText(in: elements[index]) { return date }
      }
      return nil
    default: return nil
    }
  }
}
