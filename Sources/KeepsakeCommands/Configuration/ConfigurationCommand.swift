#if Commands && Configuration
import ArgumentParser
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// The configuration of an app.
struct ConfigurationCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "config",
      abstract: "List, explain, override and check a configuration.",
      subcommands: [List.self, Get.self, Explain.self, Set.self, Remove.self, Check.self])
  }

  /// The arguments of all these commands.
  struct Options: ParsableArguments {
    @Argument(
      help: "The configuration: a property list, JSON or YAML.", completion: .file())
    var file: String
    @Option(help: "The file of the overrides.", completion: .file()) var overrides: String?
    @Option(help: "The environment, such as staging.") var environment: String?
    @Flag(help: "The file has no section for each environment.") var noSections = false

    func open() throws -> EnvironmentConfiguration {
      guard try LocalFileSystem().information(at: FilePath(file)) != nil else {
        throw CommandError(.missing, "There is no file '\(file)'.")
      }
      return try EnvironmentConfiguration(
        file: FilePath(file), hasSections: !noSections, environment: environment,
        overrides: overrides.map { FilePath($0) }, arguments: [])
    }

    func validateOverrides() throws {
      if overrides == nil {
        throw ValidationError("The file of the overrides is needed: '--overrides'.")
      }
    }
  }

  struct List: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print every key with its value and layer; secrets are hidden.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Print a JSON object of the texts.") var json = false

    func perform(_ output: Output) async throws {
      let configuration = try options.open()
      var object = JSON.Object()
      for key in configuration.keys {
        guard let value = configuration.explain(key).values.first(where: \.counts) else { continue }
        if json {
          object[key] = .string(value.text)
          continue
        }
        try output.line(SettingText.visible("\(key) = \(value.text) (\(value.layer))"))
      }
      if json { try output.json(.object(object)) }
    }
  }

  struct Get: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print a value, also a secret one; a string without quotes, all else as JSON.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The key.") var key: String

    func perform(_ output: Output) async throws {
      let value = try options.open().value(for: key, as: JSON.Value.self)
      if case .string(let text) = value { return try output.line(text) }
      try output.json(value)
    }
  }

  struct Explain: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the value of a key in each layer; the first one is used.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The key.") var key: String

    func perform(_ output: Output) async throws {
      try output.line(
        SettingText.visible(options.open().explain(key).description, isKeepingLines: true))
    }
  }

  struct Set: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Override a value; a running app receives it immediately.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The key.") var key: String
    @Argument(help: "The value; '-' reads the standard input.") var value: String

    func validate() throws { try options.validateOverrides() }

    func perform(_ output: Output) async throws {
      try options.open().setOverride(text: Input.text(of: value), for: key)
    }
  }

  struct Remove: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Remove an override.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The key.") var key: String

    func validate() throws { try options.validateOverrides() }

    func perform(_ output: Output) async throws {
      try options.open().removeOverride(for: key)
    }
  }

  struct Check: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Read all files of the configuration, and print what is wrong.")
    }

    @OptionGroup var options: Options

    func perform(_ output: Output) async throws {
      let configuration = try options.open()
      let problems = configuration.unreadableFiles
      for problem in problems { output.warn("\(problem)") }
      if !problems.isEmpty {
        throw CommandError(.wrongConfiguration, "\(problems.count) files cannot be read.")
      }
      try output.line("\(configuration.keys.count) keys, every file can be read")
    }
  }
}
#endif
