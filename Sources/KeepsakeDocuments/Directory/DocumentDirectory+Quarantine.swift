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
      return try quarantine(name, because: reason)
    }
  }

  /// Moves a file to the quarantine, while no other process writes documents.
  func quarantine(
    _ name: String, because reason: DocumentError
  ) throws(DocumentError) -> FilePath {
    do throws(FileError) {
      // If the directory's own name were lost, so would everything in it.
      try requireNoLink(at: quarantine)
      try fileSystem.createDirectories(quarantine)
      let aside = try freePath(in: quarantine, for: Self.quarantineName(of: name))
      let why = FilePath(aside.string + ".txt")
      var text = "\(Date.ISO8601FormatStyle().format(Date())): \(reason)\n"
      if Self.quarantineName(of: name) != name { text += name + "\n" }
      if try fileSystem.information(at: why) != nil { try fileSystem.remove(why) }
      let file = try fileSystem.open(why, .createNew(permissions: .ownerReadWrite))
      try file.writeAll(Array(text.utf8))
      try fileSystem.rename(self.file(name), to: aside)
      known.withLock { $0.set(nil, for: name) }
      try fileSystem.synchronizeDirectory(quarantine)
      return aside
    } catch {
      throw DocumentError(notWritten: error)
    }
  }

  /// The most bytes that file systems take in a name.
  static let nameLimit = 255

  /// A name that has room for a number and `.txt` after it: a long one is shortened before its path extension.
  private static func quarantineName(of name: String) -> String {
    let limit = nameLimit - "-1000000.txt".utf8.count
    guard name.utf8.count > limit, let dot = name.lastIndex(of: ".") else { return name }
    let pathExtension = String(name[dot...])
    return shortened(String(name[..<dot]), to: limit - pathExtension.utf8.count) + pathExtension
  }

  /// A text without the last characters, so that it has at most some bytes.
  static func shortened(_ text: String, to count: Int) -> String {
    var text = text
    while text.utf8.count > count, !text.isEmpty { text.removeLast() }
    return text
  }

  /// The name that a file in the quarantine had before, or `nil` for a name of another form.
  func originalName(ofQuarantined name: String) throws(FileError) -> String? {
    guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil else {
      return nil
    }
    let original = String(name[..<dash])
    // Where it was shortened, the file beside it has it.
    guard original.utf8.count > Self.nameLimit / 2,
      let reason = try fileSystem.readFile(at: quarantine.appending(name + ".txt"))
    else { return original }
    let lines = String(decoding: reason, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.dropFirst().map(String.init).first { Self.quarantineName(of: $0) == original }
      ?? original
  }

  /// Whether the quarantine has a file that had this name.
  func isQuarantined(_ name: String) -> Bool { (try? lastQuarantine(of: name)) ?? nil != nil }

  /// When a file of this name was moved to the quarantine last, in nanoseconds since 1970 (UTC); `nil` if there is none.
  func lastQuarantine(of name: String) throws(FileError) -> Int64? {
    var last: Int64?
    for aside in try contentsIfThere(of: quarantine) {
      guard try originalName(ofQuarantined: aside) == name else { continue }
      // The file has kept its own time; the reason beside it was written then.
      let reason = try fileSystem.information(at: quarantine.appending(aside + ".txt"))
      let found = try fileSystem.information(at: quarantine.appending(aside))
      if let time = (reason ?? found)?.modified { last = max(last ?? .min, time) }
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
