#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservableSettings`: a class whose properties are settings.
struct ObservableSettingsMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let type = declaration.as(ClassDeclSyntax.self) else {
      context.error("@ObservableSettings belongs to a class", at: node)
      return []
    }
    if let parameters = type.genericParameterClause {
      context.error("the class is generic: each setting has one type", at: parameters)
      return []
    }
    let members = type.memberBlock.members.map(\.decl)
    let variables = members.compactMap { $0.as(VariableDeclSyntax.self) }
    let access = type.modifiers.access.map { $0 == "open" ? "public " : "\($0) " } ?? ""
    var generated: [DeclSyntax] = []
    if !variables.contains(where: { $0.names.contains("store") }) {
      generated.append("\(raw: access)let store: SettingsStore")
    }
    let hasInitializer = members.contains { $0.is(InitializerDeclSyntax.self) }
    let (sources, moves) = migration(of: variables)
    if !hasInitializer {
      let migrates = moves.isEmpty ? "" : "\nmigrate()"
      generated.append(
        """
        \(raw: access)init(store: SettingsStore = .standard) {
        self.store = store\(raw: migrates)
        }
        """)
    }
    if !moves.isEmpty {
      let keys = Set(sources).sorted().map(Names.literal).joined(separator: ", ")
      generated.append(
        """
        private func migrate() {
        store._migrate([\(raw: keys)]) { migration in
        \(raw: moves.joined(separator: "\n"))
        }
        }
        """)
    }
    if variables.contains(where: { SettingsProperty.attribute(of: $0) == "_Observed" }) {
      generated.append("private let _registrar = ObservationRegistrar()")
    }
    return generated
  }

  /// What earlier versions stored: the keys, and the calls that move their values.
  private static func migration(
    of variables: [VariableDeclSyntax]
  ) -> (sources: [String], moves: [String]) {
    var sources: [String] = []
    var moves: [String] = []
    for variable in variables where SettingsProperty.attribute(of: variable) == "_Setting" {
      guard let property = SettingsProperty(variable) else { continue }
      let key = property.key(Reporter())
      for alias in key.aliases {
        sources.append(alias)
        moves.append("migration.rename(\(Names.literal(alias)), to: Self.\(property.name)Key)")
      }
      for (source, convert) in key.migrations {
        sources.append(source)
        moves.append(
          "migration.convert(\(Names.literal(source)), to: Self.\(property.name)Key, \(convert))")
      }
    }
    return (sources, moves)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
      let attribute = SettingsProperty.attribute(of: variable)
    else { return [] }
    return ["@\(raw: attribute)"]
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ClassDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): Observable {}")]
  }
}

/// A property of a class with `@ObservableSettings`.
private struct SettingsProperty {
  let name: String
  let type: TypeSyntax?
  let value: ExprSyntax?
  /// Its access, with a space after it.
  let access: String
  let attributes: [AttributeSyntax]

