import Testing

@testable import Stage

@Suite("The command line")
struct LaunchOptionsTests {
  @Test("Without arguments the first free port from 8080 is taken")
  func defaults() throws {
    let options = try LaunchOptions([])
    #expect(options.ports.lowerBound == 8080 && options.ports.count > 1)
    #expect(options.root == nil)
  }

  @Test("A port and a directory can be chosen, and settings are left to the settings")
  func choices() throws {
    let options = try LaunchOptions(["-ratings", "1234", "--root", "/data", "--port", "9000"])
    #expect(options.ports == 9000...9000)
    #expect(options.root == "/data")
    #expect(options.configuration == nil)
  }

  @Test("Another configuration can be named, and its environment is left to itself")
  func configuration() throws {
    let options = try LaunchOptions(
      ["--config-environment", "Local", "--config", "/etc/config.plist", "--port", "9000"])
    #expect(options.configuration == "/etc/config.plist")
    #expect(options.ports == 9000...9000)
  }

  @Test(
    "What means nothing is refused",
    arguments: [
      ["--port"], ["--port", "0"], ["--port", "x"], ["--root"], ["--config"], ["--prot", "1"],
      ["x"],
    ])
  func refusals(arguments: [String]) {
    #expect(throws: LaunchOptions.UnusableArgument.self) { try LaunchOptions(arguments) }
  }
}
