#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A property of a class with `@ObservableSettings`.
struct SettingsProperty {
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
      "Key", "Migrated", "NotStored", "InScene", "Secret", "Validated", "MainActor", "available",
      "objc",
    ]) {
      return nil
    }
    if names.contains("NotStored") { return "_Observed" }
    if names.contains("Secret") { return "_SecretSetting" }
    return names.contains("InScene") ? "_SceneSetting" : "_Setting"
  }

  /// - Parameter context: Receives the errors, if it is given.
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
    // Who has the key can change the setting.
    let setter = variable.modifiers.first { $0.detail?.detail.text == "set" }?.name.text
    access = (setter ?? variable.modifiers.access).map { "\($0) " } ?? ""
    attributes = variable.attributeList
    let isNil = value?.is(NilLiteralExprSyntax.self) ?? true
    if isOptional && !isNil && !isNotStored {
      context?.error("an optional setting is nil until it is set: remove the value", at: binding)
      return nil
    }
    if isSecret {
      if !isOptional {
        context?.error("a secret is nil until it is set: make it an optional", at: binding)
        return nil
      }
      for attribute in attributes where !["Key", "Secret"].contains(attribute.name) {
        context?.error("@\(attribute.name) is not for secrets", at: attribute)
      }
    }
    if !isOptional && isNil {
      context?.error("a setting needs an initial value, which is its default", at: binding)
      return nil
    }
  }

  private var isOptional: Bool { type?.isOptional ?? false }
  private var isNotStored: Bool { attributes.contains { $0.name == "NotStored" } }
  private var isSecret: Bool { attributes.contains { $0.name == "Secret" } }

  /// A setting's key.
  struct Key {
    var name: String
    /// The expression that makes it.
    var text: String
    /// Names under which earlier versions stored the setting.
    var aliases: [String]
    /// Names and functions that convert what earlier versions stored there.
    var migrations: [(source: String, convert: String)]
  }

  func key(
    _ reporter: Reporter
  ) -> Key {
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
    return Key(
      name: key, text: text, aliases: aliases,
      migrations: migrations.map { ($0.source ?? key, $0.convert) })
  }

  /// The declaration of the memory of a property that is not stored.
  var memory: String {
    let annotation = type.map { ": \($0)" } ?? ""
    return "private var _\(name)\(annotation) = \(value.map { "\($0)" } ?? "nil")"
  }
}

extension MacroExpansionContext {
  func error(_ message: String, at node: some SyntaxProtocol) {
    diagnose(Diagnostic(node: node, message: Problem(message)))
  }
}

extension VariableDeclSyntax {
  var attributeList: [AttributeSyntax] {
    attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { !["_Setting", "_SceneSetting", "_SecretSetting", "_Observed"].contains($0.name) }
  }

  var names: [String] {
    bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
  }
}

extension DeclModifierListSyntax {
  var access: String? {
    lazy.filter { $0.detail == nil }.map(\.name.text).first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0)
    }
  }
}
#endif
