public import KeepsakeCoding
public import SystemPackage

/// Two versions of a document that were made of one, without knowledge of each other.
public struct DocumentConflict: Sendable {
  /// What is to become of the two versions.
  public enum Resolution: Hashable, Sendable {
    /// Both changes are made, ours where they exclude each other.
    case merge
    /// Ours becomes a document of its own, with another identity.
    case keepBoth
    /// Ours is given up.
    case takeTheirs
    /// Theirs is replaced, and becomes a past version; what it has beyond what the type knows stays.
    ///
    /// If this version of the app cannot decode theirs, it cannot be known what of it would go with ours:
    /// all of it is replaced, the `schemaVersion` of a newer version, too.
    case takeMine
  }

  /// The document's file.
  public let file: FilePath
  /// What both started from; `nil` where that is not known, or where there was no document.
  public let base: JSON.Value?
  /// What was to be saved.
  public let ours: JSON.Value
  /// What is in the file; `nil` where it was removed.
  public let theirs: JSON.Value?
  /// Both changes together; ours where they exclude each other.
  public let merged: JSON.Value
  /// The places where they exclude each other.
  public let places: [MergeConflict]
  /// What is in the file, byte for byte.
  let found: [UInt8]?
  /// What both started from, byte for byte.
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
      places = []
      return
    }
    let result = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
    merged = result.value
    places = result.conflicts
  }
}