  /// The attribute that makes the accessors of a property; `nil` if it has its own, or is constant.
  static func attribute(of variable: VariableDeclSyntax) -> String? {
    guard variable.bindingSpecifier.text == "var",
      !variable.modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) }),
      variable.bindings.contains(where: { $0.isStored })
    else { return nil }
    let names = variable.attributeList.map(\.name)
    // Property wrappers and other macros have accessors of their own.
    if !Set(names).isSubset(of: [
      "Key", "Migrated", "NotStored", "InScene", "Validated", "MainActor",
    ]) {
      return nil
    }
    if names.contains("NotStored") { return "_Observed" }
    return names.contains("InScene") ? "_SceneSetting" : "_Setting"
  }

  /// - Parameter context: Is told what is wrong, if it is given.
  init?(_ declaration: some DeclSyntaxProtocol, _ context: (any MacroExpansionContext)? = nil) {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let binding = variable.bindings.first, variable.bindings.count == 1,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else {
      context?.error("a setting needs one name for each property", at: declaration)
      return nil
    }
    if binding.accessorBlock != nil {
      context?.error(
        "a setting has no observers: it also changes when another process changes it", at: binding)
      return nil
    }
    name = pattern.identifier.text.trimming("`")
    type = binding.typeAnnotation?.type.trimmed
    value = binding.initializer?.value.trimmed
    access = variable.modifiers.access.map { "\($0) " } ?? ""
    attributes = variable.attributeList
    let isNil = value?.is(NilLiteralExprSyntax.self) ?? true
    if isOptional && !isNil && !isNotStored {
      context?.error("an optional setting is nil until it is set: remove the value", at: binding)
      return nil
    }
    if !isOptional && isNil {
      context?.error("a setting needs an initial value, which is its default", at: binding)
      return nil
    }
  }

  private var isOptional: Bool { type?.isOptional ?? false }
  private var isNotStored: Bool { attributes.contains { $0.name == "NotStored" } }

  /// The expression of the setting's key, and what earlier versions stored in place of the setting.
  func key(
    _ reporter: Reporter
  ) -> (text: String, aliases: [String], migrations: [(source: String, convert: String)]) {
    var key = name
    var validations = ""
    var aliases: [String] = []
    var migrations: [(source: String?, convert: String)] = []
    for attribute in attributes {
      let arguments = Array(attribute.arguments?.as(LabeledExprListSyntax.self) ?? [])
      switch attribute.name {
      case "Key":
        let read = KeyAttribute(arguments, reporter)
        if arguments.first?.label?.text == "path" {
          reporter.error("the key of a setting is one name, not a path", at: attribute)
        }
        if let path = read.path { key = path.joined(separator: ".") }
        aliases = read.aliases.map { $0.joined(separator: ".") }
      case "Migrated":
        let labels = arguments.map { $0.label?.text }
        if labels.contains("before") {
          reporter.error(
            "settings have one version together: use SettingsStore.migrate(_:)", at: attribute)
        }
        guard let convert = arguments.last, convert.label == nil else {
          reporter.error(
            "write the conversion as an argument: { (old: String) in … }", at: attribute)
          break
        }
        let source = arguments.first { $0.label?.text == "from" }
        migrations.append(
          (
            source?.expression.literalText(reporter),
            convert.expression.trimmedDescription
          ))
      case "Validated":
        let texts = arguments.map { argument in
          let label = argument.label.map { "\($0.text): " } ?? ""
          return label + argument.expression.trimmedDescription
        }
        validations +=
          texts.count == 2
          ? ".validated(\(texts[0]), by: \(texts[1]))"
          : ".validated(\(texts.joined(separator: ", ")))"
      default: break
      }
    }
    let typed = type.map { "<\($0)>" } ?? ""
    let value = isOptional ? "" : ", default: \(self.value.map { "\($0)" } ?? "")"
    let text = "SettingsKey\(typed)(\(Names.literal(key))\(value))\(validations)"
    return (text, aliases, migrations.map { ($0.source ?? key, $0.convert) })
  }

  /// The declaration of the memory of a property that is not stored.
  var memory: String {
    let annotation = type.map { ": \($0)" } ?? ""
    return "private var _\(name)\(annotation) = \(value.map { "\($0)" } ?? "nil")"
  }
}

/// An attribute of a property, which `@ObservableSettings` reads.
struct SettingsAttribute: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !context.isIn("ObservableSettings") {
      context.error(
        "@\(node.name) has a meaning only in a class with @ObservableSettings", at: node)
    }
    return []
  }
}

/// A property that is a setting.
struct SettingMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = SettingsProperty(declaration) else { return [] }
    return ["get { store[Self.\(raw: property.name)Key] }"]
      + ["set { store[Self.\(raw: property.name)Key] = newValue }"]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = SettingsProperty(declaration, context) else { return [] }
    let key = property.key(Reporter { context.diagnose($0) })
    return ["\(raw: property.access)static let \(raw: property.name)Key = \(raw: key.text)"]
  }
}

/// A setting of one window.
struct SceneSettingMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = SettingsProperty(declaration) else { return [] }
    return ["get { _\(raw: property.name).wrappedValue }"]
      + ["set { _\(raw: property.name).wrappedValue = newValue }"]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = SettingsProperty(declaration, context) else { return [] }
    let key = property.key(Reporter { context.diagnose($0) })
    return ["private let _\(raw: property.name) = SceneStorage(\(raw: key.text))"]
  }
}

/// A property that is no setting, and is observed like one.
struct ObservedMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let name = SettingsProperty(declaration)?.name else { return [] }
    return [
      """
      get {
        _registrar.access(self, keyPath: \\.\(raw: name))
        return _\(raw: name)
      }
      """,
      """
      set {
        _registrar.withMutation(of: self, keyPath: \\.\(raw: name)) { _\(raw: name) = newValue }
      }
      """,
    ]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    SettingsProperty(declaration, context).map { ["\(raw: $0.memory)"] } ?? []
  }
}

extension MacroExpansionContext {
  fileprivate func error(_ message: String, at node: some SyntaxProtocol) {
    diagnose(Diagnostic(node: node, message: Problem(message)))
  }
}

extension VariableDeclSyntax {
  fileprivate var attributeList: [AttributeSyntax] {
    attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { !["_Setting", "_SceneSetting", "_Observed"].contains($0.name) }
  }

  fileprivate var names: [String] {
    bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
  }
}

extension DeclModifierListSyntax {
  fileprivate var access: String? {
    lazy.filter { $0.detail == nil }.map(\.name.text).first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0)
    }
  }
}
#endif
