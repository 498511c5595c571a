#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A declaration that has `@Storable`, as far as its expansion needs to know it.
struct StoredType {
  enum Kind { case structure, `class`, enumeration }

  /// How an enumeration is stored.
  enum Form: Equatable {
    /// As its raw value.
    case raw
    /// As the name of its case.
    case name
    /// As an object whose only key is the name of the case.
    case external
    /// As an object with the name of the case under a key, and the associated values beside it.
    case `internal`(tag: String)
    /// As an object with the name of the case under a key, and the associated values under another.
    case adjacent(tag: String, content: String)
  }

  var kind: Kind
  var name: String
  /// `public `, or empty.
  var access: String
  var isGeneric = false
  /// ` where T: Codable`, or empty.
  var constraints = ""
  var version: Int?
  var fields: [Field] = []
  var cases: [Case] = []
  var form = Form.external
  var hasDidDecode = false
  /// Whether the type itself declares an initializer, and so has no memberwise one.
  var hasInitializer = false

  init?(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax, _ reporter: Reporter) {
    let parameters: GenericParameterClauseSyntax?
    switch declaration.kind {
    case .structDecl:
      let type = declaration.cast(StructDeclSyntax.self)
      (kind, name, parameters) = (.structure, type.name.text, type.genericParameterClause)
    case .classDecl:
      let type = declaration.cast(ClassDeclSyntax.self)
      (kind, name, parameters) = (.class, type.name.text, type.genericParameterClause)
      if !type.modifiers.contains(where: { $0.name.text == "final" }) {
        // One token, as what is replaced is what an editor shows.
        let final = type.classKeyword.with(\.tokenKind, .identifier("final class"))
        reporter.error(
          "@Storable needs a final class: what a subclass adds would not be stored",
          at: type.name,
          fixIts: [
            FixIt(
              message: Problem("make it final"),
              changes: [.replace(oldNode: Syntax(type.classKeyword), newNode: Syntax(final))])
          ])
      }
    case .enumDecl:
      let type = declaration.cast(EnumDeclSyntax.self)
      (kind, name, parameters) = (.enumeration, type.name.text, type.genericParameterClause)
    default:
      reporter.error("@Storable needs a structure, a class or an enumeration", at: node)
      return nil
    }
    let levels = declaration.modifiers.map(\.name.text)
    access =
      levels.contains("public") || levels.contains("open")
      ? "public " : levels.contains("package") ? "package " : ""
    readGenerics(parameters, reporter)
    let options = Options(node, reporter)
    version = options.version
    checkMembers(of: declaration, reporter)
    if kind == .enumeration {
      readCases(of: declaration.cast(EnumDeclSyntax.self), options, node, reporter)
    } else {
      if options.tag != nil {
        reporter.error("only an enumeration has a tag", at: node)
      }
      readFields(of: declaration, options, reporter)
    }
  }

  private mutating func readGenerics(
    _ clause: GenericParameterClauseSyntax?, _ reporter: Reporter
  ) {
    var constraints: [String] = []
    for parameter in clause?.parameters ?? [] {
      isGeneric = true
      if parameter.specifier?.text == "each" {
        reporter.error("a parameter pack cannot be stored", at: parameter)
      }
      let inherited = parameter.inheritedType?.trimmedDescription ?? ""
      if !inherited.contains("Codable") { constraints.append("\(parameter.name.text): Codable") }
    }
    if constraints.isEmpty { return }
    if kind == .class, let clause {
      reporter.error(
        "a class is stored only if its parameters are Codable: write <\(constraints.joined(separator: ", "))>",
        at: clause)
    }
    self.constraints = " where \(constraints.joined(separator: ", "))"
  }

