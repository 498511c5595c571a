#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

extension SettingsCommand {
  struct Import: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Set all settings of a property list or a JSON object, in one transaction.",
        discussion: "Settings that the file does not contain stay, unless --replace is given.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The file; '-' reads the standard input.", completion: .file())
    var file: String
    @Flag(help: "Remove the settings that the file does not contain.") var replace = false
    @Flag(help: "Create the settings of an app that has none.") var create = false

    func perform(_ output: Output) async throws {
      let values = try SettingsFormat.read(Input.bytes(of: file), named: file)
      let store = try options.writing(output, creating: create)
      let progress = output.progress("imported", of: values.count)
      try store.transaction { settings in
        for (index, (key, value)) in values.enumerated() {
          settings[.any(key)] = value
          progress.update(index)
        }
        guard replace else { return }
        for name in store.names where values[name] == nil { settings[.any(name)] = nil }
      }
      try await store.synchronize()
      progress.finish()
      try output.line("imported: \(values.count)")
    }
  }

  struct Export: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Write all settings as a property list or as JSON.")
    }

    @OptionGroup var options: Options
    @Argument(
      help: "The file, which is replaced; by default the standard output.", completion: .file())
    var file = "-"
    @Option(help: "xml, binary or json.") var format = SettingsFormat.xml

    func perform(_ output: Output) async throws {
      let bytes = try format.bytes(of: options.reading(output).ownValues)
      if file == "-" { return try output.write(bytes) }
      try LocalFileSystem().replaceFile(at: FilePath(file), with: bytes)
    }
  }

  struct Preserved: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the values that were replaced and are kept beside the settings.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      let values = try options.reading(output).preservedValues()
      if json {
        let objects: [JSON.Value] = values.map { preserved in
          [
            "number": .number(JSON.Number(preserved.number)), "key": .string(preserved.key),
            "value": JSON.Value(preserved.value),
            "date": JSON.Value(PropertyList.Value.date(preserved.date)),
            "reason": .string(preserved.reason),
          ]
        }
        return try output.json(.array(objects))
      }
      for preserved in values {
        let date = SettingText.text(of: .date(preserved.date))
        let value = SettingText.line(of: preserved.value)
        let key = SettingText.quoted(preserved.key)
        try output.line("\(preserved.number): \(key) = \(value) (\(date))")
      }
    }
  }

  struct Restore: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Make a preserved value the setting's value again.",
        discussion: "The present value is preserved in its place.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The number of the value in the list of 'settings preserved'.") var number: Int
    @Argument(help: "Its key, where several values were replaced at once and have one number.")
    var key: String?

    func perform(_ output: Output) async throws {
      let store = try options.writing(output)
      let preserved = try store.preservedValues()
      let found = preserved.filter { value in
        value.number == number && key.map { $0.utf8.elementsEqual(value.key.utf8) } ?? true
      }
      guard let chosen = found.first else {
        throw CommandError(
          .missing,
          """
          '\(options.app.container.identifier)' has no preserved value \(number)\
          \(key.map { " of '\($0)'" } ?? ""), but \(preserved.count) others; nothing was changed.
          """)
      }
      if found.count > 1 {
        throw CommandError(
          .missing,
          "\(found.count) preserved values have the number \(number): name the key, too. Nothing was changed."
        )
      }
      try store.restore(chosen)
      try await store.synchronize()
    }
  }
}

extension TextLocation {
  /// The location without the text, which may have several lines.
  var lineAndColumn: String {
    line > 0 ? "line \(line), column \(column)" : "byte \(offset)"
  }
}

extension PreservedValue {
  /// The number in the name of its file, which only values get that are replaced at once, as long as it exists.
  fileprivate var number: Int {
    let digits = file?.lastComponent?.string.split(separator: "-").last.flatMap { Int($0) }
    return digits ?? 0
  }
}

/// The format of a file of settings.
enum SettingsFormat: String, ExpressibleByArgument {
  case xml, binary, json

  /// The bytes of a file.
  ///
  /// - Parameter values: The settings, sorted by key.
  func bytes(of values: [(key: String, value: PropertyList.Value)]) throws -> [UInt8] {
    switch self {
    case .xml: return PropertyList.serializeXML(sortedEntries: values)
    case .binary:
      let members = Dictionary(values, uniquingKeysWith: { first, _ in first })
      return PropertyList.Value.dictionary(members).serializedBinary()
    case .json:
      var object = JSON.Object()
      for (key, value) in values { object[key] = JSON.Value(value) }
      return try JSON.Value.object(object).serialized(prettyPrinted: true) + [UInt8(ascii: "\n")]
    }
  }

  /// Reads the values of a property list of any format, or of a JSON object.
  static func read(_ bytes: [UInt8], named name: String) throws -> [String: PropertyList.Value] {
    let value: PropertyList.Value
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    do {
      if first == UInt8(ascii: "{"), let json = try json(bytes) {
        value = json
      } else {
        value = try PropertyList.Value(parsing: bytes)
      }
    } catch {
      let reason: String =
        switch error {
        case let error as JSON.ParseError: "\(error.message) (\(error.location.lineAndColumn))"
        case let error as PropertyList.ParseError:
          "\(error.message) (\(error.location.lineAndColumn))"
        default: "\(error)"
        }
      throw CommandError(.wrongData, "'\(name)' cannot be read: \(reason); nothing was changed.")
    }
    guard case .dictionary(let values) = value else {
      throw CommandError(
        .wrongData, "'\(name)' does not contain a dictionary of settings; nothing was changed.")
    }
    return values
  }

  /// A JSON object; `nil` if it may be a property list in the OpenStep format, whose dictionaries begin
  /// alike.
  private static func json(_ bytes: [UInt8]) throws -> PropertyList.Value? {
    let json: JSON.Value
    do {
      json = try JSON.Value(parsing: bytes, duplicateKeys: .error)
    } catch {
      if (try? PropertyList.Value(parsingOpenStep: bytes)) != nil { return nil }
      throw error
    }
    guard !json.containsNull else {
      throw CommandError(.wrongData, "it contains a null, which settings cannot")
    }
    return PropertyList.Value(json)
  }
}
#endif
