#if Macros
/// Structures and classes.
extension Expansion {
  var membersWithFields: [String] {
    var members = [codingKeys, decodingOfFields, encodingOfFields].compactMap { $0 }
    if isReadable { members += isEmpty ? [readingOfFields] : [fieldTables, readingOfFields] }
    if isWritable { members.append(writingOfFields) }
    return members
  }

  /// Whether nothing is stored: as with synthesized code, any value can be read then.
  private var isEmpty: Bool {
    type.version == nil && type.fields.allSatisfy { $0.role == .notStored }
  }

  // MARK: Codable

  private var decodingOfFields: String {
    let version = type.version == nil ? "" : ", version: .schemaVersion"
    var statements = ["let fields = try decoder._fields(CodingKeys.self\(version))"]
    for field in type.fields {
      switch field.role {
      case .keyed: statements.append(decoding(field))
      case .flattened:
        let function = field.isOptional ? "_readFlattenedIfPresent" : "_readFlattened"
        statements.append("self.\(field.code) = try fields.\(function)()")
      case .unknown:
        let known = knownKeys.map(key).joined(separator: ", ")
        statements.append("self.\(field.code) = try fields._readUnknown(except: [\(known)])")
      case .notStored:
        if let value = field.defaultValue { statements.append("self.\(field.code) = \(value)") }
      }
    }
    if isEmpty { statements.removeFirst() }
    if type.hasDidDecode { statements.append("try self.didDecode()") }
    return decoding(statements)
  }

  /// The keys in the object of the type that stand for a property, now or in earlier versions.
  private var knownKeys: [String] {
    var known: [String] = type.version == nil ? [] : ["schemaVersion"]
    for field in type.fields where field.role == .keyed {
      for path in [field.path] + field.aliases + field.migrations.compactMap(\.source) {
        if !known.contains(path[0]) { known.append(path[0]) }
      }
    }
    return known
  }

  private func decoding(_ field: Field) -> String {
    let property = "self.\(field.code)"
    let isSimple =
      field.path.count == 1 && field.aliases.isEmpty && field.migrations.isEmpty
      && field.coding == nil && !field.dropsElements && !field.useDefaultIfUnreadable
    var location = "fields"
    var arguments: [String] = isSimple ? [key(field.path[0])] : []
    if !isSimple {
      location += "._at(\(path(field.path))"
      if !field.aliases.isEmpty {
        let aliases = field.aliases.map { "[\(path($0))]" }
        location += ", or: \(aliases.joined(separator: ", "))"
      }
      if field.useDefaultIfUnreadable { location += ", useDefaultIfUnreadable: true" }
      location += ")"
    }
    var end: [String] = []
    if field.dropsElements { end.append("using: _DroppingElements()") }
    if let coding = field.coding { end.append("using: \(coding)") }
    end += field.migrations.map(migration)
    if field.isInitiallyNil && field.isOptional {
      return
        "\(property) = try \(location)._readIfPresent(\((arguments + end).joined(separator: ", ")))"
    }
    if field.hasInitialValue {
      arguments.append("into: &\(property)")
      return "try \(location)._read(\((arguments + end).joined(separator: ", ")))"
    }
    if let value = field.defaultValue {
      return "\(property) = try \(location)._readIfPresent("
        + "\((arguments + end).joined(separator: ", "))) ?? \(value)"
    }
    return "\(property) = try \(location)._read(\((arguments + end).joined(separator: ", ")))"
  }

  private func migration(_ migration: Field.Migration) -> String {
    var arguments: [String] = []
    if let source = migration.source { arguments.append("from: [\(path(source))]") }
    if let version = migration.version { arguments.append("before: \(version)") }
    return "_Migration(\((arguments + [migration.convert]).joined(separator: ", ")))"
  }

