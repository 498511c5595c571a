import KeepsakeFiles

/// What a store knows of its directory in order to report changes.
struct Watching<ID: DocumentID>: Sendable {
  /// A weak reference.
  struct Weak: Sendable {
    private(set) weak var value: DocumentChangeBox<ID>?

    init(_ value: DocumentChangeBox<ID>) {
      self.value = value
    }
  }

  var watch: (any FileWatch)?
  /// The directory that had the path when the watch began.
  var directory: FileInformation.Identity?
  /// Whether the path has no directory now, which was reported.
  var isDirectoryGone = false
  /// The documents' files when they were last examined; only those of open documents unless
  /// `hasAllStamps`.
  var stamps: [String: FileStamp] = [:]
  /// Whether all files have a stamp, as a loop over the changes needs.
  var hasAllStamps = false
  var boxes: [Weak] = []
  /// The files to examine next.
  var pending: Set<String> = []
  /// Whether their examination is scheduled.
  var isExaminationDue = false
  /// How many examinations there were.
  var examinations = 0
  /// Whether a check that the directory still has its path is scheduled.
  var isCheckDue = false
  /// Whether a scan of the whole directory is scheduled.
  var isScanDue = false
  /// How long the last scan took, in nanoseconds.
  var cost: UInt64 = 0
  /// Whether the directory could not be examined the last time, which was reported.
  var hasFailed = false
}