  /// Finds what an expansion would declare again.
  private mutating func checkMembers(of declaration: some DeclGroupSyntax, _ reporter: Reporter) {
    for member in declaration.memberBlock.members.map(\.decl) {
      if let keys = member.as(EnumDeclSyntax.self), keys.name.text == "CodingKeys" {
        reporter.error(
          "@Storable generates CodingKeys; give a property another key with @Key", at: keys.name)
      }
      if member.is(InitializerDeclSyntax.self) { hasInitializer = true }
      if let initializer = member.as(InitializerDeclSyntax.self),
        let parameter = initializer.signature.parameterClause.parameters.first,
        initializer.signature.parameterClause.parameters.count == 1,
        parameter.firstName.text == "from",
        parameter.type.trimmedDescription.hasSuffix("Decoder")
      {
        reporter.error(
          "@Storable generates init(from:); compute what is not stored in didDecode()",
          at: initializer.initKeyword)
      }
      if let function = member.as(FunctionDeclSyntax.self) {
        let parameters = function.signature.parameterClause.parameters
        if function.name.text == "didDecode", parameters.isEmpty { hasDidDecode = true }
        if function.name.text == "encode", parameters.count == 1,
          parameters.first?.firstName.text == "to"
        {
          reporter.error("@Storable generates encode(to:)", at: function.name)
        }
      }
    }
  }

  // MARK: Properties

  private mutating func readFields(
    of declaration: some DeclGroupSyntax, _ options: Options, _ reporter: Reporter
  ) {
    for member in declaration.memberBlock.members.map(\.decl) {
      if let condition = member.as(IfConfigDeclSyntax.self), condition.declaresProperty {
        reporter.error(
          "@Storable does not see which properties within #if exist; put the type within it",
          at: condition.clauses.first?.poundKeyword ?? .poundToken())
      }
      guard let variable = member.as(VariableDeclSyntax.self), !variable.isStatic else { continue }
      fields += Field.fields(of: variable, options, reporter)
    }
    checkKeys(options, reporter)
  }

  private func checkKeys(_ options: Options, _ reporter: Reporter) {
    var owners: [[String]: String] = [:]
    if let version { owners[["schemaVersion"]] = "the version \(version)" }
    for field in fields where field.role == .keyed {
      for path in [field.path] + field.aliases {
        if let owner = owners.updateValue("'\(field.name)'", forKey: path) {
          reporter.error(
            "the key \"\(path.joined(separator: "."))\" is also that of \(owner)", at: field.node)
        }
      }
    }
    for field in fields where field.role == .keyed {
      for path in [field.path] + field.aliases where path.count > 1 {
        for count in 1..<path.count {
          let group = Array(path.prefix(count))
          if let owner = owners[group] {
            reporter.error(
              "the key \"\(group.joined(separator: "."))\" is that of \(owner), and of an object",
              at: field.node)
          }
        }
      }
    }
    let unknown = fields.filter { $0.role == .unknown }
    if unknown.count > 1 { reporter.error("one property is @Unknown at most", at: unknown[1].node) }
    if let property = unknown.first, fields.contains(where: { $0.role == .flattened }) {
      reporter.error(
        "beside a @Flattened property it is not known which keys are unknown", at: property.node)
    }
  }

  // MARK: Cases

  private mutating func readCases(
    of declaration: EnumDeclSyntax, _ options: Options, _ node: AttributeSyntax,
    _ reporter: Reporter
  ) {
    for member in declaration.memberBlock.members.map(\.decl) {
      if let condition = member.as(IfConfigDeclSyntax.self), condition.declaresCase {
        reporter.error(
          "@Storable does not see which cases within #if exist; put the type within it",
          at: condition.clauses.first?.poundKeyword ?? .poundToken())
      }
      guard let list = member.as(EnumCaseDeclSyntax.self) else { continue }
      for element in list.elements {
        cases.append(Case(element, list.attributes, options, reporter))
      }
    }
    let rawTypes: Set = [
      "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
      "UInt32", "UInt64", "Double", "Float",
    ]
    let first = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    let isRaw =
      first.map(rawTypes.contains) ?? false
      || declaration.memberBlock.members.contains {
        $0.decl.as(EnumCaseDeclSyntax.self)?.elements.contains { $0.rawValue != nil } ?? false
      }
    let unknown = cases.filter(\.isUnknown)
    let hasValues = cases.contains { !$0.values.isEmpty && !$0.isUnknown }
    if unknown.count > 1 { reporter.error("one case is @Unknown at most", at: unknown[1].node) }
    if isRaw {
      form = .raw
      if options.tag != nil { reporter.error("an enumeration of raw values has no tag", at: node) }
      for item in cases where item.hasName {
        reporter.error("the raw value is the key: write case … = \"\(item.key)\"", at: item.node)
      }
      if first != "String", let aliased = cases.first(where: { !$0.aliases.isEmpty }) {
        reporter.error("only String raw values have aliases", at: aliased.node)
      }
    } else if let tag = options.tag {
      form = options.content.map { .adjacent(tag: tag, content: $0) } ?? .internal(tag: tag)
      checkTag(tag, options.content, node, reporter)
    } else if !unknown.isEmpty, !hasValues {
      form = .name
    }
    if options.content != nil, options.tag == nil {
      reporter.error("content needs a tag", at: node)
    }
    var owners: [String: String] = [:]
    for item in cases where !item.isUnknown && form != .raw {
      for key in [item.key] + item.aliases {
        if let owner = owners.updateValue(item.name, forKey: key) {
          reporter.error("the key \"\(key)\" is also that of '\(owner)'", at: item.node)
        }
      }
    }
  }

