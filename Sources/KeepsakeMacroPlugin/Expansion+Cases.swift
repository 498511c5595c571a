#if Macros
/// Enumerations.
extension Expansion {
  var membersOfEnumeration: [String] {
    switch type.form {
    case .raw: return membersOfRawValues
    case .name: return membersOfNames
    case .external, .internal, .adjacent:
      var members = [codingKeys, decodingOfCases, encodingOfCases].compactMap { $0 }
      if isReadable { members.append(readingOfCases) }
      if isWritable { members.append(writingOfCases) }
      return members
    }
  }

  private var unknown: Case? { type.cases.first(where: \.isUnknown) }
  private var known: [Case] { type.cases.filter { !$0.isUnknown } }

  // MARK: Raw values

  private var membersOfRawValues: [String] {
    let aliases = known.flatMap { item in
      item.aliases.map { "case \(Names.literal($0)): self = .\(Names.identifier(item.name))" }
    }
    var members: [String] = []
    if !aliases.isEmpty {
      let switching = ["switch try decoder._caseName() {"] + aliases
      members.append(
        decoding(
          switching + [
            "case let name:",
            "guard let value = Self(rawValue: name) else { throw decoder._unknownCase(Self.self, named: name) }",
            "self = value", "}",
          ]))
      members.append(encoding(["try encoder._write(caseName: self.rawValue)"]))
    }
    members.append(
      reading([
        "guard let value = Self(rawValue: try reader._value()) else { throw reader._unknownCase }",
        "self = value",
      ]))
    members.append(writing(["try self.rawValue.write(to: &writer)"]))
    return members
  }

  // MARK: Names

  private var membersOfNames: [String] {
    var decodingCases = ["switch try decoder._caseName() {"]
    var encodingCases = ["switch self {"]
    var readingCases = ["switch try reader.readString() {"]
    var writingCases = ["switch self {"]
    for item in known {
      let name = Names.identifier(item.name)
      let names = ([item.key] + item.aliases).map(Names.literal).joined(separator: ", ")
      decodingCases.append("case \(names): self = .\(name)")
      readingCases.append("case \(names): self = .\(name)")
      encodingCases.append(
        "case .\(name): try encoder._write(caseName: \(Names.literal(item.key)))")
      writingCases.append("case .\(name): writer.write(\(Names.literal(item.key)))")
    }
    if let unknown {
      let name = Names.identifier(unknown.name)
      decodingCases[0] = "switch try? decoder._caseName() {"
      decodingCases.append("default: self = .\(name)(try decoder._value())")
      encodingCases.append("case .\(name)(let value): try encoder._write(value)")
      writingCases.append("case .\(name)(let value): try writer._write(value)")
    }
    readingCases.append("default: throw reader._unknownCase")
    return [
      decoding(decodingCases + ["}"]), encoding(encodingCases + ["}"]),
      reading(readingCases + ["}"]), writing(writingCases + ["}"]),
    ]
  }

  // MARK: Codable

  private var decodingOfCases: String {
    var lines: [String] = []
    switch type.form {
    case .external: lines.append("switch try decoder._externalCase(CodingKeys.self) {")
    case .internal(let tag), .adjacent(let tag, _):
      if let unknown {
        lines.append(
          "guard let fields = decoder._taggedCaseIfPresent(CodingKeys.self, \(key(tag))) else {")
        lines.append("self = .\(Names.identifier(unknown.name))(try decoder._value())")
        lines.append("return")
        lines.append("}")
      } else {
        lines.append("let fields = try decoder._taggedCase(CodingKeys.self, \(key(tag)))")
      }
      lines.append("switch fields.name {")
    case .raw, .name: break
    }
    for item in known {
      switch type.form {
      case .external:
        let patterns = ([item.key] + item.aliases).map { "(\(key($0)), let fields)?" }
        let used =
          item.values.isEmpty ? patterns.map { $0.replacing("let fields", with: "_") } : patterns
        lines.append(
          "case \(used.joined(separator: ", ")): self = .\(construction(item, "fields"))")
      case .internal:
        lines.append(
          "case \(names(item)): self = .\(item.isSinglePayload ? payload(item, "try decoder._value()") : construction(item, "fields.values"))"
        )
      case .adjacent(_, let content):
        if item.values.isEmpty {
          lines.append("case \(names(item)): self = .\(Names.identifier(item.name))")
        } else if item.isSinglePayload {
          lines.append(
            "case \(names(item)): self = .\(payload(item, "try fields.values._read(\(key(content)))"))"
          )
        } else {
          lines.append("case \(names(item)):")
          lines.append("let content = try fields.content(\(key(content)))")
          lines.append("self = .\(construction(item, "content"))")
        }
      case .raw, .name: break
      }
    }
    if let unknown {
      lines.append("default: self = .\(Names.identifier(unknown.name))(try decoder._value())")
    } else {
      lines.append(
        type.form == .external
          ? "default: throw decoder._unknownCase(Self.self)"
          : "default: throw fields.unknownCase(Self.self)")
    }
    return decoding(lines + ["}"])
  }

