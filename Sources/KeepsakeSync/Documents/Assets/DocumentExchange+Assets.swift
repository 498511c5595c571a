import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

extension DocumentExchange {
  /// What sends an asset.
  ///
  /// - Complexity: O(*n*) in its bytes.
  func sending(of asset: String) throws -> AssetSending {
    AssetSending(
      asset, content: isSent(asset) ? try wholeContent(of: asset) : nil, limits: limits,
      chunkLength: chunkLength)
  }

  /// The content of an asset; nil if there is none, or another program may still be writing it: what is sent once is never
  /// replaced.
  private func wholeContent(of asset: String) throws -> [UInt8]? {
    let stamp = try documents.stamp(of: asset)
    guard try hasWhole(asset), let content = try documents.asset(asset),
      try documents.stamp(of: asset) == stamp
    else { return nil }
    return content
  }

  /// Whether an asset is here, and nobody is writing it.
  func hasWhole(_ asset: String) throws -> Bool {
    try documents.hasAsset(asset) && !documents.isBeingWritten(asset: asset)
  }

  /// Whether another program may still be writing an asset that this app sends.
  func isBeingWritten(_ asset: String) throws -> Bool {
    try isSent(asset) && documents.isBeingWritten(asset: asset)
  }

  /// Whether an asset is of a type that this app sends: what has another one may be a document of another kind.
  private func isSent(_ asset: String) -> Bool {
    documents.assets(in: Array(asset.utf8), ofAnyType: false).contains(asset)
  }

  /// Notes that the documents of a commit are sent without some of their assets: a program that copies both may write
  /// these later.
  ///
  /// It is noted before the commit is performed, whose answer may be lost.
  /// - Returns: The same with what is noted once it was performed.
  func noteMissing(_ assets: Set<String>, for batch: Batch) throws -> Batch {
    if assets.isEmpty { return batch }
    var batch = batch
    var changes: [String: Set<String>] = [:]
    for (place, sending) in batch.documents.enumerated() {
      let missing = sending.assets.intersection(assets).filter(isSent)
      if missing.isEmpty { continue }
      batch.documents[place].missingAssets.formUnion(missing)
      changes[sending.name] = missing
    }
    if changes.isEmpty { return batch }
    try index.checkDirectory()
    try index.update { [changes] entries in
      Dictionary(
        uniqueKeysWithValues: changes.map { name, missing in
          var entry = entries[name]
          entry.missingAssets = missing.union(entry.missingAssets).sorted()
          return (name, entry)
        })
    }
    state.withLock { [changes] in $0.withoutAssets.formUnion(changes.keys) }
    return batch
  }

  /// Notes the documents that were sent without assets which are here now.
  ///
  /// - Returns: Whether there are any.
  /// - Complexity: O(*n*) in the number of documents that were sent without assets.
  func noteFoundAssets() throws -> Bool {
    try state.withLock { state in
      state.withoutAssets = state.withoutAssets.filter { !index[$0].missingAssets.isEmpty }
      let found = try state.withoutAssets.filter {
        try index[$0].missingAssets.contains(where: hasWhole)
      }
      note(Array(found))
      return !found.isEmpty
    }
  }

  /// Those of some assets that a text names.
  func assets(_ assets: [String], namedIn text: [UInt8]?) -> [String] {
    guard let text, !assets.isEmpty else { return [] }
    let named = documents.assets(in: text, ofAnyType: true)
    return assets.filter(named.contains)
  }

  /// The assets that a text names, of this app's types.
  func assets(in text: [UInt8]) -> [String] {
    documents.assets(in: text, ofAnyType: true).filter(isSent)
  }

  /// Those of them that an engine does not have.
  func assets(in text: [UInt8], missingIn snapshot: SyncSnapshot) -> [String] {
    assets(in: text).filter {
      AssetManifest(snapshot.items[AssetManifest.key(of: $0)])?.isWhole != true
    }
  }

  /// What fetches an asset.
  func fetching(of asset: String) -> AssetFetching {
    AssetFetching(asset, for: documents, bases.partial(of: asset))
  }

  /// Removes what has come of assets that did not come as a whole since a time, in nanoseconds since 1970.
  func removePartialAssets(unchangedSince time: Int64) throws {
    try bases.removePartials(unchangedSince: time, isDocument: documents.isName)
  }

  /// The assets that documents may name which an engine has, and that it has.
  ///
  /// - Complexity: O(*n*) in the bytes of all documents.
  func assets(in snapshot: SyncSnapshot) -> Set<String> {
    assets(in: snapshot.items.values.map(\.value)).filter {
      snapshot.items[AssetManifest.key(of: $0)] != nil
    }
  }

  /// The assets that the documents of a commit may name; and those that others have sent with it and that documents here
  /// lack.
  func assets(in change: SyncChange) -> Set<String> {
    let named = assets(in: change.writes.values.compactMap(\.self))
    let sent = Set(change.wholeAssets)
    if sent.isEmpty { return named }
    let lacked = state.withLock { $0.withoutAssets }.flatMap { index[$0].missingAssets }
    return named.union(sent.intersection(lacked))
  }

  private func assets(in texts: [[UInt8]]) -> Set<String> {
    texts.reduce(into: []) { $0.formUnion(documents.assets(in: $1, ofAnyType: true)) }
  }

  /// Those of some assets that are not here.
  func missing(_ assets: Set<String>) throws -> [String] {
    try assets.filter { try !documents.hasAsset($0) }.sorted()
  }
}

extension SyncChange {
  /// The assets of which the last part came with it, or that are noted to be used.
  fileprivate var wholeAssets: [String] {
    writes.compactMap { key, value in
      guard let value, let name = AssetManifest.name(of: key),
        AssetManifest(SyncItem(value: value, revision: revision))?.isWhole == true
      else { return nil }
      return name
    }
  }
}
