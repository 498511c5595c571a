/// What something is kept under in an engine's namespace; keys are equal if their bytes are.
package enum SyncKey: Hashable, Sendable {
  /// A value of the app, by the UTF-8 bytes of its name.
  case value([UInt8])
  /// How much of the changes made under an origin the namespace contains.
  case origin(SyncOrigin)
}
