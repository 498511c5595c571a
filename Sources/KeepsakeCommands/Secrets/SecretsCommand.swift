#if Commands && Secrets
import ArgumentParser
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSecrets
import KeepsakeSettings
import SystemPackage

/// The secrets of an app.
struct SecretsCommand<App: AppSelection>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "secrets", abstract: "List, print, set and remove secrets.",
      subcommands: [List.self, Get.self, Set.self, Remove.self, Recover.self, Rotate.self])
  }

  /// The arguments of all these commands.
  struct Options: ParsableArguments {
    @OptionGroup var app: App

    @Option(
      help: "The encrypted file, if it is not the app's own 'secrets.json'.", completion: .file())
    var file: String?
    @OptionGroup var key: KeyOptions
    @Flag(help: "Use the Secret Service of the desktop instead of a file.")
    var secretService = false

    /// The key that the app named, unless the command names another.
    private var appKey: SecretsKey? {
      App.self == ThisApp.self && key.count == 0 && !secretService ? AppCommands.secretsKey : nil
    }

    func validate() throws {
      if appKey != nil { return }
      if secretService == (key.count == 1) || key.count > 1 {
        throw ValidationError(
          "One of '--key-file', '--credential', '--passphrase' and '--secret-service' is needed.")
      }
    }

    /// Opens the secrets.
    ///
    /// - Parameter mustExist: Whether a missing file is an error.
    func store(_ output: Output, mustExist: Bool = true) throws -> SecretStore {
      let container = app.container
      if secretService { return .secretService(identifier: container.identifier) }
      let path =
        file.map { FilePath($0) } ?? container.applicationSupport.appending("secrets.json")
      if mustExist, try LocalFileSystem().information(at: path) == nil {
        throw CommandError(
          .missing, "There are no secrets of '\(container.identifier)': no file is at \(path).")
      }
      return SecretStore(
        file: path, identifier: container.identifier, key: try appKey ?? key.key(),
        onProblem: { output.warn("\($0)") })
    }
  }

  struct List: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the names of all secrets.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      let names = try options.store(output).names()
      if json { return try output.json(.array(names.map { .string($0) })) }
      for name in names { try output.line(SettingText.visible(name)) }
    }
  }

  struct Get: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print a secret; a string without quotes, all else as JSON.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The secret's name.") var name: String

    func perform(_ output: Output) async throws {
      guard let value = try options.store(output).value(for: name, as: JSON.Value.self) else {
        throw CommandError(
          .missing, "'\(options.app.container.identifier)' has no secret '\(name)'.")
      }
      if case .string(let text) = value { return try output.line(text) }
      try output.json(value)
    }
  }

  struct Set: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Store a secret that is read from the standard input.",
        discussion: """
          It is not an argument, because other users can see the arguments of a process. A line \
          break at its end is dropped.
          """)
    }

    @OptionGroup var options: Options
    @Argument(help: "The secret's name.") var name: String
    @Flag(help: "The secret is JSON instead of a string.") var json = false
    @Flag(help: "Create the secrets of an app that has none, and a missing key file.")
    var create = false

    func perform(_ output: Output) async throws {
      let text = try Input.text(of: "-")
      let store = try options.store(output, mustExist: !create)
      if json {
        let value: JSON.Value
        do { value = try JSON.Value(parsing: text) } catch {
          throw CommandError(
            .wrongData,
            "The standard input is not JSON (\(error.location.lineAndColumn)); nothing was changed."
          )
        }
        try store.set(value, for: name)
      } else {
        try store.set(text, for: name)
      }
    }
  }

  struct Remove: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Remove secrets.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The secrets' names.") var names: [String]

    func perform(_ output: Output) async throws {
      let store = try options.store(output)
      let known = try store.names()
      for name in names where !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
        throw CommandError(.missing, "There is no secret '\(name)'; nothing was changed.")
      }
      try store.transaction { secrets in
        for name in names { secrets.remove(name) }
      }
    }
  }

  struct Recover: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Keep what can still be decrypted of a damaged file.",
        discussion: "The damaged file stays beside it.")
    }

    @OptionGroup var options: Options

    func perform(_ output: Output) async throws {
      let recovery = try options.store(output).recover()
      try output.line("recovered: \(recovery.kept.count)")
      for name in recovery.lost { try output.line("lost: \(SettingText.visible(name))") }
      try output.line("the damaged file is \(recovery.quarantine)")
    }
  }

  struct Rotate: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Encrypt all secrets with a new data key, and with another key if one is named.")
    }

    @OptionGroup var options: Options
    @Option(help: "The file of the new key.", completion: .file()) var newKeyFile: String?

    func perform(_ output: Output) async throws {
      try options.store(output).rotateKey(to: newKeyFile.map { .keyFile(FilePath($0)) })
    }
  }
}

/// The key of an encrypted file.
struct KeyOptions: ParsableArguments {
  @Option(help: "The file of the key.", completion: .file()) var keyFile: String?
  @Option(help: "The name of a systemd credential that is the key.") var credential: String?
  @Flag(help: "Ask for a passphrase.") var passphrase = false

  /// How many keys were named.
  var count: Int { [keyFile != nil, credential != nil, passphrase].count { $0 } }

  func key() throws -> SecretsKey {
    if let keyFile { return .keyFile(FilePath(keyFile)) }
    if let credential { return .credential(credential) }
    guard let words = getpass("Passphrase: ") else {
      throw CommandError(.unavailable, "The passphrase cannot be read: there is no terminal.")
    }
    return .passphrase(String(cString: words))
  }
}
#endif
