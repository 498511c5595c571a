#if Etcd
public import KeepsakeSync

/// A namespace in an etcd cluster.
///
/// Reads are linearizable. What a commit's answer acknowledges is on the disks of a majority of the members.
public final class EtcdEngine: SyncEngine {
  private let gateway: EtcdGateway
  private let namespace: EtcdNamespace

  /// Creates a client, which connects when it is asked for something.
  ///
  /// - Parameters:
  ///   - cluster: How the cluster is reached.
  ///   - namespace: Its name, which is not empty.
  /// - Throws: `rejected` if an endpoint is not an address, there is none, a certificate cannot be read, or is given
  ///   where an endpoint is without TLS, or the name is empty.
  public init(_ cluster: EtcdCluster, namespace: String) throws(SyncError) {
    guard !namespace.isEmpty else { throw .rejected("The namespace has no name.") }
    gateway = try EtcdGateway(cluster)
    self.namespace = EtcdNamespace(namespace)
  }

  /// How much one commit may contain.
  ///
  /// etcd takes 128 operations and 1.5 MiB in one request, if it is not told otherwise. Two operations are for an
  /// origin's record and for the head; names and what is around them take a part of the length.
  public var limits: SyncLimits { SyncLimits(writes: 126, length: 1_250_000) }

  /// Returns everything in the namespace.
  public func read() async throws(SyncError) -> SyncSnapshot {
    try await read(pageLength: 16 << 20)
  }

  /// - Parameter pageLength: How many bytes of an answer are read: where small values are before large ones, it would
  ///   have hundreds of megabytes.
  func read(pageLength: Int) async throws(SyncError) -> SyncSnapshot {
    var items: [SyncKey: SyncItem] = [:]
    var request = RangeRequest(key: namespace.first, range_end: namespace.end)
    var (limit, cluster, revision): (UInt64, String, UInt64) = (100, "", 0)
    while true {
      request.limit = DecimalText(limit)
      guard
        let page = try await gateway.answer(
          to: request, at: "/v3/kv/range", as: RangeResponse.self,
          atMost: limit > 1 ? pageLength : .max)
      else {
        limit = max(limit / 8, 1)
        continue
      }
      if request.revision == nil {
        (cluster, revision) = try page.header.position
        request.revision = DecimalText(revision)
      }
      guard try page.header.position.cluster == cluster else {
        throw .unreachable("Another cluster answers than a moment before.")
      }
      var length = 0
      for pair in page.kvs ?? [] {
        length += pair.key.bytes.count + (pair.value?.bytes.count ?? 0)
        if pair.key == namespace.head { try namespace.checkFormat(of: pair) }
        if let key = namespace[pair.key] { items[key] = pair.item }
      }
      guard page.more ?? false, let last = page.kvs?.last else { break }
      // The first key behind the last one.
      request.key = Base64Bytes(last.key.bytes + [0])
      // About 2 MB: how large the next values are is not known.
      if length < 500_000 { limit = min(limit * 4, 10_000) }
      if length > 4_000_000 { limit = max(limit / 4, 4) }
    }
    return SyncSnapshot(cluster: identity(in: cluster), revision: revision, items: items)
  }

  private func identity(in cluster: String) -> String { "\(cluster)/\(namespace.name)" }

