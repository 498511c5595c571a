import KeepsakeBase

extension DocumentDriver {
  /// How many assets are sent or fetched at once.
  ///
  /// On a slow line each keeps one of the engine's connections for long. If they had all of them, the question whether
  /// the engine is there would wait, and fail, and end what is under way again and again.
  private static let width = 2

  /// Sends assets that the engine lacks.
  ///
  /// - Returns: Those that are missing.
  func send(_ assets: [String]) async throws -> Set<String> {
    let missing = Mutex<Set<String>>([])
    try await forEach(assets) { [exchange] driver, asset in
      // A program that copies it is done soon, or it is sent later, as one that is missing.
      for _ in 0..<12 {
        guard try await driver.onDisk({ try exchange.isBeingWritten(asset) }) else { break }
        try await Task.sleep(for: .milliseconds(200))
      }
      var sending = try await driver.onDisk { try exchange.sending(of: asset) }
      while let commit = try sending.nextCommit() {
        // It may take long, and until an answer nothing is received that another process has sent.
        try await driver.askIfUnanswered()
        sending.take(try await driver.requests.perform(commit))
      }
      if sending.isMissing { missing.withLock { _ = $0.insert(asset) } }
    }
    return missing.withLock { $0 }
  }

  /// Sends documents again whose assets were missing, once these are here: nothing says when that is.
  func sendMissingAssets() async throws {
    let exchange = exchange
    var count = 0
    while true {
      try await Task.sleep(for: timing.pause(after: count))
      count += 1
      // What cannot be looked for now is so later.
      let isFound = try? await onDisk { try exchange.noteFoundAssets() }
      if isFound == true { storeChanged() }
    }
  }

  /// Whether the engine has all of some assets.
  func hasAll(_ assets: [String]) async throws -> Bool {
    for asset in assets {
      let key = AssetManifest.key(of: asset)
      let current = try await requests.current(of: [key])
      if AssetManifest(current[key])?.isWhole != true { return false }
    }
    return true
  }

  /// Fetches assets that the engine has.
  func fetch(_ assets: [String]) async throws {
    try await forEach(assets) { [exchange] driver, asset in
      var fetching = exchange.fetching(of: asset)
      while true {
        let next = fetching
        let (asked, commit) = try await driver.onDisk {
          var next = next
          let commit = try next.nextCommit()
          return (next, commit)
        }
        guard let commit else { return }
        let result = try await driver.requests.perform(
          commit, answerLength: exchange.chunkLength)
        fetching = try await driver.onDisk {
          var asked = asked
          try asked.take(result)
          return asked
        }
      }
    }
  }

  private func forEach(
    _ assets: [String], _ body: @escaping @Sendable (DocumentDriver, String) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, asset) in assets.enumerated() {
        if number >= Self.width { try await group.next() }
        group.addTask { try await body(self, asset) }
      }
      try await group.waitForAll()
    }
  }

  /// Keeps the bases that are missing; then, now and then, removes assets from the engine that nothing has named for
  /// long, and parts that are left here.
  func cleanUp() async throws {
    let exchange = exchange
    while try await onDisk({ exchange.keepSomeBases() }) { try Task.checkCancellation() }
    while true {
      // A connection may always end before.
      try await Task.sleep(until: nextCollection)
      nextCollection = .now + timing.collectionPause
      let age = timing.unusedAssets.components.seconds
      // The clock may be wrong.
      let time = (Int64(min(max(timing.time(), 0), 9_000_000_000)) - age) * 1_000_000_000
      // Somebody may look at them just now; tomorrow is soon enough.
      try? await onDisk { try exchange.removePartialAssets(unchangedSince: time) }
      // What is not removed now is so later.
      try? await collectOnce()
    }
  }

  private func collectOnce() async throws {
    let collection = AssetCollection(
      interval: Int(timing.unusedAssets.components.seconds),
      now: timing.time())
    let current = try await requests.current(of: [AssetCollection.key])
    guard let beginning = collection.beginning(after: current[AssetCollection.key]),
      case .committed = try await requests.perform(beginning)
    else { return }
    let snapshot = try await requests.read()
    let exchange = exchange
    let (notes, removals) = try await onDisk {
      try collection.work(on: snapshot, for: exchange.documents, limits: exchange.limits)
    }
    // What is refused was changed meanwhile.
    for note in notes { _ = try await requests.perform(note) }
    for var removal in removals {
      while let commit = try removal.nextCommit() {
        removal.take(try await requests.perform(commit))
      }
    }
  }
}
