#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Storable`: an extension of a structure or enumeration, members of a class.
///
/// In an extension a structure keeps its memberwise initializer; initializers that a class must have
/// can only be within it.
struct StorableMacro: ExtensionMacro, MemberMacro {
  /// The code is indented here: the package's own formatter takes longer than the compiler.
  static let formatMode = FormatMode.disabled

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let reporter = Reporter { context.diagnose($0) }
    guard let stored = StoredType(declaration, node, reporter), !reporter.hasErrors else {
      return []
    }
    let plan = Expansion(of: stored)
    let conformances = protocols.map(\.trimmedDescription).filter {
      switch $0.split(separator: ".").last {
      case "Readable": plan.isReadable
      case "Writable": plan.isWritable
      default: true
      }
    }
    let inheritance = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    let members = stored.kind == .class ? "" : plan.members.joined(separator: "\n\n")
    if inheritance.isEmpty, members.isEmpty { return [] }
    let code: DeclSyntax =
      "\(raw: Layout.indented("extension \(type.trimmed)\(inheritance)\(stored.constraints) {\n\(members)\n}"))"
    return code.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // The other role reports what is wrong: for some types the compiler does not ask for this one.
    let silent = Reporter()
    guard let stored = StoredType(declaration, node, silent), !silent.hasErrors,
      stored.kind == .class
    else { return [] }
    return Expansion(of: stored).members.map { "\(raw: Layout.indented($0))" }
  }
}

/// An attribute of a property or case, which `@Storable` reads.
struct StoredAttribute: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // Settings have two of them, too.
    let isShared = ["Key", "Migrated", "NotStored"].contains(node.name)
    if !context.isIn("Storable") && !(isShared && context.isIn("ObservableSettings")) {
      context.diagnose(
        Diagnostic(
          node: node, message: Problem("@\(node.name) has a meaning only in a @Storable type")))
    }
    return []
  }
}

extension MacroExpansionContext {
  /// Whether the declaration is directly in a type with an attribute.
  func isIn(_ attribute: String) -> Bool {
    lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)?.attributes
      .contains { $0.as(AttributeSyntax.self)?.name == attribute } ?? false
  }
}

extension AttributeSyntax {
  /// The name without the module.
  var name: String {
    attributeName.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
  }
}
#endif
