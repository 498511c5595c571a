extension PropertyList.XMLWriter {
  /// Writes a whole document that holds the value of records.
  ///
  /// - Parameter keepsFractions: Whether dates have the fraction of their second.
  static func document(
    _ records: Records, keepsFractions: Bool
  ) -> OutputBuffer {
    let data = records.dataCount / 2 * 3
    var writer = Self(capacity: records.heapCount + records.count * 40 + data)
    writer.beginDocument()
    var elements = GrowingBuffer<Int>()
    writer.append(
      0, of: records, indent: 0, keepsFractions: keepsFractions, elements: &elements)
    writer.endDocument()
    return writer.output
  }

  /// Writes a record's value.
  ///
  /// - Parameter elements: The elements of the containers around it.
  private mutating func append(
    _ record: Int, of records: Records, indent: Int, keepsFractions: Bool,
    elements: inout GrowingBuffer<Int>
  ) {
    let value = records.records[record]
    switch value.kind {
    // Only an encoder of JSON has text.
    case .none, .text: appendLine(indent, "<dict/>\n")
    case .string: appendLine(indent, "<string>", records.textBytes(record), "</string>\n")
    case .integer:
      let number = Int64(bitPattern: value.payload)
      appendInteger(indent, number.magnitude, isNegative: number < 0)
    case .unsigned: appendInteger(indent, value.payload, isNegative: false)
    case .real: appendReal(indent, Double(bitPattern: value.payload))
    case .single:
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: value.payload))
      appendReal(indent, Double(number))
    case .true: appendLine(indent, "<true/>\n")
    case .false: appendLine(indent, "<false/>\n")
    case .date:
      appendDate(indent, Double(bitPattern: value.payload), keepsFraction: keepsFractions)
    case .data: append(records.data(record), indent: indent)
    case .array, .dictionary:
      let isDictionary = value.kind == .dictionary
      if value.count == 0 { return appendLine(indent, isDictionary ? "<dict/>\n" : "<array/>\n") }
      appendLine(indent, isDictionary ? "<dict>\n" : "<array>\n")
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
      appendLine(indent, isDictionary ? "</dict>\n" : "</array>\n")
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
