public import KeepsakeCoding

/// The version of the schema in which documents are written, and the migrations of older ones.
///
/// ```swift
/// DocumentSchema(version: 2, migrations: [
///   1: { card in card["backgroundColor"] = [1, 1, 0, 1] }
/// ])
/// ```
///
/// Each file contains its version under the key `schemaVersion`; a file without it has version 1. A file
/// of a newer version is read if the type can decode it, and keeps its version and its unknown keys when
/// it is saved.
public struct DocumentSchema: Sendable {
  /// Converts a document of one version to the next.
  public typealias Migration = @Sendable (inout JSON.Object) throws -> Void

  /// The version that is written.
  public let version: Int
  let migrations: [Int: Migration]

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - version: The version that is written, at least 1.
  ///   - migrations: By version, the conversion of a document to the next; a version without one needs
  ///     no change.
  public init(version: Int, migrations: [Int: Migration] = [:]) {
    precondition(version >= 1, "the first version is 1")
    self.version = version
    self.migrations = migrations
  }
}
