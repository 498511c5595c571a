#if Commands
import ArgumentParser
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

extension SettingsCommand {
  struct Domains: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the identifiers of all apps that have settings.")
    }

    @Option(help: "The directory that an app was started with as its root.", completion: .directory)
    var root: String?
    @Flag(help: "Print JSON.") var json = false

    func perform(_ output: Output) async throws {
      let names = SettingsDomains(root: root.map { FilePath($0) }).names
      if json { return try output.json(.array(names.map { .string($0) })) }
      for name in names { try output.line(SettingText.visible(name)) }
    }
  }

  struct List: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print every setting, one in a line.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Print a JSON object.") var json = false

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      var object = JSON.Object()
      for name in store.names {
        guard let value = try store.value(for: .any(name)) else { continue }
        if json {
          object[name] = JSON.Value(value)
        } else {
          try output.line("\(SettingText.quoted(name)) = \(SettingText.line(of: value))")
        }
      }
      if json { try output.json(.object(object)) }
    }
  }

  struct Get: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the value of a setting; a string without quotes.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var key: String
    @OptionGroup var path: ValuePath
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Also print the layer that the value comes from, to the standard error.")
    var layer = false

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      guard let value = path.value(in: try options.value(of: key, in: store)) else {
        throw CommandError(
          .missing, "'\(key)' has no value at '\(path.steps.joined(separator: " "))'.")
      }
      try json ? output.json(JSON.Value(value)) : output.line(SettingText.text(of: value))
      if layer, let layer = store.layer(of: .any(key)) { output.warn("from the layer \(layer)") }
    }
  }

  struct TypeOf: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "type", abstract: "Print the type of a setting.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var key: String

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      try output.line(SettingType(of: try options.value(of: key, in: store)).rawValue)
    }
  }

  struct Find: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the settings whose name or value contains a text, in any case.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The text.") var text: String
    @Flag(help: "Print a JSON object.") var json = false

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      let text = text.lowercased()
      var object = JSON.Object()
      for name in store.names {
        guard let value = try store.value(for: .any(name)) else { continue }
        let line = SettingText.line(of: value)
        guard name.lowercased().contains(text) || line.lowercased().contains(text) else { continue }
        if json {
          object[name] = JSON.Value(value)
        } else {
          try output.line("\(SettingText.quoted(name)) = \(line)")
        }
      }
      if json { try output.json(.object(object)) }
    }
  }

  struct Explain: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the value of a setting in each layer; the first one is used.",
        aliases: ["layers"])
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name.", completion: .keys(App.self)) var key: String
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      let values = store.layerValues(of: key)
      if values.isEmpty {
        throw CommandError(
          .missing, "No layer of '\(options.app.container.identifier)' has a setting '\(key)'.")
      }
      if json {
        let objects: [JSON.Value] = values.map { layer, value in
          ["layer": .string("\(layer)"), "value": JSON.Value(value)]
        }
        return try output.json(.array(objects))
      }
      for (layer, value) in values {
        try output.line("\(layer): \(SettingText.line(of: value))")
      }
    }
  }

  struct Watch: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print a setting, or each one, whenever it changes, until the command is ended.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The setting's name; by default all.", completion: .keys(App.self))
    var key: String?
    @Flag(help: "Print a JSON object in a line.") var json = false

    func perform(_ output: Output) async throws {
      let store = try options.reading(output)
      if let key {
        for await value in store.values(of: .any(key)) { try write(key, value, output) }
        return
      }
      var last = store.snapshot()
      for await snapshot in store.snapshots() {
        for change in snapshot.changes(since: last) { try write(change.key, change.new, output) }
        last = snapshot
      }
    }

    private func write(_ key: String, _ value: PropertyList.Value?, _ output: Output) throws {
      if json {
        let value = value.map { JSON.Value($0) } ?? .null
        return try output.json(["key": .string(key), "value": value], isPretty: false)
      }
      let text = value.map { SettingText.line(of: $0) } ?? "(removed)"
      try output.line(self.key == nil ? "\(SettingText.quoted(key)) = \(text)" : text)
    }
  }

  struct Check: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Read the settings without changing anything, and print what is damaged.")
    }

    @OptionGroup var options: Options

    func perform(_ output: Output) async throws {
      let problems = Mutex<[String]>([])
      let count = try {
        let store = try options.reading(output) { problem in
          problems.withLock { $0.append("\(problem)") }
        }
        return store.names.count
      }()
      // Problems are reported soon after, on another thread.
      try await Task.sleep(for: .milliseconds(100))
      let found = problems.withLock { $0 }
      for problem in found { output.warn(problem) }
      if !found.isEmpty {
        throw CommandError(.wrongData, "\(count) settings can be read; see the problems above.")
      }
      try output.line("\(count) settings, nothing is damaged")
    }
  }
}

extension CompletionKind {
  /// The names of an app's settings.
  static func keys<App: AppSelection>(_ app: App.Type) -> CompletionKind {
    .custom { words, _, _ in Completion(words).keys(of: app) }
  }
}
#endif
