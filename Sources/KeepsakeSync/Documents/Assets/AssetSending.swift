import KeepsakeDocuments

/// Has an engine have an asset: the commits that it takes, one after the other.
///
/// Each is on the condition that the manifest is as it was seen last. So what was interrupted is continued where it
/// ended, several may send the same asset, and a commit that is late is refused.
struct AssetSending {
  private let name: String
  /// What is here; nil if nothing is.
  private let content: [UInt8]?
  private let limits: SyncLimits
  private let chunkLength: Int
  /// What the engine has, as far as is known.
  private var manifest: AssetManifest?
  private var revision: UInt64 = 0
  /// What the next commit makes of it.
  private var next: AssetManifest?
  private var removal: AssetRemoval?
  private var isKnown: Bool
  private var isDone = false
  /// Whether it is neither here nor, as a whole, in the engine.
  private(set) var isMissing = false

  init(_ name: String, content: [UInt8]?, limits: SyncLimits, chunkLength: Int) {
    self.name = name
    self.content = content
    self.limits = limits
    self.chunkLength = chunkLength
    // What is new there need not be read.
    isKnown = content != nil
  }

  /// The next commit; nil if the engine has the asset, or it is missing.
  mutating func nextCommit() throws -> SyncCommit? {
    if isDone { return nil }
    let key = AssetManifest.key(of: name)
    guard isKnown else { return SyncCommit(reading: [key]) }
    if let commit = try removal?.nextCommit() { return commit }
    if removal != nil { (removal, manifest, revision) = (nil, nil, 0) }
    guard var next = manifest ?? content.map({ AssetManifest(of: $0, chunkLength: chunkLength) })
    else {
      (isDone, isMissing) = (true, true)
      return nil
    }
    var commit = SyncCommit(conditions: [key: revision], writes: [:])
    if !next.isWhole {
      guard let content else {
        // The member that has it sends it.
        (isDone, isMissing) = (true, true)
        return nil
      }
      let start = next.chunkCount * next.chunkLength
      let chunk = content[start..<min(start + next.chunkLength, content.count)]
      commit.writes[AssetManifest.chunkKey(next.chunkCount, of: name)] = Array(chunk)
      next.chunkCount += 1
    }
    next.unusedSince = nil
    commit.writes[key] = try next.bytes
    self.next = next
    return commit
  }

  /// Takes the answer to the last commit.
  mutating func take(_ result: SyncCommit.Result) {
    if removal != nil {
      removal?.take(result)
      if case .committed = result { return }
    }
    switch result {
    case .committed(let revision):
      (manifest, self.revision) = (next, revision)
      isDone = manifest?.isWhole ?? true
    case .refused(let current):
      let item = current[AssetManifest.key(of: name)]
      (manifest, revision, isKnown) = (AssetManifest(item), item?.revision ?? 0, true)
      removal = nil
      guard let found = manifest else { return }
      if found.isRemoved || !found.isWhole && !isOurs(found) {
        removal = AssetRemoval(name, found, revision, limits: limits)
      }
    }
  }

  /// Whether what another has begun to send is what is here.
  private func isOurs(_ found: AssetManifest) -> Bool {
    content.map { AssetManifest(of: $0, chunkLength: found.chunkLength).isSame(as: found) } ?? true
  }
}
