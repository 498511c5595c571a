/// Removes an asset from an engine: first its manifest says so, then its chunks are removed, then the manifest.
///
/// Each commit is on the condition that the manifest is as it was seen last; any member that finds one being removed may go on.
struct AssetRemoval {
  private let name: String
  private let limits: SyncLimits
  private var manifest: AssetManifest
  private var revision: UInt64
  private var isDone = false

  init(_ name: String, _ manifest: AssetManifest, _ revision: UInt64, limits: SyncLimits) {
    self.name = name
    self.limits = limits
    self.manifest = manifest
    self.revision = revision
  }

  /// The next commit; nil if it is removed, or was changed by another.
  func nextCommit() throws -> SyncCommit? {
    if isDone { return nil }
    let key = AssetManifest.key(of: name)
    var commit = SyncCommit(conditions: [key: revision], writes: [:])
    let next = next
    if manifest.isRemoved {
      for number in next.chunkCount..<manifest.chunkCount {
        commit.writes.updateValue(nil, forKey: AssetManifest.chunkKey(number, of: name))
      }
    }
    let isLast = manifest.isRemoved && next.chunkCount == 0
    commit.writes.updateValue(isLast ? nil : try next.bytes, forKey: key)
    return commit
  }

  mutating func take(_ result: SyncCommit.Result) {
    guard case .committed(let revision) = result else {
      isDone = true
      return
    }
    isDone = manifest.isRemoved && next.chunkCount == 0
    (manifest, self.revision) = (next, revision)
  }

  /// What the manifest is after the next commit.
  private var next: AssetManifest {
    var next = manifest
    if manifest.isRemoved {
      next.chunkCount = max(0, manifest.chunkCount - max(1, limits.writes - 1))
    } else {
      next.isRemoved = true
    }
    return next
  }
}
