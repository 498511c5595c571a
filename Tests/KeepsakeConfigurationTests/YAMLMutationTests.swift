#if Configuration
import KeepsakeConfiguration
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Damaged YAML", .timeLimit(.minutes(15))) struct YAMLMutationTests {
  private static let seeds = [
    """
    Common: &common
      LogLevel: info
      Retries: 3
      Servers: [&a {Host: "a.example", Port: 80}, *a]
      Text: |
        two
        lines
    Local:
      <<: *common
      LogLevel: 'verbose'
      Ratio: 1.5e3
      ? [complex, key]
      : null
    """,
    "Common: {A: [1, 0x1F, 0o7, ~, true, .inf, 2026-11-24T00:00:00Z], B: !!binary aGk=}\n",
    YAMLAnchorTests.levels(8, first: "[x]") { "[\($0), \($0)]" },
  ]

  @Test("is a configuration or an error, for any bytes") func mutations() throws {
    let tokens = ["&a ", "*a", "<<: ", "? ", ": ", "- ", "{", "}", "[", "]", "|", "\t", "\u{FEFF}"]
    for bytes in Mutations(of: Self.seeds.map { Array($0.utf8) }, tokens: tokens) {
      let disk = SimulatedDisk()
      try disk.write(bytes, to: YAMLAnchorTests.path)
      do throws(ConfigurationError) {
        _ = try EnvironmentConfiguration(on: disk, file: YAMLAnchorTests.path)
      } catch {
        #expect(error.file == YAMLAnchorTests.path)
      }
    }
  }
}
#endif