  private var encodingOfFields: String {
    var statements: [String] = []
    var number = 0
    func write(_ group: FieldGroup, to container: String) {
      for member in group.members {
        switch member {
        case .field(let field): statements.append(encoding(field, member.key, container))
        case .group(let name, let inner):
          number += 1
          let nested = "fields\(number)"
          statements.append(
            "var \(nested) = \(container)"
              + ".nestedContainer(keyedBy: CodingKeys.self, forKey: \(key(name)))")
          write(inner, to: nested)
        }
      }
    }
    if let version = type.version {
      statements.append("try fields.encode(\(version), forKey: .schemaVersion)")
    }
    write(root, to: "fields")
    let container = "fields = encoder.container(keyedBy: CodingKeys.self)"
    statements.insert(
      statements.isEmpty ? "_ = encoder.container(keyedBy: CodingKeys.self)" : "var \(container)",
      at: 0)
    for field in type.fields {
      if field.role == .flattened {
        statements.append(
          "try self.\(field.code)\(field.isOptional ? "?" : "").encode(to: encoder)")
      }
    }
    for field in type.fields where field.role == .unknown {
      statements.append("try encoder._writeUnknown(self.\(field.code))")
    }
    return encoding(statements)
  }

  private func encoding(_ field: Field, _ name: String, _ container: String) -> String {
    // So that no value is read as another one, null is written where a missing key means a value.
    if field.writesNull, field.coding == nil {
      return "try \(container).encode(self.\(field.code), forKey: \(key(name)))"
    }
    let function = field.writesNull ? "_writeOrNull" : "_write"
    return
      "try \(container).\(function)(self.\(field.code), \(key(name))\(field.codingArgument))"
  }

  // MARK: JSON

  /// The names of the fields of each object.
  private var fieldTables: String {
    var tables: [String] = []
    func add(_ group: FieldGroup) {
      var names = group.members.map { Names.literal($0.key) }
      if tables.isEmpty, type.version != nil { names.append(Names.literal("schemaVersion")) }
      let aliases = group.aliases.map { "\(Names.literal($0.key)): \($0.index)" }
      if !aliases.isEmpty { names.append("aliases: [\(aliases.joined(separator: ", "))]") }
      let number = tables.count
      let fields = "JSON.Fields(\(names.joined(separator: ", ")))"
      // A generic type has no static properties.
      tables.append(
        type.isGeneric
          ? "static var object\(number): JSON.Fields { JSON.Fields._of(Self.self, \(number)) { \(fields) } }"
          : "static let object\(number) = \(fields)")
      for case .group(_, let inner) in group.members { add(inner) }
    }
    add(root)
    return "private enum JSONFields {\n\(tables.joined(separator: "\n"))\n}"
  }

  private var readingOfFields: String {
    var statements: [String] = []
    var number = 0
    for field in type.fields where field.role == .keyed {
      statements.append(declaration(of: field))
    }
    func read(_ group: FieldGroup, isRoot: Bool) -> [String] {
      let object = "object\(number)"
      number += 1
      var lines = ["var \(object) = try reader.beginObject(JSONFields.\(object))"]
      lines.append("while let field = try reader.nextField(of: &\(object)) {")
      lines.append("switch field {")
      for (index, member) in group.members.enumerated() {
        switch member {
        case .field(let field): lines.append("case \(index): \(reading(field))")
        case .group(_, let inner):
          lines.append("case \(index):")
          lines += read(inner, isRoot: false)
        }
      }
      if isRoot, let version = type.version {
        lines.append(
          "case \(group.members.count): try reader._expectVersion(\(version))")
      }
      lines.append("default: try reader.skipValue()")
      lines.append("}")
      lines.append("}")
      var required: [String] = []
      if isRoot, type.version != nil { required.append("\(group.members.count)") }
      for (index, member) in group.members.enumerated() {
        switch member {
        case .field(let field):
          if field.needsCodableIfMissing { required.append("\(index)") }
        case .group(_, let inner):
          if inner.needsCodableIfMissing { required.append("\(index)") }
        }
      }
      if !required.isEmpty {
        let checks = required.map { "\(object).contains(\($0))" }.joined(separator: ", ")
        lines.append("guard \(checks) else { throw \(object).missingField }")
      }
      return lines
    }
    statements += isEmpty ? ["try reader.skipValue()"] : read(root, isRoot: true)
    let required = type.fields.filter { $0.role == .keyed && $0.mustBePresent }
    if !required.isEmpty {
      let names = required.map { "let \($0.local)" }.joined(separator: ", ")
      statements.append("guard \(names) else { throw object0.missingField }")
    }
    statements += hasMemberwiseInitializer ? [memberwiseCall] : assignments
    if type.hasDidDecode {
      statements.append(
        "do { try self.didDecode() } catch { throw JSON.Fault(.expectedValue, at: reader.offset) }")
    }
    return reading(statements)
  }

