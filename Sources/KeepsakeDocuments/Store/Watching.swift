import KeepsakeFiles

/// What a store knows of its directory in order to tell what changes.
struct Watching<ID: DocumentID>: Sendable {
  /// What tells one content of a file from another without reading it.
  struct Stamp: Hashable, Sendable {
    let identity: FileIdentity
    let size: Int64
    let modified: Int64
  }

  /// A reference that keeps nothing alive.
  struct Weak: Sendable {
    private(set) weak var value: DocumentChangeBox<ID>?

    init(_ value: DocumentChangeBox<ID>) {
      self.value = value
    }
  }

  var watch: (any FileWatch)?
  /// The directory that had the path when the watch began.
  var directory: FileIdentity?
  /// Whether the path has no directory now, which was reported.
  var isDirectoryGone = false
  var stamps: [String: Stamp] = [:]
  var boxes: [Weak] = []
  /// Whether a look at the directory is to come.
  var isLookDue = false
  /// How long the last look at the whole directory took, in nanoseconds.
  var cost: UInt64 = 0
}