  private func checkTag(
    _ tag: String, _ content: String?, _ node: AttributeSyntax, _ reporter: Reporter
  ) {
    if tag == content { reporter.error("the tag and the content have one key", at: node) }
    guard content == nil else { return }
    for item in cases where !item.isUnknown {
      if item.values.count > 1, item.values.contains(where: { $0.label == nil }) {
        reporter.error(
          "beside a tag, several associated values need labels, which are their keys", at: item.node
        )
      }
      if item.isSinglePayload, item.values[0].isPlain {
        reporter.error(
          "beside a tag, an associated value without a label is an object: give it a label, or the "
            + "type a content key",
          at: item.node)
      }
      if item.values.contains(where: { $0.label == tag }) {
        reporter.error("the label '\(tag)' is also the tag", at: item.node)
      }
    }
  }
}

/// The arguments of `@Storable`.
struct Options {
  var version: Int?
  var style = "unchanged"
  var tag: String?
  var content: String?

  init(_ node: AttributeSyntax, _ reporter: Reporter) {
    for argument in node.arguments?.as(LabeledExprListSyntax.self) ?? [] {
      switch argument.label?.text {
      case "version":
        let literal = argument.expression.as(IntegerLiteralExprSyntax.self)?.literal.text
        version = literal.flatMap { Int($0) }
        if version ?? 0 < 1 {
          reporter.error("the version is a number of at least 1, as a literal", at: argument)
        }
      case "keys":
        style = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
        if !["unchanged", "snakeCase", "kebabCase"].contains(style) {
          reporter.error("write .unchanged, .snakeCase or .kebabCase", at: argument)
        }
      case "tag": tag = argument.expression.literalText(reporter)
      case "content": content = argument.expression.literalText(reporter)
      default: break
      }
    }
  }

  func key(for name: String) -> String {
    switch style {
    case "snakeCase": Names.separated(name, by: "_")
    case "kebabCase": Names.separated(name, by: "-")
    default: name
    }
  }
}

extension ExprSyntax {
  /// The text of a literal without anything to be computed.
  func literalText(_ reporter: Reporter) -> String? {
    if let text = self.as(StringLiteralExprSyntax.self)?.representedLiteralValue { return text }
    if !self.is(NilLiteralExprSyntax.self) {
      reporter.error("a key is needed as a literal, which is known when this is compiled", at: self)
    }
    return nil
  }
}

extension VariableDeclSyntax {
  var isStatic: Bool {
    modifiers.contains { $0.name.text == "static" || $0.name.text == "class" }
  }
}

extension IfConfigDeclSyntax {
  /// The declarations of all branches.
  var declarations: [DeclSyntax] {
    clauses.flatMap { clause -> [DeclSyntax] in
      guard case .decls(let members) = clause.elements else { return [] }
      return members.map(\.decl)
    }
  }

  var declaresProperty: Bool {
    declarations.contains { $0.as(VariableDeclSyntax.self).map { !$0.isStatic } ?? false }
  }

  var declaresCase: Bool { declarations.contains { $0.is(EnumCaseDeclSyntax.self) } }
}
#endif
