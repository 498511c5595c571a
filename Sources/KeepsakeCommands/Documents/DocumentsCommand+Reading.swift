#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DocumentsCommand {
  struct List: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the identity, size and date of every document.")
    }

    @OptionGroup var options: Options
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      var all: [JSON.Value] = []
      for kind in try options.kinds() {
        for entry in try options.reading(kind).entries() {
          let date = SettingText.text(
            of: .date(Date(timeIntervalSince1970: Double(entry.modified) / 1e9)))
          if json {
            all.append([
              "id": .string(entry.id), "extension": .string(kind),
              "size": .number(JSON.Number(entry.size)), "modified": .string(date),
            ])
          } else {
            let name = SettingText.visible("\(entry.id).\(kind)")
            try output.line("\(name)  \(entry.size) bytes  \(date)")
          }
        }
      }
      if json { try output.json(.array(all)) }
    }
  }

  struct Show: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print a document as it is in its file.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The document's identity.") var id: String

    func perform(_ output: Output) async throws {
      let kind = try options.kind(of: id)
      guard let file = options.file(of: id, kind),
        let bytes = try ReadOnlyFileSystem().readFile(at: file)
      else { throw CommandError(.missing, "There is no document '\(id)' in \(options.path).") }
      try output.write(bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")])
    }
  }

  struct Versions: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(abstract: "Print the past versions of a document, the newest first.")
    }

    @OptionGroup var options: Options
    @Argument(help: "The document's identity.") var id: String
    @Flag(help: "Print a JSON array.") var json = false

    func perform(_ output: Output) async throws {
      let versions = try options.reading(try options.kind(of: id)).versions(of: id)
      if json {
        let objects: [JSON.Value] = versions.enumerated().map { index, version in
          [
            "number": .number(JSON.Number(index + 1)),
            "date": JSON.Value(PropertyList.Value.date(version.date)),
            "size": .number(JSON.Number(version.size)), "file": .string(version.file.string),
          ]
        }
        return try output.json(.array(objects))
      }
      for (index, version) in versions.enumerated() {
        let date = SettingText.text(of: .date(version.date))
        try output.line("\(index + 1): \(date)  \(version.size) bytes  \(version.file)")
      }
    }
  }

  struct Unreadable: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Print the documents that are not JSON objects with an identity, and why.")
    }

    @OptionGroup var options: Options

    func perform(_ output: Output) async throws {
      for kind in try options.kinds() {
        try await options.readAll(kind, output) { element in
          if let error = element.error { try output.line(SettingText.visible(error.withoutEffect)) }
        }
      }
    }
  }

  struct Check: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Read all documents without changing anything, and print what is damaged.")
    }

    @OptionGroup var options: Options

    func perform(_ output: Output) async throws {
      var (count, unreadable) = (0, 0)
      for kind in try options.kinds() {
        try await options.readAll(kind, output) { element in
          count += 1
          guard let error = element.error else { return }
          unreadable += 1
          output.warn(error.withoutEffect)
        }
      }
      if unreadable > 0 {
        throw CommandError(.wrongData, "\(unreadable) of \(count) documents cannot be read.")
      }
      try output.line("\(count) documents, nothing is damaged")
    }
  }

  struct Export: AppCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "Write all documents that can be read as one JSON array.",
        discussion: "The exit code is 65 if some cannot be read.")
    }

    @OptionGroup var options: Options
    @Argument(
      help: "The file, which is replaced; by default the standard output.", completion: .file())
    var file = "-"

    func perform(_ output: Output) async throws {
      var documents: [JSON.Value] = []
      var unreadable = 0
      for kind in try options.kinds() {
        try await options.readAll(kind, output) { element in
          switch element.result {
          case .success(let document): documents.append(document.value)
          case .failure(let error):
            unreadable += 1
            output.warn(error.withoutEffect)
          }
        }
      }
      let bytes =
        try JSON.Value.array(documents).serialized(prettyPrinted: true) + [UInt8(ascii: "\n")]
      if file == "-" {
        try output.write(bytes)
      } else {
        try LocalFileSystem().replaceFile(at: FilePath(file), with: bytes)
      }
      if unreadable > 0 {
        throw CommandError(
          .wrongData, "\(unreadable) documents cannot be read; the others were exported.")
      }
    }
  }
}

extension DocumentError {
  /// The description without what became of the file: reading changes nothing.
  fileprivate var withoutEffect: String {
    var error = self
    error.kept = nil
    return "\(error)"
  }
}
#endif
