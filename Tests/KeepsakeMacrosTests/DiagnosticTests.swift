#if Macros
import Testing

@Suite("What a macro cannot store is explained") struct DiagnosticTests {
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
      "@Storable struct S { @Default(|try f()) let a: Int }",
      "a default cannot throw: write try? and another value"
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
    ("@Storable(|keys: [.snakeCase][0]) struct S {}", "write .unchanged, .snakeCase or .kebabCase"),
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
    ("|@ObservableSettings struct S {}", "@ObservableSettings belongs to a class"),
    (
      "@ObservableSettings class C|<T> {}", "the class is generic: each setting has one type"
    ),
    (
      "@ObservableSettings class C { var |a: Int }",
      "a setting needs an initial value, which is its default"
    ),
    (
      "@ObservableSettings class C { var |a: Int? = 1 }",
      "an optional setting is nil until it is set: remove the value"
    ),
    (
      "@ObservableSettings class C { var |a = 1 { didSet {} } }",
      "a setting has no observers: it also changes when another process changes it"
    ),
    (
      "@ObservableSettings class C { |@Key(path: \"a.b\") var a = 1 }",
      "the key of a setting is one name, not a path"
    ),
    (
      "@ObservableSettings class C { |@Migrated(before: 2, { (old: String) in Int(old) }) var a = 1 }",
      "settings have one version together: use SettingsStore.migrate(_:)"
    ),
    (
      "@ObservableSettings class C { @Key(\"a\") var b = 1; |@Key(\"a\") var c = 1 }",
      "the key \"a\" is also that of 'b'"
    ),
    (
      "@ObservableSettings class C { @Secret var |a = 1 }",
      "a secret is nil until it is set: make it an optional"
    ),
    (
      "@ObservableSettings class C { |@InScene @Secret var a: Int? }", "@InScene is not for secrets"
    ),
    (
      "@ObservableSettings class C { |#if X\nvar a = 1\n#endif }",
      "@ObservableSettings does not see which settings within #if exist; put the class within it"
    ),
    (
      "struct S { |@InScene var a = 1 }",
      "@InScene has a meaning only in a class with @ObservableSettings"
    ),
  ]

  /// The errors of all declarations, which are compiled at once.
  static let output = Result { () throws -> [Compiler.Message] in
    let sources = errors.indices.map { "enum Case\($0) {\n\(source($0))\n}\n" }
    return try Compiler.messages(of: "import KeepsakeMacros\n" + sources.joined())
  }

  static func source(_ number: Int) -> String { errors[number].source.replacing("|", with: "") }

  @Test("An error says what and where", arguments: errors.indices) func error(number: Int) throws {
    let messages = try Self.output.get()
    // The import, and the lines of the cases before this one.
    var line = 2
    for earlier in 0..<number { line += Self.source(earlier).split(separator: "\n").count + 2 }
    let before = Self.errors[number].source.prefix { $0 != "|" }
      .split(separator: "\n", omittingEmptySubsequences: false)
    let expected = Compiler.Message(
      line: line + before.count, column: (before.last?.utf8.count ?? 0) + 1, kind: "error",
      text: Self.errors[number].message)
    let range = line + 1...line + Self.source(number).split(separator: "\n").count
    #expect(
      messages.contains { $0.isSame(as: expected) },
      "\(messages.filter { range.contains($0.line) }.map(\.text))")
  }

  @Test("A fix-it makes a constant a variable, and a class final") func fixIts() throws {
    let messages = try Self.output.get()
    #expect(messages.contains { $0.text == "make it a variable" && $0.replacement == "var" })
    #expect(messages.contains { $0.text == "make it final" && $0.replacement == "final class" })
  }
}
#endif
