#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("What @Storable cannot store is explained") struct DiagnosticTests {
  /// Each declaration, with a bar before what the error points at, and the error.
  static let errors: [(source: String, message: String)] = [
    ("|@Storable actor A {}", "@Storable needs a structure, a class or an enumeration"),
    ("|@Storable protocol P {}", "@Storable needs a structure, a class or an enumeration"),
    (
      "@Storable class |C {}",
      "@Storable needs a final class: what a subclass adds would not be stored"
    ),
    ("@Storable struct S<|each T> {}", "a parameter pack cannot be stored"),
    (
      "@Storable final class C|<T> {}",
      "a class is stored only if its parameters are Codable: write <T: Codable>"
    ),
    ("@Storable struct S { var |(a, b) = (1, 2) }", "@Storable needs one name for each property"),
    (
      "@Storable struct S { |let a = 1 }",
      "a constant with a value cannot be read: make it a variable, or mark it @NotStored"
    ),
    (
      "@Storable struct S { lazy var |a = 1 }", "a lazy property is not stored: mark it @NotStored"
    ),
    (
      "@Storable struct S { |#if DEBUG\nvar a = 1\n#endif\n}",
      "@Storable does not see which properties within #if exist; put the type within it"
    ),
    (
      "@Storable struct S { var a: Int; @Key(\"a\") var |b: Int }",
      "the key \"a\" is also that of 'a'"
    ),
    (
      "@Storable struct S { var a: Int; @Key(aliases: \"a\") var |b: Int }",
      "the key \"a\" is also that of 'a'"
    ),
    (
      "@Storable(version: 2) struct S { var |schemaVersion: Int }",
      "the key \"schemaVersion\" is also that of the version 2"
    ),
    (
      "@Storable struct S { var a: Int; @Key(path: \"a.b\") var |b: Int }",
      "the key \"a\" is that of 'a', and of an object"
    ),
    ("@Storable struct S { @Key(\"\") var |a: Int }", "a key is empty"),
    (
      "@Storable struct S { @Key(|name) var a: Int }",
      "a key is needed as a literal, which is known when this is compiled"
    ),
    (
      "@Storable struct S { @Key(\"x\") |@Key(\"y\") var a: Int }", "@Key is here twice"
    ),
    (
      "@Storable struct S { @Key(\"x\") @Flattened var |a: Int }",
      "@Flattened and @Key exclude each other"
    ),
    (
      "@Storable struct S { @NotStored var |a: Int }",
      "a property that is not stored needs an initial value"
    ),
    (
      "@Storable struct S { @Flattened var |a: Int? }",
      "a property that is flattened is not optional"
    ),
    (
      "@Storable struct S { @Unknown var a: [String: Int]; @Unknown var |b: [String: Int] }",
      "one property is @Unknown at most"
    ),
    (
      "@Storable struct S { @Unknown var |a: [String: Int]; @Flattened var b: T }",
      "beside a @Flattened property it is not known which keys are unknown"
    ),
    (
      "@Storable struct S { @IfUnreadable(.useDefault) var |a: Int }",
      "there is no default: give the property an initial value"
    ),
    (
      "@Storable struct S { |@IfUnreadable(x) var a = 1 }", "write .useDefault or .dropElements"
    ),
    (
      "@Storable struct S { @Coded(.x) @IfUnreadable(.dropElements) var |a: [Int] }",
      "@Coded and @IfUnreadable(.dropElements) exclude each other"
    ),
    (
      "@Storable struct S { @Default(2) var |a = 1 }",
      "the initial value is the default: remove @Default"
    ),
    (
      "@Storable struct S { @Default(2) var |a: Int? }",
      "an optional property is nil by default; give it an initial value"
    ),
    (
      "@Storable struct S { @Migrated(|before: 2, { (a: Int) in a }) var a: Int }",
      "the type has version 1: write @Storable(version: …)"
    ),
    (
      "@Storable(version: 2) struct S { @Migrated(|before: n, { (a: Int) in a }) var a: Int }",
      "the version is a number, as a literal"
    ),
    ("@Storable(|version: 0) struct S {}", "the version is a number of at least 1, as a literal"),
    ("@Storable(|keys: x) struct S {}", "write .unchanged, .snakeCase or .kebabCase"),
    ("|@Storable(tag: \"t\") struct S {}", "only an enumeration has a tag"),
    (
      "@Storable struct S { enum |CodingKeys {} }",
      "@Storable generates CodingKeys; give a property another key with @Key"
    ),
    (
      "@Storable struct S { |init(from decoder: any Decoder) {} }",
      "@Storable generates init(from:); compute what is not stored in didDecode()"
    ),
    (
      "@Storable struct S { func |encode(to encoder: any Encoder) {} }",
      "@Storable generates encode(to:)"
    ),
    (
      "@Storable enum E { |#if DEBUG\ncase a\n#endif\n}",
      "@Storable does not see which cases within #if exist; put the type within it"
    ),
    (
      "@Storable enum E { case a; @Key(\"a\") case |b }", "the key \"a\" is also that of 'a'"
    ),
    (
      "@Storable enum E: String { @Key(\"x\") case |a }",
      "the raw value is the key: write case … = \"x\""
    ),
    (
      "@Storable enum E: Int { @Key(aliases: \"x\") case |a }",
      "only String raw values have aliases"
    ),
    (
      "|@Storable(tag: \"t\") enum E: Int { case a }", "an enumeration of raw values has no tag"
    ),
    (
      "@Storable enum E { @Unknown case |a }",
      "@Unknown needs one associated value, such as a JSON.Value"
    ),
    (
      "@Storable enum E { @Unknown case a(Int); @Unknown case |b(Int) }",
      "one case is @Unknown at most"
    ),
    ("@Storable enum E { |@Default(1) case a }", "@Default is for properties"),
    ("|@Storable(content: \"c\") enum E { case a }", "content needs a tag"),
    (
      "|@Storable(tag: \"c\", content: \"c\") enum E { case a }",
      "the tag and the content have one key"
    ),
    (
      "@Storable(tag: \"t\") enum E { case |a(Int, Int) }",
      "beside a tag, several associated values need labels, which are their keys"
    ),
    (
      "@Storable(tag: \"t\") enum E { case |a([Int]) }",
      "beside a tag, an associated value without a label is an object: give it a label, or the type "
        + "a content key"
    ),
    (
      "@Storable(tag: \"t\") enum E { case |a(t: Int) }", "the label 't' is also the tag"
    ),
    (
      "@Storable enum E { @Key(path: \"a.b\") case |a }", "a case has a key, not a path"
    ),
    ("struct S { |@Key(\"x\") var a: Int }", "@Key has a meaning only in a @Storable type"),
  ]

  @Test("An error says what and where", arguments: errors.indices) func error(number: Int) {
    let (marked, message) = Self.errors[number]
    let before = marked.prefix { $0 != "|" }
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let source = marked.replacing("|", with: "")
    var failures: [String] = []
    assertMacroExpansion(
      source, expandedSource: "",
      diagnostics: [
        DiagnosticSpec(
          message: message, line: lines.count, column: lines[lines.count - 1].utf8.count + 1,
          fixIts: message.contains("final class")
            ? [FixItSpec(message: "make it final")]
            : message.contains("constant with a value")
              ? [FixItSpec(message: "make it a variable")] : [])
      ],
      macroSpecs: ExpansionTests.macros,
      failureHandler: { failures.append($0.message) })
    // The first is that the source is not empty.
    #expect(failures.filter { !$0.hasPrefix("Macro expansion did not produce") } == [])
  }

  @Test("A fix-it makes a constant a variable, and a class final") func fixIts() {
    check(
      "@Storable struct S {\n  let a = 1\n}", "struct S {\n  let a = 1\n}",
      DiagnosticSpec(
        message:
          "a constant with a value cannot be read: make it a variable, or mark it @NotStored",
        line: 2, column: 3, fixIts: [FixItSpec(message: "make it a variable")]),
      "@Storable struct S {\n  var a = 1\n}")
    check(
      "@Storable\npublic class C {}", "public class C {}",
      DiagnosticSpec(
        message: "@Storable needs a final class: what a subclass adds would not be stored",
        line: 2, column: 14, fixIts: [FixItSpec(message: "make it final")]),
      "@Storable\npublic final class C {}")
  }

  private func check(
    _ source: String, _ expanded: String, _ diagnostic: DiagnosticSpec, _ fixed: String
  ) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: [diagnostic],
      macroSpecs: ExpansionTests.macros, fixedSource: fixed,
      failureHandler: { record($0.message, #_sourceLocation) })
  }
}
#endif
