#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property.
struct Field {
  enum Role { case keyed, flattened, unknown, notStored }

  var name: String
  var node: Syntax
  var role = Role.keyed
  var isOptional: Bool
  var isConstant: Bool
  /// Whether there is an initial value, if only the `nil` of an optional variable.
  var hasInitialValue: Bool
  /// The initial value if it means the same wherever it is written: a literal or a member without
  /// its type.
  var literal: String?
  /// The type if it is one of the standard library's, which means the same wherever it is written, and
  /// takes less time to compile than to infer.
  var standardType: String?
  /// Whether there are attributes that the macro does not know, such as property wrappers.
  var hasOtherAttributes = false
  /// Whether the initial value is `nil`.
  var isInitiallyNil: Bool
  var path: [String]
  var aliases: [[String]] = []
  var coding: String?
  var defaultValue: String?
  var useDefaultIfUnreadable = false
  var dropsElements = false
  var migrations: [Migration] = []

  struct Migration {
    var source: [String]?
    var version: Int?
    var convert: String
  }

  /// Whether a value that the type's own key does not have may be under another that only `Codable`
  /// knows, so that reading without it says nothing.
  var needsCodableIfMissing: Bool {
    !migrations.isEmpty || aliases.contains { $0.dropLast() != path.dropLast() }
  }

  /// Whether only `Codable` can read the value.
  var isPlain: Bool { coding == nil }

  /// What follows the name of a function that reads or writes.
  var codingArgument: String { coding.map { ", using: \($0)" } ?? "" }

  static func fields(
    of variable: VariableDeclSyntax, _ options: Options, _ reporter: Reporter
  ) -> [Field] {
    var fields: [Field] = []
    for binding in variable.bindings where binding.isStored {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
        reporter.error("@Storable needs one name for each property", at: binding.pattern)
        continue
      }
      // `var a, b: Int` gives both the last type.
      let type =
        binding.typeAnnotation?.type
        ?? (binding.initializer == nil ? variable.bindings.last?.typeAnnotation?.type : nil)
      fields.append(Field(name, type, binding, variable, options, reporter))
    }
    return fields
  }

  private init(
    _ name: String, _ type: TypeSyntax?, _ binding: PatternBindingSyntax,
    _ variable: VariableDeclSyntax, _ options: Options, _ reporter: Reporter
  ) {
    let bare = name.trimming("`")
    self.name = bare
    node = Syntax(binding.pattern)
    isOptional = type?.isOptional ?? false
    isConstant = variable.bindingSpecifier.text == "let"
    isInitiallyNil = binding.initializer?.value.is(NilLiteralExprSyntax.self) ?? true
    hasInitialValue = binding.initializer != nil || (isOptional && !isConstant)
    standardType = type.flatMap { $0.isStandard ? $0.trimmedDescription : nil }
    literal = binding.initializer.flatMap { $0.value.isLiteral ? $0.value.trimmedDescription : nil }
    path = [options.key(for: bare)]
    var seen: Set<String> = []
    for case .attribute(let attribute) in variable.attributes {
      read(attribute, options, reporter)
      if !Self.attributes.contains(attribute.name) { hasOtherAttributes = true }
      if Self.attributes.contains(attribute.name), attribute.name != "Migrated",
        !seen.insert(attribute.name).inserted
      {
        reporter.error("@\(attribute.name) is here twice", at: attribute)
      }
    }
    check(seen, binding, variable, reporter)
    if role == .keyed, defaultValue != nil {
      // The initial value is that of new instances only.
      hasInitialValue = false
      literal = nil
    }
  }

  private static let attributes: Set = [
    "Key", "Coded", "Default", "IfUnreadable", "Migrated", "Flattened", "NotStored", "Unknown",
  ]

  private mutating func read(
    _ attribute: AttributeSyntax, _ options: Options, _ reporter: Reporter
  ) {
    let arguments = Array(attribute.arguments?.as(LabeledExprListSyntax.self) ?? [])
    switch attribute.name {
    case "Key":
      let key = KeyAttribute(arguments, reporter)
      if let path = key.path { self.path = path }
      aliases = key.aliases
    case "Coded": coding = arguments.first?.expression.trimmedDescription
    case "Default":
      defaultValue = arguments.first?.expression.operand
      if let call = arguments.first?.expression.as(TryExprSyntax.self),
        call.questionOrExclamationMark == nil
      {
        reporter.error("a default cannot throw: write try? and another value", at: call)
      }
    case "IfUnreadable":
      let action = arguments.first?.expression.as(MemberAccessExprSyntax.self)
      switch action?.declName.baseName.text {
      case "useDefault": useDefaultIfUnreadable = true
      case "dropElements": dropsElements = true
      default: reporter.error("write .useDefault or .dropElements", at: attribute)
      }
    case "Migrated": readMigration(attribute, arguments, options, reporter)
    case "Flattened": role = .flattened
    case "NotStored": role = .notStored
    case "Unknown": role = .unknown
    default: break
    }
  }

  private mutating func readMigration(
    _ attribute: AttributeSyntax, _ arguments: [LabeledExprSyntax], _ options: Options,
    _ reporter: Reporter
  ) {
    var migration = Migration(convert: "")
    for argument in arguments {
      switch argument.label?.text {
      case "from":
        migration.source = argument.expression.literalText(reporter)?.split(separator: ".").map(
          String.init)
      case "before":
        let literal = argument.expression.as(IntegerLiteralExprSyntax.self)?.literal.text
        migration.version = literal.flatMap { Int($0) }
        if migration.version == nil {
          reporter.error("the version is a number, as a literal", at: argument)
        } else if migration.version ?? 0 > options.version ?? 1 {
          reporter.error(
            "the type has version \(options.version ?? 1): write @Storable(version: …)",
            at: argument)
        }
      default: migration.convert = argument.expression.trimmedDescription
      }
    }
    // A trailing closure of an attribute is not among its arguments.
    if migration.convert.isEmpty {
      reporter.error("write the conversion as an argument: { (old: String) in … }", at: attribute)
    }
    migrations.append(migration)
  }

  private func check(
    _ seen: Set<String>, _ binding: PatternBindingSyntax, _ variable: VariableDeclSyntax,
    _ reporter: Reporter
  ) {
    if role != .keyed, seen.count > 1 {
      let others = seen.sorted().map { "@\($0)" }.joined(separator: " and ")
      reporter.error("\(others) exclude each other", at: node)
    }
    if role == .notStored {
      if !hasInitialValue, defaultValue == nil {
        reporter.error("a property that is not stored needs an initial value", at: node)
      }
      return
    }
    if variable.modifiers.contains(where: { $0.name.text == "lazy" }) {
      reporter.error("a lazy property is not stored: mark it @NotStored", at: node)
    }
    if isConstant, binding.initializer != nil {
      let fixed = variable.bindingSpecifier.with(\.tokenKind, .keyword(.var))
      reporter.error(
        "a constant with a value cannot be read: make it a variable, or mark it @NotStored",
        at: variable.bindingSpecifier,
        fixIts: [
          FixIt(
            message: Problem("make it a variable"),
            changes: [
              .replace(
                oldNode: Syntax(variable.bindingSpecifier), newNode: Syntax(fixed))
            ])
        ])
    }
    if defaultValue != nil, isOptional {
      reporter.error("an optional property is nil by default; give it an initial value", at: node)
    }
    if useDefaultIfUnreadable, !hasInitialValue, defaultValue == nil, !isOptional {
      reporter.error("there is no default: give the property an initial value", at: node)
    }
    if dropsElements, coding != nil {
      reporter.error("@Coded and @IfUnreadable(.dropElements) exclude each other", at: node)
    }
    if path.isEmpty || path.contains("") || aliases.contains(where: { $0.isEmpty }) {
      reporter.error("a key is empty", at: node)
    }
  }
}

