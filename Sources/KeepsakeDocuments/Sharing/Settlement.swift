/// What ended that a document was changed here and elsewhere.
package struct Settlement: Sendable {
  /// The name of the copy that has what was changed here, if both changes were kept.
  package var copy: String?
}
