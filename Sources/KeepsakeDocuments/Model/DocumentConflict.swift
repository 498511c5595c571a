public import KeepsakeCoding
public import SystemPackage

/// Two versions of a document that were made from one base independently.
public struct DocumentConflict: Sendable {
  /// How a conflict is ended.
  public enum Resolution: Hashable, Sendable {
    /// Both changes are made, ours if they exclude each other.
    case merge
    /// Ours is kept as another document, with another identity.
    case keepBoth
    /// Ours is discarded.
    case takeTheirs
    /// Theirs is replaced, and becomes a past version; what it has beyond what the type knows stays.
    ///
    /// If this version of the app cannot decode theirs, it cannot be known what of it would go with ours:
    /// all of it is replaced, the `schemaVersion` of a newer version, too.
    case takeMine
  }

  /// The document's file.
  public let file: FilePath
  /// The base of both; `nil` if it is not known, or if there was no document.
  public let base: JSON.Value?
  /// The version that was to be saved.
  public let ours: JSON.Value
  /// The version in the file; `nil` if it was removed.
  public let theirs: JSON.Value?
  /// Both changes merged; ours if they exclude each other.
  public let merged: JSON.Value
  /// The values at which they exclude each other.
  public let overlaps: [JSON.MergeConflict]
  /// The bytes of the file.
  let found: [UInt8]?
  /// The bytes of the base.
  let baseText: [UInt8]?

  init(
    file: FilePath, base: JSON.Value?, ours: JSON.Value, theirs: JSON.Value?, found: [UInt8]?,
    baseText: [UInt8]?
  ) {
    self.baseText = baseText
    self.file = file
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.found = found
    guard let theirs else {
      merged = ours
      overlaps = []
      return
    }
    let result = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
    merged = result.value
    overlaps = result.conflicts
  }
}
