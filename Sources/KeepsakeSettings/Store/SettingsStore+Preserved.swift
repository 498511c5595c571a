import KeepsakeCoding
import KeepsakeFiles

/// Values that were replaced and may be wanted again.
extension SettingsStore {
  /// The values that a key of another type, an older version of its type, or other machines have replaced; the
  /// oldest first.
  ///
  /// The same value of a key is preserved once. A file that cannot be read is kept and reported.
  ///
  /// - Throws: ``SettingsError`` if the directory cannot be read.
  /// - Complexity: O(*n*) in the number of preserved values.
  public func preservedValues() throws(SettingsError) -> [PreservedValue] {
    do throws(FileError) {
      let (values, damaged) = try app.preservedValues()
      for (file, error) in damaged {
        report(
          SettingsError(
            .damaged, "a preserved value cannot be read", effect: "the file was kept", file: file,
            cause: error))
      }
      return values
    } catch {
      throw SettingsError(
        .unavailable, "the preserved values cannot be listed", file: app.path, cause: error)
    }
  }

  /// Makes a preserved value the setting's value again. The present value is preserved in its place.
  ///
  /// - Throws: ``SettingsError`` if the change cannot be written or flushed, or, with the code
  ///   ``SettingsError/Code/conflict``, if other processes changed the setting during each of 100
  ///   attempts; the value then stays preserved.
  public func restore(_ preserved: PreservedValue) throws(SettingsError) {
    let name = SettingsName(preserved.key)
    var attempts = 0
    var isRestored = false
    while !isRestored {
      if attempts == 100 {
        throw SettingsError(
          .conflict, "other processes changed the setting in each of 100 attempts",
          effect: "the value stays preserved", key: preserved.key, file: preserved.file)
      }
      attempts += 1
      let current = app.value(of: name).value
      if let current, !current.isIdentical(to: preserved.value) {
        try app.preserve(current, of: name, because: "another preserved value is restored")
      }
      var unseen: PropertyList.Value?
      isRestored = try layers.store(
        preserved.value, for: name, as: nil, examined: current, isConditional: true,
        unseen: &unseen)
    }
    try app.synchronizeNow(upTo: app.currentPosition())
    do throws(FileError) {
      try app.removePreserved(preserved)
    } catch {
      throw SettingsError(
        .notWritten, "a preserved value's file cannot be removed",
        effect: "the value was restored, and stays preserved, too", key: preserved.key,
        file: preserved.file, cause: error)
    }
  }
}
