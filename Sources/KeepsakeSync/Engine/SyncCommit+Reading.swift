extension SyncCommit {
  /// A revision that no key has.
  static let never = UInt64(Int64.max)

  /// A commit that cannot be made: its refusal says what some keys have at one moment.
  init(reading keys: some Sequence<SyncKey>) {
    self.init(conditions: [:], writes: [:])
    for key in keys { conditions[key] = Self.never }
  }
}
