import KeepsakeFiles

/// What a store knows of its directory in order to report changes.
struct Watching<ID: DocumentID>: Sendable {
  /// The attributes by which two contents of a file differ, so that it need not be read.
  struct Stamp: Hashable, Sendable {
    let identity: FileIdentity
    let size: Int64
    let modified: Int64
  }

  /// A weak reference.
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
  /// The documents' files when they were last examined; only those of open documents unless
  /// `hasAllStamps`.
  var stamps: [String: Stamp] = [:]
  /// Whether all files have a stamp, as a loop over the changes needs.
  var hasAllStamps = false
  var boxes: [Weak] = []
  /// The files to examine next.
  var pending: Set<String> = []
  /// Whether their examination is scheduled.
  var isExaminationDue = false
  /// Whether a scan of the whole directory is scheduled.
  var isScanDue = false
  /// How long the last scan took, in nanoseconds.
  var cost: UInt64 = 0
  /// Whether the directory could not be examined the last time, which was reported.
  var hasFailed = false
}
