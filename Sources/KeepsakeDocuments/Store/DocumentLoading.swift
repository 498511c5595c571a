import KeepsakeBase
import KeepsakeFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The loading of all documents in pieces, by some threads of its own: more than there are processors,
/// for most of the time a disk that has to be asked is what they wait for.
final class DocumentLoading<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  typealias Piece = DocumentPiece<Document>

  private struct State {
    /// The files, once the directory is listed.
    var names: [String]?
    /// The pieces that are loaded and not yet taken, by number.
    var pieces: [Int: Piece] = [:]
    /// How many files are in pieces that threads have begun with, and how many pieces that is.
    var startedFiles = 0
    var started = 0
    var taken = 0
    var running = 0
    /// How many files are read, and their bytes.
    var readFiles = 0
    var readSize = 0
    /// How many bytes are in pieces that nobody has taken.
    var waitingSize = 0
    var waiting: CheckedContinuation<Void, Never>?
    var isCancelled = false

    /// How many files the next piece has: enough that handing one over costs little beside loading it,
    /// and few where they are long.
    var pieceSize: Int { readSize == 0 ? 4 : min(32, max(1, (1 << 20) * readFiles / readSize)) }

    /// How many more pieces threads may begin with.
    func room(for workers: Int) -> Int {
      guard let names else { return started == 0 ? 1 : 0 }
      // What the loop waits for is loaded in any case.
      let isFull = waitingSize >= 64 << 20 && started > taken
      if isCancelled || isFull { return 0 }
      let files = names.count - startedFiles
      return min(taken + 4 * workers - started, (files + pieceSize - 1) / pieceSize)
    }
  }

  private let workers = min(16, 4 * ProcessInfo.processInfo.activeProcessorCount)

  private let store: DocumentStore<Document>
  private let state = Mutex(State())

  init(_ store: DocumentStore<Document>) {
    self.store = store
  }

  deinit {
    // The loop ended before it came to them, but they may have been set aside.
    state.withLock { state in
      for (_, piece) in state.pieces.sorted(by: { $0.key < $1.key }) {
        piece.errors.forEach(report)
      }
    }
  }

  /// The next piece in order; `nil` after the last.
  func nextPiece() async -> (piece: Piece, total: Int)? {
    while !Task.isCancelled {
      let (piece, isOver) = state.withLock { state -> ((Piece, Int)?, Bool) in
        guard let names = state.names else { return (nil, false) }
        if let piece = state.pieces.removeValue(forKey: state.taken) {
          state.taken += 1
          state.waitingSize -= piece.size
          return ((piece, names.count), false)
        }
        return (nil, state.taken == state.started && state.startedFiles == names.count)
      }
      start()
      if let piece { return piece }
      if isOver { return nil }
      await wait()
    }
    state.withLock { $0.isCancelled = true }
    return nil
  }

  /// Takes note that the program has seen what a file held.
  func noteSeen(_ content: KnownContents.Content, of name: String, in piece: Piece) {
    store.directory.known.withLock { known in
      var content = content
      // Many have been loaded ahead since there was room.
      if !known.isKeepingBytesOfAll { content.bytes = nil }
      known.read(content, from: name, after: piece.writeCount)
    }
  }

  func report(_ error: DocumentError) { store.directory.report(error) }

  /// Sets threads to work, unless enough are, or enough is loaded ahead.
  private func start() {
    let count = state.withLock { state -> Int in
      if state.names == nil && state.running > 0 { return 0 }
      let count = max(0, min(workers - state.running, state.room(for: workers)))
      state.running += count
      return count
    }
    let started = (0..<count).count { _ in startThread { self.run() } }
    if started == count { return }
    let isAlone = state.withLock { state in
      state.running -= count - started
      defer { if state.running == 0 { state.running = 1 } }
      return state.running == 0
    }
    // Where there can be no thread of its own, the loop's has to do.
    if isAlone { run() }
  }

  private func run() {
    if state.withLock({ $0.names == nil }) { list() }
    let coding = store.coding.separate
    while let (number, names) = nextNames() { finish(number, load(names, coding)) }
  }

  private func load(_ names: ArraySlice<String>, _ coding: DocumentCoding) -> Piece {
    let (writeCount, isKeepingBytes) = store.directory.known.withLock {
      ($0.writeCount, $0.isKeepingBytesOfAll)
    }
    var piece = Piece(names: names, writeCount: writeCount)
    piece.contents.reserveCapacity(names.count)
    // Written in place: `append` would look for the metadata of the array's storage each time.
    piece.results = Piece.Results(unsafeUninitializedCapacity: names.count) { results, count in
      store.directory.readContents(of: names) { name, found in
        // What failed is read by itself, which says why.
        var content = (try? found.get()) ?? nil
        do throws(DocumentError) {
          results.initializeElement(
            at: count, to: .success(try store.read(name, coding, &content)))
          var known = KnownContents.Content(content ?? [])
          if !isKeepingBytes { known.bytes = nil }
          piece.contents.append(known)
        } catch {
          results.initializeElement(at: count, to: .failure(error))
          piece.contents.append(nil)
        }
        piece.size += content?.count ?? 0
        count += 1
      }
    }
    return piece
  }

  private func list() {
    do throws(DocumentError) {
      let names = try store.directory.names()
      store.directory.known.withLock { $0.reserveCapacity(names.count) }
      state.withLock { $0.names = names }
    } catch {
      // One name that stands for the directory.
      state.withLock { state in
        state.names = [""]
        state.startedFiles = 1
        state.started = 1
      }
      finish(0, Piece(names: [""], results: [.failure(error)], contents: [nil]))
    }
    if state.withLock({ $0.names?.isEmpty == true }) { wake() }
    start()
  }

  /// The next files to load, if enough is not loaded ahead already; otherwise this thread is done.
  private func nextNames() -> (number: Int, names: ArraySlice<String>)? {
    state.withLock { state in
      guard let names = state.names, state.room(for: workers) > 0 else {
        state.running -= 1
        return nil
      }
      let first = state.startedFiles
      state.startedFiles = min(first + state.pieceSize, names.count)
      defer { state.started += 1 }
      return (state.started, names[first..<state.startedFiles])
    }
  }

  private func finish(_ number: Int, _ piece: Piece) {
    state.withLock { state in
      state.pieces[number] = piece
      state.waitingSize += piece.size
      state.readFiles += piece.results.count
      state.readSize += piece.size
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

  /// Waits until the next piece is there, or the list of files is.
  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.pieces[state.taken] != nil || state.names?.isEmpty == true {
            return true
          }
          state.waiting = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}
