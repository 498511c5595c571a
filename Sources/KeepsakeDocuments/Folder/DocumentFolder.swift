import KeepsakeFiles
import Synchronization
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of one kind of documents in one folder, as bytes: what is read, replaced, set aside and
/// kept, with the lock of all processes that write them.
///
/// - `DocumentFolder+Reading.swift` lists and reads.
/// - `DocumentFolder+Locking.swift` takes the lock.
/// - `DocumentFolder+Writing.swift` writes documents, with as few flushes as they need.
/// - `DocumentFolder+Assets.swift` adds assets, and makes them durable with who names them.
/// - `DocumentFolder+Versions.swift` keeps what was replaced.
/// - `DocumentFolder+Quarantine.swift` sets aside what cannot be read.
/// - `DocumentFolder+Trash.swift` keeps what was removed.
final class DocumentFolder: Sendable {
  /// The lock of all processes, and the file it is in.
  struct Turn: Sendable {
    var coordinator: (any FileCoordinator)?
    var identity: FileIdentity?
    /// Whether what killed writers left was looked for.
    var isTidy = false
  }

  let path: FilePath
  let pathExtension: String
  let fileSystem: any FileSystem
  let configuration: DocumentConfiguration
  let report: @Sendable (DocumentError) -> Void
  /// Held while this store's turn lasts, so that its threads take theirs.
  let turn = Mutex(Turn())
  let known = Mutex(KnownContents())
  /// The assets of which this store knows whether they survive a power cut.
  let knownAssets = Mutex<[Asset: KnownContents.Durability]>([:])

  init(
    path: FilePath, pathExtension: String, fileSystem: any FileSystem,
    configuration: DocumentConfiguration,
    report: @escaping @Sendable (DocumentError) -> Void
  ) throws(DocumentError) {
    let isName =
      !pathExtension.isEmpty && FileName(escaping: pathExtension).string == pathExtension
    guard isName, !pathExtension.contains(".") else {
      throw DocumentError(.notFound, "‘\(pathExtension)’ is no extension of a file's name")
    }
    self.path = path
    self.pathExtension = pathExtension
    self.fileSystem = fileSystem
    self.configuration = configuration
    self.report = report
    do throws(FileError) {
      try fileSystem.createFolders(path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  var lockPath: FilePath { path.appending(".\(pathExtension).lock") }
  var trash: FilePath { path.appending("Trash") }
  var quarantine: FilePath { path.appending("Quarantine") }
  var versions: FilePath { path.appending("Versions") }

  /// The path of a document's file.
  func file(_ name: String) -> FilePath { path.appending(name) }

  /// The name of a document's file.
  func name(of id: some DocumentID) -> String {
    FileName(escaping: id.documentName).string + "." + pathExtension
  }

  /// The name of a document's file without the extension.
  func stem(of name: String) -> String { String(name.dropLast(pathExtension.utf8.count + 1)) }

  /// The identity that a file's name stands for, or `nil` where it stands for none.
  func id<ID: DocumentID>(of name: String, as type: ID.Type) -> ID? {
    FileName.unescaping(stem(of: name)).flatMap { ID(documentName: $0) }
  }

  /// Nanoseconds since 1970 (UTC).
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }
}
