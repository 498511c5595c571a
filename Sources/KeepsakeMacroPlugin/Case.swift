#if Macros
import SwiftSyntax

/// A case of an enumeration.
struct Case {
  /// An associated value.
  struct Value {
    var label: String?
    var key: String
    var isOptional: Bool
    /// Whether the value is known to be no object.
    var isPlain: Bool
    var defaultValue: String?
  }

  var name: String
  var node: Syntax
  var key: String
  /// Whether an attribute names the key.
  var hasName = false
  var aliases: [String] = []
  var isUnknown = false
  var values: [Value] = []

  init(
    _ element: EnumCaseElementSyntax, _ attributes: AttributeListSyntax, _ options: Options,
    _ reporter: Reporter
  ) {
    name = element.name.text.trimming("`")
    node = Syntax(element.name)
    key = options.key(for: name)
    for (index, parameter) in (element.parameterClause?.parameters ?? []).enumerated() {
      let label = parameter.firstName?.text
      values.append(
        Value(
          label: label == "_" ? nil : label,
          key: label.map { $0 == "_" ? "_\(index)" : options.key(for: $0) } ?? "_\(index)",
          isOptional: parameter.type.isOptional, isPlain: Self.isPlain(parameter.type),
          defaultValue: parameter.defaultValue?.value.operand))
    }
    for case .attribute(let attribute) in attributes {
      switch attribute.name {
      case "Key":
        let arguments = Array(attribute.arguments?.as(LabeledExprListSyntax.self) ?? [])
        let attribute = KeyAttribute(arguments, reporter)
        if let path = attribute.path {
          hasName = true
          if path.count == 1 {
            key = path[0]
          } else {
            reporter.error("a case has a key, not a path", at: node)
          }
        }
        aliases = attribute.aliases.compactMap(\.first)
      case "Unknown":
        isUnknown = true
        if values.count != 1 {
          reporter.error("@Unknown needs one associated value, such as a JSON.Value", at: node)
        }
      case "Coded", "Default", "IfUnreadable", "Migrated", "Flattened", "NotStored":
        reporter.error("@\(attribute.name) is for properties", at: attribute)
      default: break
      }
    }
  }

  private static func isPlain(_ type: TypeSyntax) -> Bool {
    if type.isOptional || type.is(ArrayTypeSyntax.self) { return true }
    let names: Set = [
      "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
      "UInt32", "UInt64", "Double", "Float", "Date", "Data", "URL", "UUID", "Decimal",
    ]
    return names.contains(type.trimmedDescription)
  }
}
#endif
