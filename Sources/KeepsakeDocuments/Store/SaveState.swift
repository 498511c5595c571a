/// How an open document compares to its file: which edits the file contains, what they were made from, and
/// what prevents saving them.
///
/// A value without any access to files, so that each transition can be tested by itself.
struct SaveState: Sendable {
  /// A property of a live document that observers see.
  enum Property: Sendable {
    case value
    case hasUnsavedChanges
    case conflict
    case isRemoved
  }

  /// Grows with each edit.
  private(set) var edits = 0
  /// The edits that are in the file.
  private(set) var savedEdits = 0
  /// What the file contained when the value was made from it; `nil` if there was none.
  private(set) var base: KnownContents.Content?
  private(set) var conflict: DocumentConflict?
  private(set) var isRemoved = false
  /// How often the file's content replaced the value.
  private var replacements = 0
  /// What a save was about to write whose outcome is not known: the file may contain it.
  private var attempt: [UInt8]?
  /// What the file contained when it could not be read.
  private var unreadable: ContentDigest?
  /// The edits that an autosave could not save.
  private var failedEdits: Int?
  /// When a past version was last kept of what an autosave replaced.
  private var lastVersion: ContinuousClock.Instant?
  /// The properties that changed, of which observers are not notified yet.
  private var changes: Set<Property> = []

  init(base: [UInt8]?) {
    self.base = base.map { KnownContents.Content($0) }
  }

  var isDirty: Bool { edits != savedEdits }
  /// Whether the outcome of the last save is not known.
  var isUncertain: Bool { attempt != nil }
  /// Whether an autosave could not save the document as it is now.
  var hasFailed: Bool { failedEdits == edits }
  /// Whether a past version is due of what an autosave replaces: one a minute, so that many autosaves
  /// do not displace all earlier versions.
  var isVersionDue: Bool { lastVersion.map { .now - $0 >= .seconds(60) } ?? true }

  /// The properties that changed since the last call.
  mutating func takeChanges() -> Set<Property> {
    defer { changes = [] }
    return changes
  }

  // MARK: Edits

  /// Notes an edit of a value that was read with another state.
  mutating func didEdit(from before: SaveState) {
    edits += 1
    // What the file brought meanwhile is not in the new value: saved over it, it would be lost.
    if replacements != before.replacements { base = before.base }
    changes.formUnion([.value, .hasUnsavedChanges])
  }

  /// Notes that the file's content replaces the value, which `nil` is if the file was removed.
  ///
  /// - Parameter content: What the file contains.
  mutating func didReplaceValue(by content: [UInt8]?) {
    base = content.map { KnownContents.Content($0) }
    replacements += 1
    savedEdits = edits
    conflict = nil
    isRemoved = content == nil
    failedEdits = nil
    changes.formUnion([.value, .hasUnsavedChanges, .conflict, .isRemoved])
  }

  // MARK: Saves

  /// Notes what a save is about to write.
  mutating func willSave(_ text: [UInt8]) { attempt = text }

  /// Notes that some edits are in the file.
  mutating func didSave(_ savedEdits: Int, as text: [UInt8], keepingVersion: Bool = true) {
    if keepingVersion { lastVersion = .now }
    self.savedEdits = savedEdits
    base = KnownContents.Content(text)
    attempt = nil
    conflict = nil
    isRemoved = false
    failedEdits = nil
    changes.formUnion([.hasUnsavedChanges, .conflict, .isRemoved])
  }

  /// Notes that an autosave could not save some edits.
  ///
  /// - Returns: Whether it is the first that failed since one succeeded.
  mutating func didFail(_ edits: Int) -> Bool {
    defer { failedEdits = edits }
    return failedEdits == nil
  }

  // MARK: The file

  /// Notes what the file contains after a save that failed: its text, if only the last flush did.
  mutating func didRead(_ content: [UInt8]?) {
    if let attempt, content == attempt { base = KnownContents.Content(attempt) }
    attempt = nil
  }

  /// Whether the file is as it was when the value was made from it.
  func isBase(_ content: [UInt8]?) -> Bool {
    base?.digest == content.map { ContentDigest(of: $0) } && isRemoved == (content == nil)
  }

  /// Notes that the file contains what cannot be read.
  ///
  /// - Returns: Whether it did not contain the same when that was noted last.
  mutating func didFailToRead(_ content: [UInt8]) -> Bool {
    let digest = ContentDigest(of: content)
    defer { unreadable = digest }
    return unreadable != digest
  }

  /// Notes that the file was moved to the quarantine: there is none that the next save could replace.
  mutating func didQuarantine() { base = nil }

  /// Notes that the unsaved edits could as well have been made from what the file contains now.
  mutating func didRebase(onto content: [UInt8]) { base = KnownContents.Content(content) }

  // MARK: Conflicts

  /// Notes that the file is not as the unsaved edits were made from it.
  mutating func didConflict(_ conflict: DocumentConflict) {
    self.conflict = conflict
    changes.insert(.conflict)
  }

  /// Notes that the file is as the unsaved edits were made from it.
  ///
  /// - Returns: Whether there was a conflict.
  mutating func didEndConflict() -> Bool {
    if conflict == nil { return false }
    conflict = nil
    changes.insert(.conflict)
    return true
  }
}
