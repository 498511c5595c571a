import KeepsakeDocuments

/// Finds the assets that no document in an engine names, to remove those that none has named for a day.
///
/// A member *begins* it by raising the record ``key``. A document that newly names assets is sent on the condition that
/// nobody has begun since its assets were seen in the engine. So each that was on its way then is either in the snapshot
/// that is read next, or refused; and of what is sent again, the manifest is another than in the snapshot.
struct AssetCollection {
  /// The record of when somebody began last, in seconds since 1970.
  static let key = SyncKey.value(Array("Assets".utf8))

  /// How often somebody begins, and how long an asset must have been unused, in seconds.
  let interval: Int
  /// The time, in seconds since 1970.
  let now: Int

  /// The commit that begins; nil if somebody has not long ago.
  func beginning(after last: SyncItem?) -> SyncCommit? {
    if let last, let time = Int(String(decoding: last.value, as: UTF8.self)),
      time >= 0, abs(now - time) < interval
    {
      return nil
    }
    return SyncCommit(
      conditions: [Self.key: last?.revision ?? 0], writes: [Self.key: Array(String(now).utf8)])
  }

  /// What to do about the assets in a snapshot that was read after the beginning.
  ///
  /// - Returns: Commits that note whether an asset is used; what is to be removed.
  /// - Complexity: O(*n*) in the bytes of all documents.
  func work(
    on snapshot: SyncSnapshot, for documents: any SharedDocuments, limits: SyncLimits
  ) throws -> (notes: [SyncCommit], removals: [AssetRemoval]) {
    var unused: [String: SyncItem] = [:]
    for (key, item) in snapshot.items {
      if let name = AssetManifest.name(of: key) { unused[name] = item }
    }
    var used: [String: SyncItem] = [:]
    for (key, item) in snapshot.items where AssetManifest.name(of: key) == nil {
      if unused.isEmpty { break }
      // Also of types that this version of the app does not know.
      for name in documents.assets(in: item.value, ofAnyType: true) {
        if let item = unused.removeValue(forKey: name) { used[name] = item }
      }
    }
    var (notes, removals): ([SyncCommit], [AssetRemoval]) = ([], [])
    func note(_ name: String, _ manifest: AssetManifest, _ item: SyncItem) throws {
      let key = AssetManifest.key(of: name)
      notes.append(
        SyncCommit(conditions: [key: item.revision], writes: [key: try manifest.bytes]))
    }
    for (name, item) in used {
      guard var manifest = AssetManifest(item), manifest.unusedSince != nil, !manifest.isRemoved
      else { continue }
      manifest.unusedSince = nil
      try note(name, manifest, item)
    }
    for (name, item) in unused {
      guard var manifest = AssetManifest(item) else { continue }
      if manifest.isRemoved || manifest.unusedSince.map({ now - $0 >= interval }) ?? false {
        removals.append(AssetRemoval(name, manifest, item.revision, limits: limits))
      } else if manifest.unusedSince.map({ $0 > now }) ?? true {
        manifest.unusedSince = now
        try note(name, manifest, item)
      }
    }
    return (notes, removals)
  }
}
