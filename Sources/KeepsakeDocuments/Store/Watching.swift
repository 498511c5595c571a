import KeepsakeFiles

/// What a store knows of its folder in order to tell what changes.
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
  /// The folder that had the path when the watch began.
  var folder: FileIdentity?
  /// Whether the path has no folder now, which was reported.
  var isFolderGone = false
  var stamps: [String: Stamp] = [:]
  var boxes: [Weak] = []
  /// Whether a look at the folder is to come.
  var isLookDue = false
  /// How long the last look at the whole folder took, in nanoseconds.
  var cost: UInt64 = 0
}
