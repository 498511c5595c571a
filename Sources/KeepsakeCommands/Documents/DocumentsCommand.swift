#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// The documents of an app.
struct DocumentsCommand<App: AppSelection>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "documents",
      abstract: "List, show, check and export documents, and bring back what was removed.",
      subcommands: [
        List.self, Show.self, Versions.self, Restore.self, Remove.self, Trash.self,
        Quarantine.self, Unreadable.self, Check.self, Export.self,
      ])
  }

  /// The arguments of all these commands.
  struct Options: ParsableArguments {
    @OptionGroup var app: App

    @Option(
      help: "The directory of the documents, if it is not the app's own.", completion: .directory)
    var directory: String?

    @Option(
      name: .customLong("extension"),
      help: "The path extension of the documents; by default that of all stores of the directory.")
    var pathExtension: String?

    var path: FilePath { directory.map { FilePath($0) } ?? app.container.documents }

    /// The path extensions that were asked for.
    func kinds() throws -> [String] {
      let kinds = pathExtension.map { [$0] } ?? PlainDocument.kinds(in: path)
      if kinds.isEmpty { throw CommandError(.missing, "There are no documents in \(path).") }
      return kinds
    }

    /// Opens a store so that nothing is created or changed.
    func reading(_ kind: String) throws -> DocumentStore<PlainDocument> {
      guard try ReadOnlyFileSystem().information(at: path) != nil else {
        throw CommandError(.missing, "There is no directory \(path).")
      }
      return try DocumentStore(
        directory: path, pathExtension: kind, fileSystem: ReadOnlyFileSystem(), onProblem: { _ in })
    }

    /// Reads all documents of a kind, with a line of progress.
    func readAll(
      _ kind: String, _ output: Output,
      _ body: (DocumentSequence<PlainDocument>.Element) throws -> Void
    ) async throws {
      var progress: ProgressLine?
      defer { progress?.finish() }
      for await element in try reading(kind).loadAll() {
        progress = progress ?? output.progress("\(kind) documents", of: element.progress.total)
        progress?.update(element.progress.done)
        try body(element)
      }
    }

    /// Opens a store for changes, if documents of its kind exist.
    func writing(_ kind: String, _ output: Output) throws -> DocumentStore<PlainDocument> {
      _ = try reading(kind)
      return try DocumentStore(directory: path, pathExtension: kind) { output.warn("\($0)") }
    }

    /// The path extension of a document; that of the only store if none has the document.
    func kind(of id: String) throws -> String {
      let kinds = try kinds()
      let owners = kinds.filter { file(of: id, $0) != nil }
      guard owners.count < 2 else {
        throw CommandError(
          .wrongData,
          "There are documents '\(id)' with the extensions \(owners.joined(separator: ", ")); name one with '--extension'."
        )
      }
      if let owner = owners.first ?? (kinds.count == 1 ? kinds[0] : nil) { return owner }
      throw CommandError(.missing, "There is no document '\(id)' in \(path).")
    }

    /// The file of a document, if it exists.
    func file(of id: String, _ kind: String) -> FilePath? {
      let file = path.appending(escaping: id, extension: kind)
      return (try? ReadOnlyFileSystem().information(at: file)) == nil ? nil : file
    }
  }
}
#endif