  private func names(_ item: Case) -> String {
    ([item.key] + item.aliases).map(Names.literal).joined(separator: ", ")
  }

  /// The case with associated values that are decoded from keyed ones.
  private func construction(_ item: Case, _ fields: String) -> String {
    let name = Names.identifier(item.name)
    if item.values.isEmpty { return name }
    let arguments = item.values.map { value in
      let label = value.label.map { "\($0): " } ?? ""
      if value.isOptional { return "\(label)try \(fields)._readIfPresent(\(key(value.key)))" }
      if let initial = value.defaultValue {
        return "\(label)try \(fields)._readIfPresent(\(key(value.key))) ?? \(initial)"
      }
      return "\(label)try \(fields)._read(\(key(value.key)))"
    }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  private func payload(_ item: Case, _ value: String) -> String {
    "\(Names.identifier(item.name))(\(value))"
  }

  private var encodingOfCases: String {
    var lines = ["switch self {"]
    for item in known {
      lines.append("case \(item.pattern):")
      switch type.form {
      case .external:
        lines.append("var cases = encoder.container(keyedBy: CodingKeys.self)")
        lines.append(
          "\(item.values.isEmpty ? "_" : "var fields") = cases.nestedContainer(keyedBy: CodingKeys.self, forKey: \(key(item.key)))"
        )
        lines += item.encodings { key($0) }
      case .internal(let tag):
        lines.append("var fields = encoder.container(keyedBy: CodingKeys.self)")
        lines.append("try fields.encode(\(Names.literal(item.key)), forKey: \(key(tag)))")
        lines +=
          item.isSinglePayload
          ? ["try value0.encode(to: encoder)"] : item.encodings { key($0) }
      case .adjacent(let tag, let content):
        let name = item.values.isEmpty || item.isSinglePayload ? "fields" : "object"
        lines.append("var \(name) = encoder.container(keyedBy: CodingKeys.self)")
        lines.append("try \(name).encode(\(Names.literal(item.key)), forKey: \(key(tag)))")
        if item.isSinglePayload {
          lines.append("try fields.encode(value0, forKey: \(key(content)))")
        } else if !item.values.isEmpty {
          lines.append(
            "var fields = object.nestedContainer(keyedBy: CodingKeys.self, forKey: \(key(content)))"
          )
          lines += item.encodings { key($0) }
        }
      case .raw, .name: break
      }
    }
    if let unknown {
      lines.append(
        "case .\(Names.identifier(unknown.name))(let value): try encoder._write(value)")
    }
    if type.cases.isEmpty { return encoding([]) }
    return encoding(lines + ["}"])
  }

  // MARK: JSON

  /// Reads associated values in the order in which they are written; in any other, `Codable` does.
  private var readingOfCases: String {
    var lines: [String] = []
    switch type.form {
    case .external:
      lines.append("\(known.isEmpty ? "let" : "var") start = try reader._beginCase()")
    case .internal(let tag), .adjacent(let tag, _):
      // One whose values are in objects with the tag is read from the start again.
      let isMutated = type.form != .internal(tag: tag) || known.contains { !$0.isSinglePayload }
      lines.append(
        "\(isMutated ? "var" : "let") start = try reader._beginCase(tag: \(Names.literal(tag)))")
    case .raw, .name: break
    }
    lines.append("switch start.name {")
    for item in known {
      lines.append("case \(names(item)):")
      let name = Names.identifier(item.name)
      switch type.form {
      case .external:
        lines.append("self = .\(readingConstruction(item))")
        lines.append("try reader._endContent(&start)")
      case .internal:
        if item.isSinglePayload {
          lines.append("self = .\(name)(try reader._value(from: start))")
          continue
        }
        lines.append("self = .\(readingConstruction(item))")
      case .adjacent(_, let content):
        let key = Names.literal(content)
        if item.isSinglePayload {
          lines.append("self = .\(name)(try reader._next(\(key), &start))")
        } else if item.values.isEmpty {
          lines.append("self = .\(name)")
        } else {
          lines.append("try reader._beginContent(\(key), &start)")
          lines.append("self = .\(readingConstruction(item))")
          lines.append("try reader._endContent(&start)")
        }
      case .raw, .name: break
      }
      lines.append("try reader._endContent(&start)")
    }
    lines.append("default: throw reader._unknownCase")
    return reading(lines + ["}"])
  }

  private func readingConstruction(_ item: Case) -> String {
    let name = Names.identifier(item.name)
    if item.values.isEmpty { return name }
    let arguments = item.values.map { value in
      let label = value.label.map { "\($0): " } ?? ""
      let function = value.isOptional || value.defaultValue != nil ? "_nextIfPresent" : "_next"
      let end = value.defaultValue.map { " ?? \($0)" } ?? ""
      return "\(label)try reader.\(function)(\(Names.literal(value.key)), &start)\(end)"
    }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  private var writingOfCases: String {
    var lines = ["switch self {"]
    for item in known {
      lines.append("case \(item.pattern):")
      let values = item.values.enumerated().map { index, value in
        "try writer._write(value\(index), key: \(Names.prejoined(value.key)))"
      }
      switch type.form {
      case .external:
        lines.append("try writer.beginObject()")
        lines.append("writer.key(prejoined: \(Names.prejoined(item.key)))")
        lines.append("try writer.beginObject()")
        lines += values
        lines.append("writer.endObject()")
        lines.append("writer.endObject()")
      case .internal(let tag):
        if item.isSinglePayload {
          lines.append(
            "try writer._write(value0, tag: \(Names.literal(tag)), \(Names.literal(item.key)))")
        } else {
          lines.append("try writer.beginObject()")
          lines.append(
            "try writer._write(\(Names.literal(item.key)), key: \(Names.prejoined(tag)))")
          lines += values
          lines.append("writer.endObject()")
        }
      case .adjacent(let tag, let content):
        lines.append("try writer.beginObject()")
        lines.append("try writer._write(\(Names.literal(item.key)), key: \(Names.prejoined(tag)))")
        if item.isSinglePayload {
          lines.append("try writer._writeOrNull(value0, key: \(Names.prejoined(content)))")
        } else if !item.values.isEmpty {
          lines.append("writer.key(prejoined: \(Names.prejoined(content)))")
          lines.append("try writer.beginObject()")
          lines += values
          lines.append("writer.endObject()")
        }
        lines.append("writer.endObject()")
      case .raw, .name: break
      }
    }
    if let unknown {
      lines.append(
        "case .\(Names.identifier(unknown.name))(let value): try writer._write(value)")
    }
    if type.cases.isEmpty { return writing([]) }
    return writing(lines + ["}"])
  }
}

extension Case {
  /// Whether there is one associated value without a label, which beside a tag is not in an object.
  var isSinglePayload: Bool { values.count == 1 && values[0].label == nil }

  /// The case with its associated values as `value0`, `value1` and so on.
  var pattern: String {
    let name = Names.identifier(name)
    if values.isEmpty { return ".\(name)" }
    return ".\(name)(\(values.indices.map { "let value\($0)" }.joined(separator: ", ")))"
  }

  /// Statements that encode the associated values.
  func encodings(_ key: (String) -> String) -> [String] {
    values.enumerated().map { index, value in
      "try fields._write(value\(index), \(key(value.key)))"
    }
  }
}
#endif
