/// How it ends that a document was changed here and elsewhere.
package enum Reconciliation: Sendable {
  /// What is here counts.
  case ours
  /// What others have counts.
  case theirs
  /// Both are in one text.
  case merged([UInt8])
  /// Both are kept, in two documents.
  case both(DocumentConflict)
  /// What is here is not a document.
  case unreadable(DocumentError)
}
