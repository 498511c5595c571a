public import KeepsakeCoding

/// The version of the form in which documents are written, and how older ones become it.
///
/// ```swift
/// DocumentSchema(version: 2, migrations: [
///   1: { card in card["backgroundColor"] = [1, 1, 0, 1] }
/// ])
/// ```
///
/// The version stands in each file under the key `schemaVersion`; a file without it has version 1.
/// A file of a newer version is read as far as it can be, and keeps its version and what is unknown
/// of it when it is saved.
public struct DocumentSchema: Sendable {
  /// Makes of a document in one version the same document in the next.
  public typealias Migration = @Sendable (inout JSON.Object) throws -> Void

  /// The version that is written.
  public let version: Int
  let migrations: [Int: Migration]

  /// Describes a version.
  ///
  /// - Parameters:
  ///   - version: The version that is written, at least 1.
  ///   - migrations: By version, what makes a document of it one of the next; where there is none,
  ///     nothing needs to be changed.
  public init(version: Int, migrations: [Int: Migration] = [:]) {
    precondition(version >= 1, "the first version is 1")
    self.version = version
    self.migrations = migrations
  }
}
