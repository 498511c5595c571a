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
    for condition in members.compactMap({ $0.as(IfConfigDeclSyntax.self) }) {
      let variables = condition.declarations.compactMap { $0.as(VariableDeclSyntax.self) }
      if variables.contains(where: { SettingsProperty.attribute(of: $0) != nil }) {
        context.error(
          "@ObservableSettings does not see which settings within #if exist; put the class within it",
          at: condition.clauses.first?.poundKeyword ?? .poundToken())
      }
    }
    checkKeys(of: variables, context)
    let kinds = Set(variables.compactMap(SettingsProperty.attribute))
    let hasSecrets = kinds.contains("_SecretSetting")
    if hasSecrets, !variables.contains(where: { $0.names.contains("secrets") }) {
      generated.append("\(raw: access)let secrets: SecretStore")
    }
    let hasInitializer = members.contains { $0.is(InitializerDeclSyntax.self) }
    let (sources, moves) = migration(of: variables)
    if !hasInitializer {
      let migrates = moves.isEmpty ? "" : "\nmigrate()"
      let parameter = hasSecrets ? ", secrets: SecretStore" : ""
      let assignment = hasSecrets ? "\nself.secrets = secrets" : ""
      generated.append(
        """
        \(raw: access)init(store: SettingsStore = .standard\(raw: parameter)) {
        self.store = store\(raw: assignment + migrates)
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
    if hasSecrets || kinds.contains("_Observed") {
      generated.append("private let _registrar = ObservationRegistrar()")
    }
    return generated
  }

  /// Refuses two settings with one key, of which each would overwrite the other.
  private static func checkKeys(
    of variables: [VariableDeclSyntax], _ context: some MacroExpansionContext
  ) {
    var names: [String: String] = [:]
    for variable in variables {
      guard let attribute = SettingsProperty.attribute(of: variable), attribute != "_Observed",
        let property = SettingsProperty(variable)
      else { continue }
      let key = property.key(Reporter()).name
      let place = "\(attribute) \(key)"
      if let other = names[place] {
        let node = variable.attributeList.first { $0.name == "Key" }.map(Syntax.init)
        context.error("the key \"\(key)\" is also that of '\(other)'", at: node ?? Syntax(variable))
      }
      names[place] = property.name
    }
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
#endif
