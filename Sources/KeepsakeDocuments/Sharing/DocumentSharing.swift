/// What keeps documents in agreement with those of other machines.
package protocol DocumentSharing: AnyObject, Sendable {
  /// Learns that the store has changed files.
  func changed(_ names: [String])

  /// Ends, since the store is released.
  func end()
}
