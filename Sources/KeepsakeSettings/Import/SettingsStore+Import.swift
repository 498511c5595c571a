import KeepsakeCoding
import Logging
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SettingsStore {
  /// Imports the settings of another store, unless that was done before.
  ///
  /// ```swift
  /// try store.importOnce(from: .userDefaults(named: "HIITFit"))
  /// ```
  ///
  /// The settings and a note that they were imported, under a key that begins with
  /// `KeepsakeSettingsImports.`, are stored in one transaction: all or nothing. Settings that already
  /// have a value in the store keep it. Keys that belong to the operating system (`Apple…`, `NS…`,
  /// `com.apple.…`) are skipped, unless they are renamed. The file is never changed, and may be in use:
  /// while it is incomplete and changes, it is read again for up to five seconds. What was imported is
  /// logged; settings that were skipped because they already have a value, or cannot be stored, are
  /// also reported as a problem.
  ///
  /// - Parameters:
  ///   - source: The file. If it does not exist, nothing is imported, and the next call looks for it
  ///     again.
  ///   - names: The new names of settings, by their names in the file; others keep theirs.
  ///   - acceptsDamage: Whether to import the intact settings of a damaged property list and to report
  ///     the damage, instead of throwing an error.
  /// - Returns: What was imported, what was not, and why.
  /// - Throws: ``SettingsError`` if the file cannot be read or is damaged, or if the settings cannot be
  ///   written. Nothing was imported then, and the next call tries again.
  /// - Complexity: O(*n*) in the size of the file; O(1) once it is imported.
  @discardableResult
  public func importOnce(
    from source: ImportSource, renaming names: [String: String] = [:],
    acceptsDamage: Bool = false
  ) throws(SettingsError) -> ImportResult {
    if isImported(source.name) {
      return ImportResult(outcome: .importedBefore, keys: [], skipped: [], file: source.path)
    }
    var file = ImportedFile(source, in: app.fileSystem, acceptsDamage: acceptsDamage)
    guard try file.read() else {
      Self.logger.debug("there is nothing to import: '\(source.path)' does not exist")
      return ImportResult(outcome: .notFound, keys: [], skipped: [], file: source.path)
    }
    let (settings, skipped) = file.settings(renaming: names)
    let result: ImportResult
    do {
      result = try importOnce(
        source.name, from: source.path, keysInFile: settings.mapValues(\.key), skipped: skipped
      ) { transaction in
        for (name, setting) in settings { transaction[own: name] = setting.value }
      }
    } catch {
      // Only the body's errors have other types.
      throw error as! SettingsError
    }
    if result.outcome == .imported, let damage = file.damage { report(damage) }
    return result
  }

  /// Imports settings with a closure, unless that was done before.
  ///
  /// ```swift
  /// try store.importOnce(named: "database") { settings in
  ///   settings[.rating] = try database.readRating()
  /// }
  /// ```
  ///
  /// The changes of the closure and a note that it ran are stored in one transaction. A setting that
  /// already has a value in the store keeps it, even if the closure sets it.
  ///
  /// - Parameters:
  ///   - name: The name under which the store remembers the import.
  ///   - body: Adds settings. It may run several times, as in ``transaction(_:)``; if it throws, nothing
  ///     is imported.
  /// - Returns: What was imported, what was not, and why.
  /// - Throws: Errors of the body; ``SettingsError`` if the settings cannot be written. Nothing was
  ///   imported then, and the next call tries again.
  @discardableResult
  public func importOnce(
    named name: String, _ body: (inout SettingsStore.Transaction) throws -> Void
  ) throws -> ImportResult {
    try importOnce(name, from: nil, keysInFile: [:], skipped: [], body)
  }

  private func isImported(_ name: String) -> Bool {
    app.value(of: Self.importName(name)).value != nil
  }

  /// - Parameters:
  ///   - keysInFile: The names in the file of settings that are renamed.
  ///   - skipped: The settings of the file that the body does not add.
  private func importOnce(
    _ name: String, from file: FilePath?, keysInFile: [SettingsName: String],
    skipped: [ImportResult.Skipped], _ body: (inout SettingsStore.Transaction) throws -> Void
  ) throws -> ImportResult {
    let result = try transaction { settings in
      if settings[own: Self.importName(name)] != nil {
        return ImportResult(outcome: .importedBefore, keys: [], skipped: [], file: file)
      }
      try body(&settings)
      let (added, kept) = settings.dropChangesOfExisting()
      let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
      settings[own: Self.importName(name)] = .date(now)
      let all =
        skipped
        + kept.map { .init(key: keysInFile[$0] ?? $0.string, reason: .alreadySet) }
      return ImportResult(
        outcome: .imported, keys: added.map(\.string).sorted(by: PropertyList.precedes),
        skipped: all.sorted { PropertyList.precedes($0.key, $1.key) }, file: file)
    }
    if result.outcome == .imported { log(result, of: name) }
    return result
  }

  private func log(_ result: ImportResult, of name: String) {
    func list(_ items: [String]) -> String {
      let rest = items.count > 20 ? " and \(items.count - 20) more" : ""
      return (items.isEmpty ? "none" : items.prefix(20).joined(separator: ", ")) + rest
    }
    func list(_ skipped: [ImportResult.Skipped]) -> String {
      list(skipped.map { "'\($0.key)' (\($0.reason.rawValue))" })
    }
    Self.logger.info(
      """
      imported '\(name)': \(list(result.keys.map { "'\($0)'" })); \
      skipped: \(list(result.skipped))
      """)
    let values = result.skipped.filter { $0.reason != .notOfApp }
    if values.isEmpty { return }
    report(
      SettingsError(
        .notImported,
        "settings were not imported: \(list(values))",
        effect: "the store's values and the imported file are unchanged", file: result.file))
  }
}
