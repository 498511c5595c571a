import KeepsakeFiles
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The loading of all documents in pieces, by some threads of its own: more than there are processors,
/// for most of the time a disk that has to be asked is what they wait for.
final class DocumentLoading<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  /// Some documents in order, or why their files gave none.
  typealias Results = [Result<Document, DocumentError>]

  /// What some files held.
  private struct Piece {
    var results: Results
    var contents: [(name: String, content: KnownContents.Content)] = []
    /// How many contents the store had written before they were read.
    var writeCount = 0
  }

  private struct State {
    /// The files, once the folder is listed.
    var names: [String]?
    /// The pieces that are loaded and not yet taken, by number.
    var pieces: [Int: Piece] = [:]
    var started = 0
    var taken = 0
    var running = 0
    var waiting: CheckedContinuation<Void, Never>?
    var isCancelled = false
  }

  /// The documents of a piece: enough that handing one over costs little beside loading it.
  private static var pieceSize: Int { 32 }
  private let workers = min(16, 4 * ProcessInfo.processInfo.activeProcessorCount)

  private let store: DocumentStore<Document>
  private let state = Mutex(State())

  init(_ store: DocumentStore<Document>) {
    self.store = store
  }

  /// The next piece in order; `nil` after the last.
  func nextPiece() async -> (results: Results, total: Int)? {
    while !Task.isCancelled {
      let (piece, isOver) = state.withLock { state -> ((Piece, Int)?, Bool) in
        guard let names = state.names else { return (nil, false) }
        if let piece = state.pieces.removeValue(forKey: state.taken) {
          state.taken += 1
          return ((piece, names.count), false)
        }
        return (nil, state.taken * Self.pieceSize >= names.count)
      }
      start()
      if let (piece, total) = piece {
        // Here, and not as each is read: so many threads would wait for each other.
        store.folder.remember(piece.contents, readAfter: piece.writeCount)
        return (piece.results, total)
      }
      if isOver { return nil }
      await wait()
    }
    state.withLock { $0.isCancelled = true }
    return nil
  }

  /// Sets threads to work, unless enough are, or enough is loaded ahead.
  private func start() {
    let count = state.withLock { state -> Int in
      let total = state.names.map { ($0.count + Self.pieceSize - 1) / Self.pieceSize } ?? 1
      let ahead = state.taken + 4 * workers
      let wanted = min(workers - state.running, min(total, ahead) - state.started)
      if state.names == nil && state.running > 0 || state.isCancelled || wanted <= 0 { return 0 }
      state.running += state.names == nil ? 1 : wanted
      return state.names == nil ? 1 : wanted
    }
    for _ in 0..<count { startThread { self.run() } }
  }

  private func run() {
    if state.withLock({ $0.names == nil }) { list() }
    let coding = store.coding.separate
    while let (number, names) = nextNames() { finish(number, load(names, coding)) }
  }

  private func load(_ names: ArraySlice<String>, _ coding: DocumentCoding) -> Piece {
    var piece = Piece(results: [], writeCount: store.folder.writeCount)
    piece.contents.reserveCapacity(names.count)
    // Written in place: `append` would look for the metadata of the array's storage each time.
    piece.results = Results(unsafeUninitializedCapacity: names.count) { results, count in
      store.folder.readContents(of: names) { name, found in
        // What failed is read by itself, which says why.
        var content = (try? found.get()) ?? nil
        do throws(DocumentError) {
          results.initializeElement(
            at: count, to: .success(try store.read(name, coding, &content)))
          piece.contents.append((name, KnownContents.Content(content ?? [])))
        } catch {
          results.initializeElement(at: count, to: .failure(error))
        }
        count += 1
      }
    }
    return piece
  }

  private func list() {
    do throws(DocumentError) {
      let names = try store.folder.names()
      store.folder.known.withLock { $0.reserveCapacity(names.count) }
      state.withLock { $0.names = names }
    } catch {
      // One name that stands for the folder.
      state.withLock { state in
        state.names = [""]
        state.started = 1
      }
      finish(0, Piece(results: [.failure(error)]))
    }
    if state.withLock({ $0.names?.isEmpty == true }) { wake() }
    start()
  }

  /// The next files to load, if enough is not loaded ahead already; otherwise this thread is done.
  private func nextNames() -> (number: Int, names: ArraySlice<String>)? {
    state.withLock { state in
      let first = state.started * Self.pieceSize
      guard let names = state.names, first < names.count, !state.isCancelled,
        state.started < state.taken + 4 * workers
      else {
        state.running -= 1
        return nil
      }
      defer { state.started += 1 }
      return (state.started, names[first..<min(first + Self.pieceSize, names.count)])
    }
  }

  private func finish(_ number: Int, _ piece: Piece) {
    state.withLock { $0.pieces[number] = piece }
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
