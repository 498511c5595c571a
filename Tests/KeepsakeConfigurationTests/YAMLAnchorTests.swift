#if Configuration
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Anchors, aliases and merge keys in YAML", .timeLimit(.minutes(10)))
struct YAMLAnchorTests {
  static let path: FilePath = "/config.yaml"

  static func configuration(
    _ yaml: String, problems: Problems? = nil
  ) throws -> EnvironmentConfiguration {
    try EnvironmentConfiguration(
      on: try Sample.disk(yaml, at: path), file: path, problems: problems)
  }

  /// Lines of one section, each with an anchor that the next line uses.
  static func levels(_ count: Int, first: String, next: (String) -> String) -> String {
    var lines = ["Common:", "  a0: &a0 \(first)"]
    for level in 1..<count { lines.append("  a\(level): &a\(level) \(next("*a\(level - 1)"))") }
    return lines.joined(separator: "\n") + "\n"
  }

  static let sequences = levels(30, first: "[\(list("x"))]") { "[\(list($0))]" }
  static let mappings = levels(30, first: "{\(entries("x"))}") { "{\(entries($0))}" }
  static let merges = levels(30, first: "{\(entries("x"))}") {
    "{<<: {\(entries($0))}, own: \($0)}"
  }
  static let keys = levels(60, first: "x") { "{? [\($0), \($0)] : y}" }
  static let chain = levels(20_000, first: "[x]") { "[\($0)]" }
  static let depth = levels(200, first: "[x]") { "[[[[\($0)]]]]" }
  static let text =
    "Common:\n  a: &a \(String(repeating: "x", count: 1_000_000))\n"
    + "  b: [\(Array(repeating: "*a", count: 200).joined(separator: ", "))]\n"
  static let nested = "Common: " + String(repeating: "[", count: 100_000)

  private static func list(_ element: String) -> String {
    Array(repeating: element, count: 9).joined(separator: ", ")
  }

  private static func entries(_ value: String) -> String {
    (1...9).map { "k\($0): \(value)" }.joined(separator: ", ")
  }

  @Test(
    "that expand to too much are an error with line and column, in bounded time",
    arguments: [
      ("sequences", Self.sequences, "7:12"), ("mappings", Self.mappings, "7:16"),
      ("merge keys", Self.merges, "6:93"), ("keys", Self.keys, "3:14"),
      ("a chain", Self.chain, "448:16"), ("depth", Self.depth, "130:19"),
      ("text", Self.text, "3:47"),
      ("nested sequences", Self.nested, "1:10"),
    ])
  func bombs(name: String, yaml: String, location: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try Self.configuration(yaml) }
    #expect(error?.code == .unreadable)
    #expect(error?.file == Self.path)
    #expect(error?.location == location)
  }

  @Test("that expand to too much leave a running program its values") func running() throws {
    let problems = Problems()
    let disk = try Sample.disk("Common: {a: 1}", at: Self.path)
    let configuration = try EnvironmentConfiguration(
      on: disk, file: Self.path, problems: problems)
    try disk.write(Self.sequences.utf8, to: Self.path)
    #expect(try configuration.value(for: "a") == 1)
    #expect(problems.all.map(\.code) == [.unreadable])
    #expect(problems.all.map(\.location) == ["7:12"])
  }

  @Test("that merge the same mapping again and again take no time") func repeatedMerges() throws {
    let configuration = try Self.configuration(
      Self.levels(30, first: "{x: 1}") { "{<<: [\(Self.list($0))]}" })
    #expect(try configuration.value(for: "a29.x") == 1)
  }

  @Test("may be used by a thousand mappings") func manyUses() throws {
    struct Service: Decodable, Equatable {
      let name: String
      let host: String
      let limits: [String: Int]
    }
    var yaml = "Common:\n  defaults: &defaults\n    host: a\n    limits: {x: 1, y: 2, z: 3}\n"
    yaml += "  services:\n"
    for index in 1...1000 { yaml += "    - <<: *defaults\n      name: s\(index)\n" }
    let services = try Self.configuration(yaml).value(for: "services", as: [Service].self)
    #expect(
      services
        == (1...1000).map { .init(name: "s\($0)", host: "a", limits: ["x": 1, "y": 2, "z": 3]) })
  }

  @Test("differ from asterisks in strings, keys and comments") func asterisks() throws {
    let yaml = """
      # *none
      Common:
        plain: a*b *c
        single: '*a'
        double: "*a *"
        literal: |
          * one
          *two
        folded: >-
          *three
          * four
        emoji: 😀 \u{E000}*
        '*key': 1
        name: &name renamed
        *name : &value 2
        flow: [*value,*value, {a: *value}]
        value: &value 3
        again: *value
      """
    let configuration = try Self.configuration(yaml)
    #expect(try configuration.value(for: "plain") == "a*b *c")
    #expect(try configuration.value(for: "single") == "*a")
    #expect(try configuration.value(for: "double") == "*a *")
    #expect(try configuration.value(for: "literal") == "* one\n*two\n")
    #expect(try configuration.value(for: "folded") == "*three * four")
    #expect(try configuration.value(for: "emoji") == "😀 \u{E000}*")
    #expect(try configuration.value(for: "*key") == 1)
    #expect(try configuration.value(for: "renamed") == 2)
    #expect(configuration.explain("flow").values.map(\.text) == ["[2, 2, {a: 2}]"])
    #expect(try configuration.value(for: "again") == 3)
  }

  @Test(
    "that are wrong are an error with line and column",
    arguments: [
      ("Common:\n  a: *b\n  b: &b 1", "2:6"), ("Common:\n  a: &a [*a]", "2:10"),
      ("Common:\n  a: * b", "2:6"), ("Common:\n  a: &a 1\n  b: *a b", "3:6"),
      ("Common:\n  a: &a b\n  b: 1\n  *a : 2", "4:3"), ("Common:\n  '*': 1\n  '*': 2", "2:3"),
    ])
  func wrong(yaml: String, location: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try Self.configuration(yaml) }
    #expect(error.code == .unreadable)
    #expect(error.location == location)
    #expect(!error.message.unicodeScalars.contains { (0xE000...0xF8FF).contains($0.value) })
  }

  @Test("of elements after null have locations") func locationAfterNull() throws {
    let configuration = try Self.configuration("Common:\n  a:\n    - ~\n    - 1\n    - x\n")
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "a", as: [Int].self)
    }
    #expect(error.location == "5:7")
  }
}
#endif
