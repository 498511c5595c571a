/// Where changes were made: one local store on one disk, by a random identity.
///
/// A store that was copied, or that came back from a backup, makes its further changes under another
/// origin, so that those of two stores are never taken for each other.
package struct SyncOrigin: Hashable, Sendable {
  package let id: String

  package init(id: String) {
    self.id = id
  }
}
