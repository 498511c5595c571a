#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

extension DocumentsCommand {
  struct Remove: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Move a document to the trash.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The document's identity.") var id: String

    func perform(_ output: Output) async throws {
      try options.writing(try options.kind(of: id), output).remove(id)
    }
  }

  struct Restore: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Bring back a document from the trash, or a past version of one.",
        discussion: "What a past version replaces becomes a version itself.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The document's identity.") var id: String
    @Option(help: "The number of the version in the list of 'documents versions'.") var version:
      Int?

    func perform(_ output: Output) async throws {
      let store = try options.writing(try options.kind(of: id), output)
      guard let version else {
        guard let removed = try store.removed().last(where: { $0.id == id }) else {
          throw CommandError(.missing, "There is no document '\(id)' in the trash.")
        }
        return try store.restore(removed)
      }
      let versions = try store.versions(of: id)
      guard versions.indices.contains(version - 1) else {
        throw CommandError(
          .missing, "'\(id)' has \(versions.count) past versions; nothing was changed.")
      }
      try store.restore(versions[version - 1], of: id)
    }
  }

  struct Trash: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the documents in the trash, or empty it.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Remove the documents in the trash permanently.") var empty = false
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      var all: [JSON.Value] = []
      for kind in try options.kinds() {
        if empty {
          let removed = try options.writing(kind, output).emptyTrash(olderThan: .zero)
          try output.line("removed permanently: \(removed.count) (\(kind))")
        } else {
          for removed in try options.reading(kind).removed() {
            if json {
              all.append(["id": .string(removed.id), "extension": .string(kind)])
            } else {
              try output.line(SettingText.visible("\(removed.id).\(kind)"))
            }
          }
        }
      }
      if json && !empty { try output.json(.array(all)) }
    }
  }

  struct Quarantine: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the damaged files that were quarantined, or bring one back.")
    }

    @OptionGroup var options: Options
    @Option(help: "The name of a file whose document to recover as far as it can be read.")
    var recover: String?
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      var all: [JSON.Value] = []
      for kind in try options.kinds() {
        let files = try options.reading(kind).quarantined()
        guard let recover else {
          for file in files {
            let name = file.file.lastComponent?.string ?? file.name
            if json {
              all.append(["name": .string(name), "reason": .string(file.reason)])
            } else {
              try output.line(SettingText.visible("\(name)  \(file.reason)"))
            }
          }
          continue
        }
        guard let file = files.first(where: { $0.file.lastComponent?.string == recover }) else {
          continue
        }
        try options.writing(kind, output).recover(file)
        return
      }
      if let recover {
        throw CommandError(.missing, "There is no file '\(recover)' in the quarantine.")
      }
      if json { try output.json(.array(all)) }
    }
  }
}
#endif
