import KeepsakeBase
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DocumentDirectory {
  /// Moves a file that is not JSON to the quarantine, with the reason in a file beside it.
  ///
  /// - Parameters:
  ///   - content: Its content when it was read.
  ///   - reason: Why it is not a document.
  /// - Returns: Its new path, or `nil` if its content is no longer the same, and it was left.
  func moveToQuarantine(
    _ name: String, _ content: [UInt8], because reason: DocumentError
  ) throws(DocumentError) -> FilePath? {
    try withLock { () throws(DocumentError) -> FilePath? in
      guard try self.content(of: name) == content else { return nil }
      do throws(FileError) {
        // If the directory's own name were lost, so would everything in it.
        try requireNoLink(at: quarantine)
        try fileSystem.createDirectories(quarantine)
        let aside = try freePath(in: quarantine, for: name)
        let why = FilePath(aside.string + ".txt")
        let line = "\(Date.ISO8601FormatStyle().format(Date())): \(reason)\n"
        if try fileSystem.information(at: why) != nil { try fileSystem.remove(why) }
        let file = try fileSystem.open(why, .createNew(permissions: .ownerReadWrite))
        try file.writeAll(Array(line.utf8))
        try fileSystem.rename(self.file(name), to: aside)
        try fileSystem.synchronizeDirectory(quarantine)
        known.withLock { $0.set(nil, for: name) }
        return aside
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// The name that a file in the quarantine had before, or `nil` for a name of another form.
  static func originalName(ofQuarantined name: String) -> String? {
    guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil else {
      return nil
    }
    return String(name[..<dash])
  }

  /// Whether the quarantine has a file that had this name.
  func isQuarantined(_ name: String) -> Bool { (try? lastQuarantine(of: name)) ?? nil != nil }

  /// When a file of this name was moved to the quarantine last, in nanoseconds since 1970 (UTC); `nil` if there is none.
  func lastQuarantine(of name: String) throws(FileError) -> Int64? {
    var last: Int64?
    for aside in try contentsIfThere(of: quarantine)
    where Self.originalName(ofQuarantined: aside) == name {
      // The file has kept its own time; the reason beside it was written then.
      for path in [aside, aside + ".txt"] {
        if let found = try fileSystem.information(at: quarantine.appending(path)) {
          last = max(last ?? .min, found.modified)
        }
      }
    }
    return last
  }

  /// A path `<name>-<number>` that does not exist.
  func freePath(in directory: FilePath, for name: String) throws(FileError) -> FilePath {
    var number = 1
    while true {
      let path = directory.appending("\(name)-\(number)")
      if try fileSystem.information(at: path) == nil { return path }
      number += 1
    }
  }
}
