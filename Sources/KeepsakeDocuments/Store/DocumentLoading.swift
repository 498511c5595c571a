import KeepsakeBase
import KeepsakeFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Loads all documents in chunks, on threads of its own: more than there are processors, because they wait
/// for the disk most of the time.
final class DocumentLoading<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  typealias Chunk = DocumentChunk<Document>

  private struct State {
    /// The files, once the directory is listed.
    var names: [String]?
    /// The chunks that are loaded and not yet taken, by number.
    var chunks: [Int: Chunk] = [:]
    /// The number of files, and of chunks, that threads have begun to load.
    var startedFiles = 0
    var started = 0
    var taken = 0
    var running = 0
    /// The number of files that were read, and of their bytes.
    var readFiles = 0
    var readSize = 0
    /// The number of bytes in chunks that are not yet taken.
    var waitingSize = 0
    var waiting: CheckedContinuation<Void, Never>?
    var isCancelled = false

    /// The number of files in the next chunk: so many that handing it over costs little, but few if they
    /// are long.
    var chunkSize: Int { readSize == 0 ? 4 : min(32, max(1, (1 << 20) * readFiles / readSize)) }

    /// How many more chunks threads may begin to load.
    func room(for workers: Int) -> Int {
      guard let names else { return started == 0 ? 1 : 0 }
      // The chunk that the loop waits for is loaded in any case.
      let isFull = waitingSize >= 64 << 20 && started > taken
      if isCancelled || isFull { return 0 }
      let files = names.count - startedFiles
      return min(taken + 4 * workers - started, (files + chunkSize - 1) / chunkSize)
    }
  }

  private let workers = min(16, 4 * ProcessInfo.processInfo.activeProcessorCount)

  private let store: DocumentStore<Document>
  private let state = Mutex(State())

  init(_ store: DocumentStore<Document>) {
    self.store = store
  }

  deinit {
    // The loop ended before it received them, but files may have been quarantined.
    state.withLock { state in
      for (_, chunk) in state.chunks.sorted(by: { $0.key < $1.key }) {
        chunk.errors.forEach(report)
      }
    }
  }

  /// The next chunk in order; `nil` after the last.
  func nextChunk() async -> (chunk: Chunk, total: Int)? {
    while !Task.isCancelled {
      let (chunk, isFinished) = state.withLock { state -> ((Chunk, Int)?, Bool) in
        guard let names = state.names else { return (nil, false) }
        if let chunk = state.chunks.removeValue(forKey: state.taken) {
          state.taken += 1
          state.waitingSize -= chunk.size
          return ((chunk, names.count), false)
        }
        return (nil, state.taken == state.started && state.startedFiles == names.count)
      }
      start()
      if let chunk { return chunk }
      if isFinished { return nil }
      await wait()
    }
    state.withLock { $0.isCancelled = true }
    return nil
  }

  /// Remembers the content of a file that the loop has received.
  func noteSeen(_ content: KnownContents.Content, of name: String, in chunk: Chunk) {
    store.directory.known.withLock { known in
      var content = content
      // There may have been more space when it was loaded.
      if !known.isKeepingBytesOfAll { content.bytes = nil }
      known.read(content, from: name, after: chunk.writeCount)
    }
  }

  func report(_ error: DocumentError) { store.directory.report(error) }

  /// Starts threads, unless enough are running or enough is loaded ahead.
  private func start() {
    let count = state.withLock { state -> Int in
      if state.names == nil && state.running > 0 { return 0 }
      let count = max(0, min(workers - state.running, state.room(for: workers)))
      state.running += count
      return count
    }
    let started = (0..<count).count { _ in startThread { self.run() } }
    if started == count { return }
    let isOnlyThread = state.withLock { state in
      state.running -= count - started
      defer { if state.running == 0 { state.running = 1 } }
      return state.running == 0
    }
    // If no thread can be started, the loop's own loads the files.
    if isOnlyThread { run() }
  }

  private func run() {
    if state.withLock({ $0.names == nil }) { list() }
    let coding = store.coding.separate
    while let (number, names) = nextNames() { finish(number, load(names, coding)) }
  }

  private func load(_ names: ArraySlice<String>, _ coding: DocumentCoding) -> Chunk {
    let (writeCount, isKeepingBytes) = store.directory.known.withLock {
      ($0.writeCount, $0.isKeepingBytesOfAll)
    }
    var chunk = Chunk(names: names, writeCount: writeCount)
    chunk.contents.reserveCapacity(names.count)
    // Not `append`, which looks up the metadata of the array's storage each time.
    chunk.results = Chunk.Results(unsafeUninitializedCapacity: names.count) { results, count in
      store.directory.readContents(of: names) { name, found in
        // What failed is read again alone, for the error.
        var content = (try? found.get()) ?? nil
        do throws(DocumentError) {
          results.initializeElement(
            at: count, to: .success(try store.read(name, coding, &content)))
          var known = KnownContents.Content(content ?? [])
          if !isKeepingBytes { known.bytes = nil }
          chunk.contents.append(known)
        } catch {
          results.initializeElement(at: count, to: .failure(error))
          chunk.contents.append(nil)
        }
        chunk.size += content?.count ?? 0
        count += 1
      }
    }
    return chunk
  }

  private func list() {
    do throws(DocumentError) {
      let names = try store.directory.names()
      store.directory.known.withLock { $0.reserveCapacity(names.count) }
      state.withLock { $0.names = names }
    } catch {
      // One name represents the directory.
      state.withLock { state in
        state.names = [""]
        state.startedFiles = 1
        state.started = 1
      }
      finish(0, Chunk(names: [""], results: [.failure(error)], contents: [nil]))
    }
    if state.withLock({ $0.names?.isEmpty == true }) { wake() }
    start()
  }

  /// The next files to load, unless enough is loaded ahead; then this thread ends.
  private func nextNames() -> (number: Int, names: ArraySlice<String>)? {
    state.withLock { state in
      guard let names = state.names, state.room(for: workers) > 0 else {
        state.running -= 1
        return nil
      }
      let first = state.startedFiles
      state.startedFiles = min(first + state.chunkSize, names.count)
      defer { state.started += 1 }
      return (state.started, names[first..<state.startedFiles])
    }
  }

  private func finish(_ number: Int, _ chunk: Chunk) {
    state.withLock { state in
      state.chunks[number] = chunk
      state.waitingSize += chunk.size
      state.readFiles += chunk.results.count
      state.readSize += chunk.size
    }
    wake()
  }

  // MARK: Waiting

  private func wake() {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }?.resume()
  }

  /// Waits for the next chunk, or for the list of files.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFinished = state.withLock { state in
          if Task.isCancelled || state.chunks[state.taken] != nil || state.names?.isEmpty == true {
            return true
          }
          state.waiting = continuation
          return false
        }
        if isFinished { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}
