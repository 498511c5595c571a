#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings

extension SettingsCommand {
  struct Set: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Change a setting; when the command ends, the change survives a power cut.",
        discussion: "The value must have the type that the setting has.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var key: String
    @Argument(help: "The value, arrays and dictionaries as JSON; '-' reads the standard input.")
    var value: String
    @OptionGroup var path: ValuePath
    @OptionGroup var typed: NewType
    @Flag(help: "Create the settings of an app that has none.") var create = false

    func perform(_ output: Output) async throws {
      let text = try Input.text(of: value)
      let store = try options.writing(output, creating: create)
      try store.change(key) { old in
        let new = try typed.value(of: text, replacing: old.flatMap { path.value(in: $0) }, key)
        return try path.setting(new, in: old)
      }
      try await store.synchronize()
      store.warnIfHidden(key, output)
    }
  }

  struct Append: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Append values to an array; a missing one is created.",
        discussion: "Each value must have the type of the array's last element.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var key: String
    @Argument(help: "The values, arrays and dictionaries as JSON.") var values: [String]
    @OptionGroup var path: ValuePath
    @OptionGroup var typed: NewType
    @Flag(help: "Create the settings of an app that has none.") var create = false

    func perform(_ output: Output) async throws {
      let store = try options.writing(output, creating: create)
      try store.change(key) { old in
        var elements: [PropertyList.Value] = []
        switch old.flatMap({ path.value(in: $0) }) {
        case .array(let array)?: elements = array
        case nil: break
        default: throw CommandError(.wrongData, "'\(key)' is not an array; nothing was changed.")
        }
        for value in values {
          elements.append(try typed.value(of: value, replacing: elements.last, key))
        }
        return try path.setting(.array(elements), in: old)
      }
      try await store.synchronize()
      store.warnIfHidden(key, output)
    }
  }

  struct Remove: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Remove settings, or values inside one, so that defaults are used again.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The settings' names.", completion: .keys(App.self)) var keys: [String]
    @OptionGroup var path: ValuePath

    func perform(_ output: Output) async throws {
      let store = try options.writing(output)
      try store.transaction { settings in
        for key in keys {
          guard let old = settings[.any(key)] else {
            throw CommandError(
              .missing,
              "'\(options.app.container.identifier)' has no setting '\(key)'; nothing was changed.")
          }
          settings[.any(key)] = try path.setting(nil, in: old)
        }
      }
      try await store.synchronize()
    }
  }

  struct Rename: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Give a setting another name.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var old: String
    @Argument(help: "Its new name, which no other setting has.") var new: String

    func perform(_ output: Output) async throws {
      let store = try options.writing(output)
      try store.transaction { settings in
        guard settings[.any(old)] != nil else {
          throw CommandError(
            .missing, "'\(options.app.container.identifier)' has no setting '\(old)'.")
        }
        guard settings[.any(new)] == nil else {
          throw CommandError(
            .wrongData, "There is already a setting '\(new)'; nothing was changed.")
        }
        settings.rename(old, to: new)
      }
      try await store.synchronize()
    }
  }

  struct Reset: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Remove all settings, or those whose names begin with a text.")
    }

    @OptionGroup var options: Options
    @Option(help: "What the names begin with.") var prefix: String?
    @Flag(help: "Remove all settings.") var all = false

    func validate() throws {
      if (prefix != nil) == all {
        throw ValidationError("Either '--prefix <prefix>' or '--all' is needed.")
      }
    }

    func perform(_ output: Output) async throws {
      let store = try options.writing(output)
      let count = store.names.count { $0.utf8.starts(with: (prefix ?? "").utf8) }
      try store.reset(prefix: prefix ?? "")
      try await store.synchronize()
      try output.line("removed: \(count)")
    }
  }
}

/// The type of a value that is set.
struct NewType: ParsableArguments {
  @Option(help: "The type of a new setting, or another one than before.")
  var type: SettingType?

  /// The value that a text represents.
  ///
  /// - Parameter old: The value that is replaced, whose type is the default.
  func value(
    of text: String, replacing old: PropertyList.Value?, _ key: String
  ) throws(CommandError) -> PropertyList.Value {
    guard let type = type ?? old.map({ SettingType(of: $0) }) else {
      throw CommandError(
        .missing, "There is no value of '\(key)' yet; name the type of a new one with '--type'.")
    }
    guard let value = type.value(of: text) else {
      throw CommandError(
        .wrongData,
        "'\(SettingText.shortened(text))' is not of the type \(type.name); nothing was changed.")
    }
    return value
  }
}

extension SettingType: ExpressibleByArgument {}

extension SettingsStore {
  /// Changes a setting of any type in a transaction.
  func change(
    _ key: String, _ body: (PropertyList.Value?) throws -> PropertyList.Value?
  ) throws {
    try transaction { settings in
      let old = settings[.any(key)]
      settings[.any(key)] = try body(old)
    }
  }

  /// Warns that another layer has precedence over a value that was set.
  func warnIfHidden(_ key: String, _ output: Output) {
    if let layer = layer(of: .any(key)), layer != .app {
      output.warn("The value is stored, but that of the layer \(layer) is used.")
    }
  }
}
#endif