  /// Makes all writes at once, if the conditions are met.
  public func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
    let keys = Array(commit.conditions.keys)
    let request = TxnRequest(
      compare: [Compare(key: namespace.head, target: .value, value: format)]
        + commit.conditions.map { key, revision in
          Compare(key: namespace[key], target: .mod, mod_revision: DecimalText(revision))
        },
      // Who may only read may ask for what is there.
      success: (commit.writes.isEmpty ? [] : [putHead])
        + commit.writes.map { key, value in
          guard let value else {
            return RequestOp(request_delete_range: DeleteRangeRequest(key: namespace[key]))
          }
          return RequestOp(
            request_put: PutRequest(key: namespace[key], value: Base64Bytes(value)))
        },
      failure: [RequestOp(request_range: RangeRequest(key: namespace.head))]
        + keys.map { RequestOp(request_range: RangeRequest(key: namespace[$0])) })
    while true {
      let answer: TxnResponse
      do throws(SyncError) {
        answer = try await gateway.answer(to: request, at: "/v3/kv/txn", as: TxnResponse.self)
      } catch {
        // A member answers so, too, where others have taken the space while it made the transaction.
        guard error.isOutOfSpace, !commit.writes.isEmpty, await mayBeMade(commit) else {
          throw error
        }
        throw .unreachable("\(error). Whether the commit was made is not known.")
      }
      let revision = try answer.header.position.revision
      if answer.succeeded ?? false { return .committed(revision: revision) }
      let found = (answer.responses ?? []).map { $0.response_range?.kvs?.first }
      if let head = found.first ?? nil {
        try namespace.checkFormat(of: head)
      } else if !commit.writes.isEmpty {
        try await createHead()
        continue
      }
      var current: [SyncKey: SyncItem] = [:]
      for (key, pair) in zip(keys, found.dropFirst()) { current[key] = pair?.item }
      // Before the first commit, the head is what is missing.
      let isMet = commit.conditions.allSatisfy { current[$0]?.revision ?? 0 == $1 }
      return isMet ? .committed(revision: revision) : .refused(current: current)
    }
  }

  /// Whether a commit with writes, which has failed, may have been made.
  private func mayBeMade(_ commit: SyncCommit) async -> Bool {
    // It is not met any more once the commit was made.
    let condition = commit.conditions.first { key, revision in
      guard let write = commit.writes[key] else { return false }
      return write != nil || revision > 0
    }
    // Not by a transaction: where there is no space, etcd before 3.4.20 and 3.5.7 takes none.
    guard let condition,
      let answer = try? await gateway.answer(
        to: RangeRequest(key: namespace[condition.key]), at: "/v3/kv/range",
        as: RangeResponse.self)
    else { return true }
    return answer.kvs?.first?.mod_revision?.value ?? 0 != condition.value
  }

  /// Reports every commit after a revision.
  public func follow(
    after revision: UInt64,
    _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    let (start, head) = try await current()
    var commits = WatchedCommits(of: namespace, after: revision, head: head)
    // At the revision of a compaction, etcd before 3.5.16 may leave out removals, and still lets a watch begin there. So
    // it begins with what is known: if that is compacted, nothing after it counts.
    let first = max(revision, 1)
    // Of who is far behind, etcd would put up to 1000 commits into one message, which counts only as a whole as a sign
    // that the connection works. So it sends parts, each as large as what it takes in a request (2 MiB by default).
    let request = WatchRequest(
      create_request: WatchRequest.Create(
        key: namespace.first, range_end: namespace.end, start_revision: DecimalText(first),
        fragment: true))
    try await gateway.stream(to: request, at: "/v3/watch") { result throws(SyncError) in
      if result.canceled ?? false {
        if result.compact_revision != nil { throw .compacted }
        let reason = result.cancel_reason ?? "it gave no reason"
        let text = "etcd ended the watch: \(reason)"
        throw reason.hasSuffix("permission denied") ? .rejected(text) : .unreachable(text)
      }
      if result.created ?? false {
        let (cluster, current) = try result.header.position
        guard identity(in: cluster) == start.cluster else {
          throw .unreachable("Another cluster answers than a moment before.")
        }
        // Another member may be behind the one that was asked.
        try await receive(
          .opened(
            SyncPosition(
              cluster: start.cluster, revision: start.revision,
              engineRevision: max(current, start.engineRevision))))
      }
      for change in try commits.take(result) { try await receive(.change(change)) }
    }
  }

  /// Returns which cluster it is, and where it is.
  public func position() async throws(SyncError) -> SyncPosition {
    try await current().position
  }

  /// Where the cluster is, and the namespace's head.
  private func current() async throws(SyncError) -> (position: SyncPosition, head: KeyValue?) {
    let answer = try await gateway.answer(
      to: RangeRequest(key: namespace.head), at: "/v3/kv/range", as: RangeResponse.self)
    let head = answer.kvs?.first
    if let head { try namespace.checkFormat(of: head) }
    let (cluster, revision) = try answer.header.position
    let position = SyncPosition(
      cluster: identity(in: cluster), revision: head?.mod_revision?.value ?? 0,
      engineRevision: revision)
    return (position, head)
  }

  private var format: Base64Bytes { Base64Bytes(EtcdNamespace.format) }

  private var putHead: RequestOp {
    RequestOp(request_put: PutRequest(key: namespace.head, value: format))
  }

  /// Puts the head, if there is none.
  private func createHead() async throws(SyncError) {
    let request = TxnRequest(
      compare: [Compare(key: namespace.head, target: .create, create_revision: DecimalText(0))],
      success: [putHead], failure: [])
    _ = try await gateway.answer(to: request, at: "/v3/kv/txn", as: TxnResponse.self)
  }
}

extension SyncEngine where Self == EtcdEngine {
  /// A namespace in an etcd cluster without authentication.
  ///
  /// - Parameters:
  ///   - endpoints: The addresses of its members, each `http` or `https` with a host and a port.
  ///   - namespace: Its name, which is not empty.
  /// - Throws: `rejected` if an endpoint is not an address, there is none, or the name is empty.
  public static func etcd(
    _ endpoints: [String], namespace: String
  ) throws(SyncError) -> EtcdEngine {
    try etcd(EtcdCluster(endpoints: endpoints), namespace: namespace)
  }

  /// A namespace in an etcd cluster.
  ///
  /// - Parameters:
  ///   - cluster: How the cluster is reached.
  ///   - namespace: Its name, which is not empty.
  /// - Throws: `rejected` if an endpoint is not an address, there is none, a certificate cannot be read, or is given
  ///   where an endpoint is without TLS, or the name is empty.
  public static func etcd(
    _ cluster: EtcdCluster, namespace: String
  ) throws(SyncError) -> EtcdEngine {
    try EtcdEngine(cluster, namespace: namespace)
  }
}

extension KeyValue {
  fileprivate var item: SyncItem {
    SyncItem(value: value?.bytes ?? [], revision: mod_revision?.value ?? 0)
  }
}

extension DecimalText {
  /// The value as a revision, which etcd has in signed integers.
  var revision: UInt64 {
    get throws(SyncError) {
      guard value < Int64.max else {
        throw .unreachable("The answer has a revision that etcd cannot have: \(value)")
      }
      return value
    }
  }
}

extension ResponseHeader? {
  /// Which cluster answered, and the revision that it has.
  fileprivate var position: (cluster: String, revision: UInt64) {
    get throws(SyncError) {
      guard let header = self, let cluster = header.cluster_id, let revision = header.revision
      else {
        throw .unreachable("The answer has no header of etcd's.")
      }
      return (String(cluster.value), try revision.revision)
    }
  }
}

extension ResponseHeader {
  fileprivate var position: (cluster: String, revision: UInt64) {
    get throws(SyncError) { try Optional(self).position }
  }
}
#endif
