import ArgumentParser
import Foundation
import Keepsake
@_spi(Tool) import KeepsakeConsole
import SystemPackage

struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Lists, prints, changes and watches settings.",
    subcommands: [
      List.self, Get.self, Set.self, Remove.self, Watch.self, Preserved.self, Restore.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints every setting that the app keeps, a line each.")

    @OptionGroup var options: AppOptions

    func run() throws {
      let store = try options.settings()
      for name in store.names {
        guard let value = try store.value(for: SettingsCommand.key(name)) else { continue }
        print("\(SettingText.quoted(name)) = \(SettingText.line(of: value))")
      }
    }
  }

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the value of one setting, as it is.")

    @OptionGroup var options: AppOptions
    @Argument(help: "The setting's name.") var key: String
    @Flag(help: "Prints which layer the value comes from, too.") var layer = false

    func run() throws {
      let store = try options.settings()
      let key = SettingsCommand.key(key)
      guard let value = try store.value(for: key) else {
        throw ValidationError("'\(options.app)' keeps no setting '\(key.name)'.")
      }
      print(SettingText.text(of: value))
      if layer, let layer = store.layer(of: key) { warn("from the layer \(layer)") }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes a setting, safe against a power cut.",
      discussion: "The value is of the type that the setting has, and refused where it cannot be.")

    @OptionGroup var options: AppOptions
    @Argument(help: "The setting's name.") var key: String
    @Argument(help: "The value; arrays and dictionaries as JSON, a negative number after '--'.")
    var value: String
    @Option(
      help:
        "Another type, or that of a new setting: \(SettingType.allValueStrings.joined(separator: ", "))."
    )
    var type: SettingType?

    func run() async throws {
      let store = try options.settings()
      let key = SettingsCommand.key(key)
      let old = try store.value(for: key)
      guard let type = type ?? old.map({ SettingType(of: $0) }) else {
        throw ValidationError(
          "'\(options.app)' keeps no setting '\(key.name)'; say with --type what it is to be.")
      }
      guard let new = type.value(of: value) else {
        throw ValidationError("'\(value)' is no \(type.name); nothing was changed.")
      }
      try store.set(new, for: key)
      try await store.synchronize()
      if store.layer(of: key) != .app, let layer = store.layer(of: key) {
        warn("kept, but the layer \(layer) comes before it")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes a setting, so that its default counts again.")

    @OptionGroup var options: AppOptions
    @Argument(help: "The setting's name.") var key: String

    func run() async throws {
      let store = try options.settings()
      try store.remove(SettingsCommand.key(key))
      try await store.synchronize()
    }
  }

  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the value of a setting whenever it changes, until it is ended.")

    @OptionGroup var options: AppOptions
    @Argument(help: "The setting's name.") var key: String

    func run() async throws {
      let store = try options.settings()
      for await value in store.values(of: SettingsCommand.key(key)) {
        let line = value.map { SettingText.line(of: $0) } ?? "(removed)"
        // At once, whoever reads.
        try FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
      }
    }
  }

  struct Preserved: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the values that were replaced although they could not be read.")

    @OptionGroup var options: AppOptions

    func run() throws {
      for (index, preserved) in try options.settings().preservedValues().enumerated() {
        let date = preserved.date.formatted(.iso8601)
        let value = SettingText.line(of: preserved.value)
        print("\(index + 1): \(SettingText.quoted(preserved.key)) = \(value) (\(date))")
      }
    }
  }

  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a preserved value the setting's value again.",
      discussion: "The present value is preserved in its place.")

    @OptionGroup var options: AppOptions
    @Argument(help: "The number of the value in the list of 'settings preserved'.") var number: Int

    func run() throws {
      let store = try options.settings()
      let preserved = try store.preservedValues()
      guard preserved.indices.contains(number - 1) else {
        throw ValidationError(
          "'\(options.app)' has \(preserved.count) preserved values; nothing was changed.")
      }
      try store.restore(preserved[number - 1])
    }
  }

  /// A setting of whatever type it has.
  fileprivate static func key(_ name: String) -> SettingsKey<PropertyList.Value?> {
    SettingsKey(name)
  }
}
