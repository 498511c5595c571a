import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The documents' directory of the workers, in a directory of one test's own.
struct CardDirectory {
  let path: FilePath

  init(_ root: FilePath) { path = root.appending("Documents") }

  /// Starts a worker on the directory.
  func worker(_ command: String, _ arguments: String...) throws -> Worker {
    try Worker([command, path.string] + arguments, of: .documents)
  }

  /// Starts a worker that does what it is asked, and waits until it can be.
  func server() throws -> Worker {
    let worker = try worker("serve")
    #expect(try worker.readLine() == "ready")
    return worker
  }

  /// Opens the cards in this process.
  func open(
    _ problems: ReportedProblems<DocumentError> = ReportedProblems<DocumentError>(),
    configuration: DocumentConfiguration = .init()
  ) throws -> DocumentStore<WrittenCard> {
    try DocumentStore(
      directory: path, pathExtension: cardExtension, configuration: configuration
    ) { problems.add($0) }
  }

  func file(_ id: String) -> FilePath { path.appending("\(id).\(cardExtension)") }

  func text(_ id: String) throws -> String {
    String(decoding: try LocalFileSystem().readFile(at: file(id)) ?? [], as: UTF8.self)
  }

  /// The names in the directory that are neither the library's own nor directories.
  func visibleFiles() throws -> [String] {
    let files = LocalFileSystem()
    return try files.contents(ofDirectory: path).filter { name in
      if name.hasPrefix(".") { return false }
      return try files.information(at: path.appending(name))?.kind == .file
    }.sorted()
  }
}

/// Dates a file back to 2001, so that nobody is thought to be writing it.
func makeOld(_ path: FilePath) throws {
  let old = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
  let times = [old, old]
  if utimensat(AT_FDCWD, path.string, times, 0) != 0 { throw Errno(rawValue: errno) }
}
