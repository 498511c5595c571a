#if Macros
/// The code that `@Storable` adds to a type.
struct Expansion {
  let type: StoredType
  /// Each key, and the case of `CodingKeys` that stands for it.
  private(set) var keys: [(text: String, name: String)] = []
  /// Whether values are read straight from JSON.
  private(set) var isReadable: Bool
  /// Whether values are written straight to JSON.
  private(set) var isWritable: Bool

  init(of type: StoredType) {
    self.type = type
    let others = type.fields.contains { $0.role == .flattened || $0.role == .unknown }
    isReadable = !others
    isWritable = isReadable
    for field in type.fields where field.role == .keyed {
      if field.path.count == 1 { add(field.path[0], named: field.name) }
    }
    if type.version != nil { add("schemaVersion", named: "schemaVersion") }
    for field in type.fields where field.role == .keyed {
      for path in [field.path] + field.aliases + field.migrations.compactMap(\.source) {
        for key in path { add(key, named: key) }
      }
    }
    addKeysOfCases()
    if !keys.allSatisfy({ Names.isPlain($0.text) }) { isWritable = false }
    if type.kind != .enumeration, root.hasTooManyNames { isReadable = false }
  }

  private mutating func addKeysOfCases() {
    switch type.form {
    case .raw, .name: return
    case .external: break
    case .internal(let tag): add(tag, named: tag)
    case .adjacent(let tag, let content):
      add(tag, named: tag)
      add(content, named: content)
    }
    for item in type.cases where !item.isUnknown {
      if type.form == .external {
        add(item.key, named: item.name)
        for alias in item.aliases { add(alias, named: alias) }
      }
      for value in item.values { add(value.key, named: value.key) }
    }
  }

  private mutating func add(_ text: String, named name: String) {
    if keys.contains(where: { $0.text == text }) { return }
    let isFree = Names.isIdentifier(name) && !keys.contains { $0.name == name }
    keys.append((text, isFree ? name : "key\(keys.count)"))
  }

  /// A key as code: `.name`.
  func key(_ text: String) -> String {
    "." + Names.identifier(keys.first { $0.text == text }?.name ?? text)
  }

  func path(_ path: [String]) -> String { path.map(key).joined(separator: ", ") }

  /// The properties by the objects they are in.
  var root: FieldGroup { FieldGroup(type.fields.filter { $0.role == .keyed }) }

  var members: [String] {
    type.kind == .enumeration ? membersOfEnumeration : membersWithFields
  }

  var codingKeys: String? {
    if keys.isEmpty { return "private enum CodingKeys: CodingKey {}" }
    let cases = keys.map { text, name in
      let name = Names.identifier(name)
      return name == text ? name : "\(name) = \(Names.literal(text))"
    }
    return "private enum CodingKeys: String, CodingKey {\ncase \(cases.joined(separator: ", "))\n}"
  }

  /// The signatures of what is generated, each followed by its statements.
  func decoding(_ statements: [String]) -> String {
    "\(type.access)init(from decoder: any Decoder) throws {\n"
      + statements.joined(separator: "\n") + "\n}"
  }

  func encoding(_ statements: [String]) -> String {
    "\(type.access)func encode(to encoder: any Encoder) throws {\n"
      + statements.joined(separator: "\n") + "\n}"
  }

  func reading(_ statements: [String]) -> String {
    "\(type.access)init(from reader: inout JSON.Reader) throws(JSON.Fault) {\n"
      + statements.joined(separator: "\n") + "\n}"
  }

  func writing(_ statements: [String]) -> String {
    "\(type.access)func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {\n"
      + statements.joined(separator: "\n") + "\n}"
  }
}

/// Properties that are stored in one object, and the objects within it.
struct FieldGroup {
  enum Member {
    case field(Field)
    case group(String, FieldGroup)

    var key: String {
      switch self {
      case .field(let field): field.path[field.path.count - 1]
      case .group(let key, _): key
      }
    }
  }

  private(set) var members: [Member] = []

  init(_ fields: [Field]) { self.init(fields, depth: 0) }

  private init(_ fields: [Field], depth: Int) {
    var groups: Set<String> = []
    for field in fields {
      guard field.path.count > depth + 1 else {
        members.append(.field(field))
        continue
      }
      let key = field.path[depth]
      if groups.insert(key).inserted {
        let inner = fields.filter { $0.path.count > depth + 1 && $0.path[depth] == key }
        members.append(.group(key, FieldGroup(inner, depth: depth + 1)))
      }
    }
  }

  /// The aliases that are read without `Codable`: those in this object.
  var aliases: [(key: String, index: Int)] {
    members.enumerated().flatMap { index, member -> [(String, Int)] in
      guard case .field(let field) = member else { return [] }
      return field.aliases.filter { $0.dropLast() == field.path.dropLast() }
        .map { ($0[$0.count - 1], index) }
    }
  }

  var hasTooManyNames: Bool {
    if members.count + aliases.count + 1 > 64 { return true }
    return members.contains {
      if case .group(_, let group) = $0 { return group.hasTooManyNames }
      return false
    }
  }

  var needsCodableIfMissing: Bool {
    members.contains {
      switch $0 {
      case .field(let field): field.needsCodableIfMissing
      case .group(_, let group): group.needsCodableIfMissing
      }
    }
  }
}
#endif