/// The arguments of `@Key`.
struct KeyAttribute {
  var path: [String]?
  var aliases: [[String]] = []

  init(_ arguments: [LabeledExprSyntax], _ reporter: Reporter) {
    var isAlias = false
    let isPath = arguments.first?.label?.text == "path"
    for argument in arguments {
      if argument.label?.text == "aliases" { isAlias = true }
      let keys: [String]
      if let array = argument.expression.as(ArrayExprSyntax.self) {
        keys = array.elements.compactMap { $0.expression.literalText(reporter) }
      } else if let text = argument.expression.literalText(reporter) {
        keys = isPath ? text.split(separator: ".").map(String.init) : [text]
      } else {
        continue
      }
      if isAlias { aliases.append(keys) } else { path = keys }
    }
  }
}

extension PatternBindingSyntax {
  /// Whether it has memory of its own: it is not computed.
  var isStored: Bool {
    guard let accessorBlock else { return true }
    guard case .accessors(let accessors) = accessorBlock.accessors else { return false }
    return accessors.allSatisfy {
      ["willSet", "didSet"].contains($0.accessorSpecifier.text)
    }
  }
}

extension ExprSyntax {
  /// The expression as an operand, in parentheses if it has operators itself.
  var operand: String {
    let hasOperators =
      self.is(SequenceExprSyntax.self) || self.is(TryExprSyntax.self)
      || self.is(AwaitExprSyntax.self)
    return hasOperators ? "(\(trimmedDescription))" : trimmedDescription
  }

  /// Whether it means the same wherever it is written, next to a type.
  var isLiteral: Bool {
    if let member = self.as(MemberAccessExprSyntax.self) { return member.base == nil }
    if let array = self.as(ArrayExprSyntax.self) {
      return array.elements.allSatisfy(\.expression.isLiteral)
    }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
    }
    if let text = self.as(StringLiteralExprSyntax.self) {
      return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
      || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
  }
}

extension TypeSyntax {
  /// Whether it is a plain type of the standard library, or an optional or collection of one.
  var isStandard: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isStandard }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.isStandard }
    if let dictionary = self.as(DictionaryTypeSyntax.self) {
      return dictionary.key.isStandard && dictionary.value.isStandard
    }
    return ["String", "Int", "Double", "Bool", "Float"].contains(trimmedDescription)
  }

  var isOptional: Bool {
    if self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return true
    }
    return self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }
}

extension String {
  func trimming(_ character: Character) -> String {
    var text = self[...]
    while text.first == character { text.removeFirst() }
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
#endif