  /// The variable that holds the value of a property until all are read.
  private func declaration(of field: Field) -> String {
    let isFlat = field.isInitiallyNil && field.isOptional
    if let type = field.standardType { return "var \(field.local): \(type)\(isFlat ? "" : "?")" }
    let subject = type.kind == .class ? type.name : "Self"
    let value = "{ (value: \(subject)) in value.\(field.code) }"
    return "var \(field.local) = JSON.Reader.\(isFlat ? "_nil" : "_nothing") \(value)"
  }

  /// Whether the compiler gives the type an initializer of all its properties. It is preferred: where
  /// a variable has an initial value, an initializer that assigns properties ends with a copy.
  private var hasMemberwiseInitializer: Bool {
    type.kind == .structure && !type.hasInitializer && !type.fields.isEmpty
      && type.fields.allSatisfy { field in
        if field.hasOtherAttributes { return false }
        if field.role == .notStored { return field.hasInitialValue }
        return !field.hasInitialValue || field.isInitiallyNil || field.literal != nil
      }
  }

  private var memberwiseCall: String {
    let arguments = type.fields.filter { $0.role == .keyed }.map { field in
      let value = (field.isInitiallyNil ? nil : field.literal) ?? field.defaultValue
      return "\(field.label): \(field.local)\(value.map { " ?? \($0)" } ?? field.flattening)"
    }
    return "self.init(\(arguments.joined(separator: ", ")))"
  }

  private var assignments: [String] {
    type.fields.compactMap { field in
      let property = "self.\(field.code)"
      if field.role == .notStored { return field.defaultValue.map { "\(property) = \($0)" } }
      if field.hasInitialValue, !field.isInitiallyNil {
        return "if let \(field.local) { \(property) = \(field.local) }"
      }
      if let value = field.defaultValue { return "\(property) = \(field.local) ?? \(value)" }
      return "\(property) = \(field.local)\(field.flattening)"
    }
  }

  private func reading(_ field: Field) -> String {
    if let coding = field.coding {
      let function = field.isOptional ? "_valueIfPresent" : "_value"
      return "\(field.local) = try reader.\(function)(using: \(coding))"
    }
    let function = field.isInitiallyNil && field.isOptional ? "_readIfPresent" : "_read"
    return "try reader.\(function)(into: &\(field.local))"
  }

  private var writingOfFields: String {
    var statements = ["try writer.beginObject()"]
    if let version = type.version {
      statements.append("try writer._write(\(version), key: #\"\"schemaVersion\":\"#)")
    }
    func write(_ group: FieldGroup) {
      for member in group.members {
        let key = Names.prejoined(member.key)
        switch member {
        case .field(let field):
          let function = field.writesNull ? "_writeOrNull" : "_write"
          statements.append(
            "try writer.\(function)(self.\(field.code), key: \(key)\(field.codingArgument))")
        case .group(_, let inner):
          statements.append("writer.key(prejoined: \(key))")
          statements.append("try writer.beginObject()")
          write(inner)
          statements.append("writer.endObject()")
        }
      }
    }
    write(root)
    statements.append("writer.endObject()")
    return writing(statements)
  }
}

extension Field {
  /// The name of the property as code.
  var code: String { Names.identifier(name) }

  /// The name of the variable that holds the value until all are read.
  var local: String { "_\(name)" }

  /// The name of the property as the label of an argument.
  var label: String { ["inout", "var", "let"].contains(name) ? "`\(name)`" : name }

  /// Whether the type cannot be read without the key.
  var mustBePresent: Bool { !isOptional && !hasInitialValue && defaultValue == nil }

  /// What makes an optional constant of the variable that says whether its key was there, too.
  var flattening: String { isOptional && !hasInitialValue ? " ?? nil" : "" }

  /// Whether the property is nil at times, and something else if its key is missing.
  var writesNull: Bool { isOptional && !isInitiallyNil }
}
#endif
