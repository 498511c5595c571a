#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

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

/// A secret, in the store of secrets.
struct SecretSettingMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = SettingsProperty(declaration) else { return [] }
    let name = property.name
    let key = Names.literal(property.key(Reporter()).name)
    let type = property.type.map { "\($0)" } ?? ""
    return [
      """
      get {
        _registrar.access(self, keyPath: \\.\(raw: name))
        return store._secret(\(raw: key)) { try secrets.value(for: \(raw: key)) }
      }
      """,
      """
      set {
        _registrar.withMutation(of: self, keyPath: \\.\(raw: name)) {
          store._changeSecret(\(raw: key)) {
            let _: \(raw: type) = try secrets.value(for: \(raw: key))
            if let newValue {
              try secrets.set(newValue, for: \(raw: key))
            } else {
              try secrets.remove(\(raw: key))
            }
          }
        }
      }
      """,
    ]
  }

  /// Nothing, but the errors.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = SettingsProperty(declaration, context) else { return [] }
    let key = property.key(Reporter { context.diagnose($0) })
    if !key.aliases.isEmpty { context.error("a secret has one name", at: declaration) }
    return []
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
#endif
