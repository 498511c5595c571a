import KeepsakeDocuments

/// Fetches an asset from an engine: asks for it chunk by chunk, and continues what was interrupted.
struct AssetFetching {
  private let name: String
  private let documents: any SharedDocuments
  private let partial: PartialAsset
  private var manifest: AssetManifest?
  private var asked: SyncKey?
  /// How often what the engine has was not what was sent.
  private var failures = 0
  private var isDone = false

  init(_ name: String, for documents: any SharedDocuments, _ partial: PartialAsset) {
    self.name = name
    self.documents = documents
    self.partial = partial
  }

  /// What to ask for next; nil if the asset is here, or the engine does not have it.
  ///
  /// Its refusal says what the engine has.
  mutating func nextCommit() throws -> SyncCommit? {
    // Another process of this machine may have fetched it meanwhile.
    if !isDone, try documents.hasAsset(name) { end() }
    if isDone { return nil }
    let number = try manifest.map { try partial.count / $0.chunkLength } ?? 0
    let chunk = AssetManifest.chunkKey(number, of: name)
    asked = chunk
    return SyncCommit(reading: [AssetManifest.key(of: name), chunk])
  }

  /// Takes what the engine has.
  mutating func take(_ result: SyncCommit.Result) throws {
    guard case .refused(let current) = result else { return }
    guard let found = AssetManifest(current[AssetManifest.key(of: name)]), found.isWhole else {
      // No document names it any more, or nobody had it.
      return end()
    }
    guard found.length <= documents.assetLimit else {
      documents.report(
        DocumentError(
          sharedName: name,
          "is an asset of \(found.length) bytes, and the store takes \(documents.assetLimit)"))
      return end()
    }
    if let manifest, !manifest.isSame(as: found) { partial.remove() }
    manifest = found
    let count = try partial.truncate(toMultipleOf: found.chunkLength, atMost: found.length)
    var content: [UInt8] = []
    if count < found.length {
      let key = AssetManifest.chunkKey(count / found.chunkLength, of: name)
      // How long chunks are was not known before the first answer.
      if key != asked { return }
      guard let chunk = current[key]?.value,
        chunk.count == min(found.chunkLength, found.length - count)
      else { return failed("lacks a part") }
      if chunk.count < found.length {
        try partial.append(chunk, at: count)
        if count + chunk.count < found.length { return }
      } else {
        content = chunk
      }
    }
    // Another process may still write the part, and not what is at the asset's place.
    if content.isEmpty { content = try partial.content }
    guard content.count == found.length, content.digest == found.digest else {
      // A power cut has torn it, or two processes have written it at once.
      partial.remove()
      return failed("has not the content that was sent")
    }
    guard documents.isContent(content, ofAsset: name) else {
      return failed("has not the content that its name says")
    }
    try documents.write(content, asAsset: name)
    end()
  }

  private mutating func failed(_ reason: String) {
    failures += 1
    if failures < 3 { return }
    documents.report(DocumentError(sharedName: name, "is an asset that \(reason)"))
    end()
  }

  private mutating func end() {
    partial.remove()
    isDone = true
  }
}
