import KeepsakeBase
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The files of one kind of documents in one directory, as bytes: what is read, replaced, quarantined
/// and kept, with the lock of all processes that write them.
///
/// - `DocumentDirectory+Reading.swift` lists and reads.
/// - `DocumentDirectory+Locking.swift` acquires the lock.
/// - `DocumentDirectory+Writing.swift` writes documents, with as few flushes as they need.
/// - `DocumentDirectory+Assets.swift` adds assets, and makes them durable with the documents that name them.
/// - `DocumentDirectory+Naming.swift` finds out which assets are named.
/// - `DocumentDirectory+Versions.swift` keeps what is replaced.
/// - `DocumentDirectory+Quarantine.swift` quarantines what is not JSON.
/// - `DocumentDirectory+Trash.swift` keeps what was removed, until the trash is emptied.
final class DocumentDirectory: Sendable {
  /// The lock that all processes share.
  struct Lock: Sendable {
    /// The lock's file, once it was needed.
    var file: (any FileLock)?
    /// Whether the temporary files of killed writers were removed.
    var hasRemovedLeftovers = false
  }

  let path: FilePath
  /// The path and a slash.
  private let prefix: [CChar]
  let pathExtension: String
  let lockPath: FilePath
  let fileSystem: any FileSystem
  let configuration: DocumentConfiguration
  let report: @Sendable (DocumentError) -> Void
  /// Held while this store holds the processes' lock, so that its threads exclude each other, too.
  let lock = Mutex(Lock())
  let known = Mutex(KnownContents())
  /// How often the disk refused to flush names.
  let refusals = Atomic(0)
  /// The assets of which this store knows whether they survive a power cut.
  let knownAssets = Mutex<[Asset: KnownContents.Durability]>([:])
  /// When this store added assets.
  let added = Mutex<[Asset: ContinuousClock.Instant]>([:])

  init(
    path: FilePath, pathExtension: String, fileSystem: any FileSystem,
    configuration: DocumentConfiguration,
    report: @escaping @Sendable (DocumentError) -> Void
  ) throws(DocumentError) {
    let isName =
      !pathExtension.isEmpty && FileName(escaping: pathExtension).string == pathExtension
    guard isName, !pathExtension.contains(".") else {
      throw DocumentError(.notFound, "'\(pathExtension)' is not a path extension")
    }
    // A document whose name is a UUID would be collected like an asset that nothing names.
    guard !configuration.assetLimits.types.contains(where: { $0.pathExtension == pathExtension })
    else {
      throw DocumentError(
        .invalidAsset, "'\(pathExtension)' cannot be the extension of documents and of assets")
    }
    self.path = path
    prefix = path.withPlatformString {
      Array(UnsafeBufferPointer(start: $0, count: path.length)) + [
        CChar(bitPattern: UInt8(ascii: "/"))
      ]
    }
    self.pathExtension = pathExtension
    lockPath = path.appending(Self.lockName(of: pathExtension))
    self.fileSystem = fileSystem
    self.configuration = configuration
    self.report = report
    do throws(FileError) {
      try fileSystem.createDirectories(path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  var trash: FilePath { path.appending("Trash") }
  var quarantine: FilePath { path.appending("Quarantine") }
  var versions: FilePath { path.appending("Versions") }

  /// Whether another is the same directory by its path.
  func isSame(as other: DocumentDirectory) -> Bool {
    guard path == other.path, type(of: fileSystem) == type(of: other.fileSystem) else {
      return false
    }
    // Two disks in memory are different although they have the same type.
    return !(type(of: fileSystem) is AnyClass)
      || fileSystem as AnyObject === other.fileSystem as AnyObject
  }

  /// The name of the lock's file for one kind of documents; it exists once one was written.
  static func lockName(of pathExtension: String) -> String { ".\(pathExtension).lock" }

  /// The path of a document's file.
  func file(_ name: String) -> FilePath {
    // To append a component to a path takes as long as to open its file.
    var name = name
    return name.withUTF8 { name in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: prefix.count + name.count + 1) {
        path in
        for (index, byte) in prefix.enumerated() { path[index] = byte }
        for (index, byte) in name.enumerated() {
          path[prefix.count + index] = CChar(bitPattern: byte)
        }
        path[prefix.count + name.count] = 0
        return FilePath(platformString: path.baseAddress!)
      }
    }
  }

  /// The name of a document's file.
  func name(of id: some DocumentID) -> String {
    FileName(escaping: id.documentName).string + "." + pathExtension
  }

  /// Whether a name, which has the documents' extension, is that of a document's file.
  func isName(_ name: String, of id: some DocumentID) -> Bool {
    var (name, stem) = (name, FileName(escaping: id.documentName).string)
    return name.withUTF8 { name in
      stem.withUTF8 { stem in
        name.count == stem.count + 1 + pathExtension.utf8.count
          && UnsafeBufferPointer(rebasing: name[..<stem.count]).elementsEqual(stem)
      }
    }
  }

  /// The name of a document's file without the extension.
  func stem(of name: String) -> String {
    var name = name
    return name.withUTF8 {
      String(decoding: $0.dropLast(pathExtension.utf8.count + 1), as: UTF8.self)
    }
  }

  /// The identity that a file's name represents, or `nil` if it represents none.
  func id<ID: DocumentID>(of name: String, as type: ID.Type) -> ID? {
    guard let documentName = FileName.unescaping(stem(of: name)) else { return nil }
    return ID(documentName: documentName)
  }

  /// The moment before a duration, in nanoseconds since 1970 (UTC).
  static func moment(ago age: Duration) -> Int64 {
    now - Int64(min(max(0, age / .nanoseconds(1)), 9e18))
  }

  /// Nanoseconds since 1970 (UTC).
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }
}
