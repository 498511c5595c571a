import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The documents of a store, which another store of its own writes: what comes from other machines is to the app's
/// store what another process wrote.
final class SharedDocumentStore<Document: Codable & Identifiable & Sendable>: SharedDocuments
where Document.ID: DocumentID {
  private let store: DocumentStore<Document>
  /// The directory as the app's store has it.
  private let directoryOfApp: DocumentDirectory
  private let onConflict: @Sendable (DocumentConflict) -> DocumentConflict.Resolution

  init(
    of store: DocumentStore<Document>,
    onConflict: @escaping @Sendable (DocumentConflict) -> DocumentConflict.Resolution
  ) throws(DocumentError) {
    self.store = try DocumentStore(sameAs: store)
    directoryOfApp = store.directory
    self.onConflict = onConflict
  }

  private var directory: DocumentDirectory { store.directory }

  var fileSystem: any FileSystem { directory.fileSystem }
  var sharingDirectory: FilePath { directory.path.appending("Sharing") }
  var pathExtension: String { directory.pathExtension }

  func isName(_ name: String) -> Bool {
    name.utf8.count <= DocumentDirectory.nameLimit
      && name.utf8.suffix(pathExtension.utf8.count + 1)
        .elementsEqual(".\(pathExtension)".utf8)
      && directory.id(of: name, as: Document.ID.self).map { directory.name(of: $0) == name } == true
  }

  func stamps() throws(DocumentError) -> [String: FileStamp] {
    try store.stamps(of: directory.names())
  }

  func stamp(of name: String) throws(DocumentError) -> FileStamp? {
    try store.stamps(of: CollectionOfOne(name))[name]
  }

  func content(of name: String) throws(DocumentError) -> [UInt8]? {
    try directory.content(of: name)
  }

  func pastVersion(of name: String, digest: String) -> [UInt8]? {
    directory.pastContent(of: name, digest: digest)
  }

  func isLost(_ name: String, wholeAt time: Int64?) throws(DocumentError) -> Bool {
    do throws(FileError) {
      guard let quarantined = try directory.lastQuarantine(of: name) else { return false }
      // A time to come is of a clock that was set back since, and says nothing.
      if let time, quarantined < time, time <= DocumentDirectory.now { return false }
      // The trash may have it from an earlier removal that others have taken back. A quarantine to come is of such a
      // clock, too: what was removed since the document was whole is removed.
      let last = quarantined > DocumentDirectory.now ? time ?? quarantined : quarantined
      return try !directory.removed().contains { $0.document == name && $0.modified > last }
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  func write(
    _ files: [SharedDocument], if condition: () -> Bool
  ) throws(DocumentError) -> [FileStamp]? {
    try write(
      files.map { DocumentWriting(name: $0.name, text: $0.text, found: $0.found) }, if: condition)
  }

  private func write(
    _ files: [DocumentWriting], if condition: () -> Bool
  ) throws(DocumentError) -> [FileStamp]? {
    let stamps = try directory.write(files, if: condition)
    if stamps != nil {
      store.changed(files.compactMap { directory.id(of: $0.name, as: Document.ID.self) })
    }
    return stamps
  }

  func remove(
    _ name: String, ifStill content: [UInt8], if condition: () -> Bool
  ) throws(DocumentError) -> Bool {
    guard try directory.moveToTrash(name, ifStill: content, if: condition) != nil else {
      return false
    }
    if let id = directory.id(of: name, as: Document.ID.self) { store.changed([id]) }
    return true
  }

  func withoutWriters(_ body: () -> Void) throws(DocumentError) { try directory.withLock(body) }

  func makeDurable(_ names: [String]) throws(DocumentError) {
    try directory.makeDurable(names)
  }

  func reconcile(
    _ name: String, base: [UInt8]?, ours: [UInt8], theirs: [UInt8]
  ) throws(DocumentError) -> Reconciliation {
    let file = directory.file(name)
    let (mine, other): (JSON.Value, JSON.Value)
    do throws(JSON.ParseError) { other = try JSON.Value(parsing: theirs) } catch {
      // It is not known what would be lost in its place.
      throw DocumentError(unreadable: theirs, at: file, cause: error)
    }
    do throws(JSON.ParseError) { mine = try JSON.Value(parsing: ours) } catch {
      return .unreadable(DocumentError(unreadable: ours, at: file, cause: error))
    }
    if mine.isSame(as: other) { return .theirs }
    var values = [mine, other]
    if let base, let ancestor = try? JSON.Value(parsing: base) { values.append(ancestor) }
    // A value may mean something else in another version.
    let comparable = store.coding.ofOneVersion(values)
    values = comparable ?? values
    let conflict = DocumentConflict(
      file: file, base: values.count > 2 ? values[2] : nil, ours: values[0], theirs: values[1],
      found: theirs, baseText: base)
    let merged =
      comparable == nil ? nil : try mergedText(of: conflict, ours: ours, theirs: theirs)
    if conflict.overlaps.isEmpty, let merged { return .merged(merged) }
    switch onConflict(conflict) {
    case .takeMine:
      // What theirs has beyond this version's type stays.
      guard let document = try decoded(mine, of: conflict),
        try decoded(other, of: conflict) != nil,
        let text = try? store.coding.text(of: document, over: theirs, isWhollyKnown: false).text
      else { return .ours }
      return .merged(text)
    case .takeTheirs: return .theirs
    case .merge: return merged.map { .merged($0) } ?? .both(conflict)
    case .keepBoth: return .both(conflict)
    }
  }

  func settle(
    _ name: String, _ ours: [UInt8], theirs: [UInt8], _ reconciliation: Reconciliation,
    if condition: () -> Bool
  ) throws(DocumentError) -> Settlement? {
    func replace(_ found: [UInt8]?, by text: [UInt8]) throws(DocumentError) -> Settlement? {
      try self.replace(name, found, by: text, if: condition) ? Settlement() : nil
    }
    switch reconciliation {
    case .ours: return Settlement()
    case .theirs: return try replace(ours, by: theirs)
    case .merged(let text): return try replace(ours, by: text)
    case .unreadable(let failure):
      if try store.waitIfBeingWritten(name) { return nil }
      var writing = DocumentWriting(name: name, text: theirs, found: ours)
      writing.damage = failure
      return try write([writing], if: condition) != nil ? Settlement() : nil
    case .both(let conflict):
      return try keepBoth(name, ours, theirs: theirs, conflict, if: condition)
    }
  }

  /// Keeps what was changed here under another identity, and puts what others have in its place.
  private func keepBoth(
    _ name: String, _ ours: [UInt8], theirs: [UInt8], _ conflict: DocumentConflict,
    if condition: () -> Bool
  ) throws(DocumentError) -> Settlement? {
    let copy: Document
    do throws(DocumentError) {
      let mine = conflict.ours
      copy = try store.keepCopy(of: store.decode(mine, of: conflict), mine)
    } catch {
      guard [.unreadable, .unencodable].contains(error.code) else { throw error }
      // What this version of the app cannot decode, or give another identity, is in the trash.
      guard let trash = try directory.moveToTrash(name, ifStill: ours, if: condition) else {
        return nil
      }
      var failure = error
      failure.kept = "it was moved to \(trash), and what other machines have is in its place"
      report(failure)
      return try replace(name, nil, by: theirs, if: condition) ? Settlement() : nil
    }
    let copyName = directory.name(of: copy.id)
    let text = try content(of: copyName)
    do throws(DocumentError) {
      if try replace(name, ours, by: theirs, if: condition) { return Settlement(copy: copyName) }
    } catch {
      // It is tried again, and would be kept again each time; unless it is only not sure that it is on disk.
      if let text, let found = try? content(of: name), found == ours {
        try? directory.discard(copyName, ifStill: text)
      }
      throw error
    }
    // Another process of this machine may have kept one, too.
    if let text { try directory.discard(copyName, ifStill: text) }
    return nil
  }

  /// Writes a document if it still is what was found, and a condition is met.
  ///
  /// - Returns: Whether it was written.
  private func replace(
    _ name: String, _ found: [UInt8]?, by text: [UInt8], if condition: () -> Bool
  ) throws(DocumentError) -> Bool {
    let document = SharedDocument(name: name, found: found, text: text)
    return try write([document], if: condition) != nil
  }

  /// The text of both changes together; `nil` if the document's type cannot be decoded from it.
  ///
  /// - Throws: ``DocumentError`` with `unavailable` if another encryption key may decode it.
  private func mergedText(
    of conflict: DocumentConflict, ours: [UInt8], theirs: [UInt8]
  ) throws(DocumentError) -> [UInt8]? {
    // Texts that differ only in their layout would be sent back and forth.
    if let other = conflict.theirs, conflict.merged.isSame(as: other) { return theirs }
    if conflict.merged.isSame(as: conflict.ours) { return ours }
    guard let document = try decoded(conflict.merged, of: conflict),
      directory.name(of: document.id) == conflict.file.lastComponent?.string
    else { return nil }
    return try? store.coding.text(of: conflict.merged)
  }

  /// A document; nil if this version of the app cannot decode it.
  ///
  /// - Throws: ``DocumentError`` with `unavailable` if another encryption key may decode it.
  private func decoded(
    _ value: JSON.Value, of conflict: DocumentConflict
  ) throws(DocumentError) -> Document? {
    do throws(DocumentError) { return try store.decode(value, of: conflict) } catch {
      if error.code == .unavailable { throw error }
      return nil
    }
  }

  func assets(in text: [UInt8], ofAnyType: Bool) -> Set<String> {
    let assets = AssetNames.all(
      inText: text, types: directory.assetTypes, orAnyType: ofAnyType)
    return Set(assets.filter { $0.pathExtension != pathExtension }.map(\.name))
  }

  var assetLimit: Int { directory.configuration.assetLimits.byteCount }

  func isContent(_ content: [UInt8], ofAsset name: String) -> Bool {
    let pathExtension = Asset(name: name)?.pathExtension
    return directory.assetTypes.allSatisfy {
      $0.pathExtension != pathExtension || $0.matches(content)
    }
  }

  func hasAsset(_ name: String) throws(DocumentError) -> Bool {
    try directory.information(at: directory.file(name)) != nil
  }

  func isBeingWritten(asset name: String) throws(DocumentError) -> Bool {
    // By another clock than that of files, so that it must be longer than the two seconds.
    if let asset = Asset(name: name), directoryOfApp.wasAdded(asset, within: .seconds(4)) {
      return false
    }
    guard let found = try directory.information(at: directory.file(name)) else { return false }
    return (0..<2_000_000_000).contains(DocumentDirectory.now - found.modified)
  }

  func asset(_ name: String) throws(DocumentError) -> [UInt8]? { try directory.content(of: name) }

  func write(_ content: [UInt8], asAsset name: String) throws(DocumentError) {
    do throws(FileError) {
      // A file of that name counts as whole, also after a power cut.
      try fileSystem.replaceFile(at: directory.file(name), with: content)
    } catch {
      throw DocumentError(notWritten: error)
    }
  }

  func followChanges(_ body: (String) async -> Void) async {
    for await change in store.changes { await body(directory.name(of: change.id)) }
  }

  func report(_ problem: DocumentError) { directory.report(problem) }
}

extension DocumentStore {
  /// The documents for what keeps them in agreement with other machines.
  ///
  /// - Parameter onConflict: Decides where changes exclude each other.
  package func sharedDocuments(
    onConflict: @escaping @Sendable (DocumentConflict) -> DocumentConflict.Resolution
  ) throws(DocumentError) -> any SharedDocuments {
    try SharedDocumentStore(of: self, onConflict: onConflict)
  }
}
