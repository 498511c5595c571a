#if Console
import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeSync
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The documents in a directory, of all kinds that the app keeps there, and quarantined files.
///
/// A kind is known by the lock that its store left beside the documents.
final class ConsoleDocuments: Sendable {
  private let directory: FilePath
  private let files = LocalFileSystem()
  private let state = Mutex(State())

  private struct State {
    var rows: [ConsoleRow] = []
    var watches: [FilePath: any FileWatch] = [:]
    /// Of the kinds that are shared with other machines.
    var agreements: [String: DocumentAgreement] = [:]
    /// Whether something changed since the rows were made.
    var isOld = true
  }

  init(directory: FilePath) {
    self.directory = directory
  }

  /// A row for each document and each quarantined file; the directory is looked at again only
  /// after something in it changed.
  func rows() -> [ConsoleRow] {
    watchAll()
    let isOld = state.withLock { state in
      defer { state.isOld = false }
      return state.isOld
    }
    if isOld {
      let rows = kinds().flatMap { kind in
        let agreement = agreement(of: kind)
        let waiting = try? agreement?.toBeSent()
        return shared(kind, agreement, waiting) + documents(kind, waiting) + quarantined(kind)
      }
      state.withLock { $0.rows = rows }
    }
    return state.withLock { $0.rows }
  }

  /// The text of a document, or `nil` where it cannot be read.
  func text(of id: String) -> String? {
    guard let (kind, name) = parts(of: id, "document"), kinds().contains(kind),
      let bytes = try? files.readFile(at: directory.appending("\(name).\(kind)"))
    else { return nil }
    return String(decoding: bytes.prefix(Self.longestText), as: UTF8.self)
  }

  /// Recovers a quarantined document.
  ///
  /// - Returns: Whether the identity is that of such a file.
  func recover(_ id: String) throws(DocumentError) -> Bool {
    guard let (kind, name) = parts(of: id, "quarantine"), kinds().contains(kind) else {
      return false
    }
    let store = try store(of: kind)
    guard let file = try store.quarantined().first(where: { $0.file.lastComponent?.string == name })
    else { return false }
    try store.recover(file)
    state.withLock { $0.isOld = true }
    return true
  }

  // MARK: Kinds

  private static let longestText = 1 << 20

  /// The extensions of all stores that keep documents here.
  private func kinds() -> [String] { PlainDocument.kinds(in: directory) }

  private func store(of kind: String) throws(DocumentError) -> DocumentStore<PlainDocument> {
    try DocumentStore(directory: directory, pathExtension: kind)
  }

  private func parts(of id: String, _ what: String) -> (kind: String, name: String)? {
    let parts = id.split(separator: "/", maxSplits: 2).map(String.init)
    // A name that is to lead elsewhere names nothing here.
    guard parts.count == 3, parts[0] == what, !parts[2].contains("/"), !parts[2].hasPrefix(".")
    else { return nil }
    return (parts[1], parts[2])
  }

  // MARK: Rows

  /// Nil if the documents are not shared, or it cannot be known.
  private func agreement(of kind: String) -> DocumentAgreement? {
    if let known = state.withLock({ $0.agreements[kind] }) { return known }
    guard let documents = try? store(of: kind).sharedDocuments(onConflict: { _ in .keepBoth }),
      let agreement = try? DocumentAgreement(of: documents)
    else { return nil }
    state.withLock { $0.agreements[kind] = agreement }
    return agreement
  }

  /// How far the documents that several machines share agree.
  private func shared(
    _ kind: String, _ agreement: DocumentAgreement?, _ waiting: Set<String>?
  ) -> [ConsoleRow] {
    guard let agreement, let waiting else { return [] }
    let state = ConsoleRow(
      sharing: agreement.log, count: waiting.count, id: "documents \(kind) shared",
      section: "Documents", group: kind)
    func stem(_ name: String) -> String {
      SettingText.visible(String(name.dropLast(kind.count + 1)))
    }
    let copies = ((try? agreement.copies()) ?? [:]).sorted { $0.key < $1.key }
    return [state]
      + copies.map { copy, name in
        ConsoleRow(
          id: "conflict/\(kind)/\(copy)", section: "Conflicts", group: kind, name: stem(name),
          text: "was changed here and on another machine; what was changed here is '\(stem(copy))'")
      }
  }

  private func documents(_ kind: String, _ waiting: Set<String>?) -> [ConsoleRow] {
    let suffix = "." + kind
    let names = ((try? files.contents(ofDirectory: directory)) ?? [])
      .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    return names.compactMap { name in
      guard let found = try? files.information(at: directory.appending(name)), found.kind == .file
      else {
        return nil
      }
      let stem = String(name.dropLast(suffix.count))
      let date = Date(timeIntervalSince1970: Double(found.modified) / 1e9)
      return ConsoleRow(
        id: "document/\(kind)/\(stem)", section: "Documents", group: kind,
        name: SettingText.visible(stem),
        text: "\(found.size) bytes, saved \(SettingText.line(of: .date(date)))",
        isToBeSent: waiting?.contains(name) ?? false, hasDetail: true)
    }
  }

  private func quarantined(_ kind: String) -> [ConsoleRow] {
    let store = try? store(of: kind)
    return ((try? store?.quarantined()) ?? []).map { file in
      let name = file.file.lastComponent?.string ?? file.name
      return ConsoleRow(
        id: "quarantine/\(kind)/\(name)", section: "Quarantine", name: SettingText.visible(name),
        text: SettingText.visible(file.reason), isRecoverable: true)
    }
  }

  // MARK: Watching

  private func watchAll() {
    for directory in [directory] + ["Quarantine", "Sharing"].map(directory.appending) {
      if state.withLock({ $0.watches[directory] != nil }) { continue }
      let watch = try? files.watch(directory: directory) { [weak self] _ in
        self?.state.withLock { $0.isOld = true }
      }
      guard let watch else { continue }
      state.withLock { state in
        state.watches[directory] = watch
        state.isOld = true
      }
    }
  }
}
#endif
