import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

/// What processes do with one directory of cards, and which of their calls returned.
///
/// A program is a letter for each step: `s` adds one to a count in a card that all change, and merges
/// conflicts; `b` does so in a batch with a card of the process's own; `a` saves its own card with a new
/// image; `r` removes its own card and restores it.
private final class SharedDirectory: Sendable {
  private struct Progress {
    /// What is added by steps that have returned.
    var added = 0
    /// The image of the process's own card, by a step that has returned.
    var image: String?
    /// Whether the last step failed because another process held the lock.
    var wasBusy = false
  }

  private static let path: FilePath = "/app/Documents"
  private static let shared = "shared"

  private let progress: Mutex<[Progress]>

  init(_ disk: SimulatedDisk, _ programs: [String]) throws {
    progress = Mutex(programs.map { _ in Progress() })
    let store = try Self.open(disk)
    try store.save(
      [WrittenCard(id: Self.shared)] + programs.indices.map { WrittenCard(id: "\($0)") })
  }

  private static func open(_ disk: SimulatedDisk) throws -> DocumentStore<WrittenCard> {
    try DocumentStore(directory: path, pathExtension: cardExtension, fileSystem: disk)
  }

  func run(_ program: String, _ process: Int, _ disk: SimulatedDisk) throws {
    let store = try Self.open(disk)
    do throws(DocumentError) {
      for step in program {
        switch step {
        case "s":
          try add(process, store) { () throws(DocumentError) in
            try store.save(try self.added(process, store))
          }
        case "b":
          try add(process, store) { () throws(DocumentError) in
            var own = try store.load("\(process)")
            own.number += 1
            try store.save([own, try self.added(process, store)])
          }
        case "a":
          var own = try store.load("\(process)")
          let image = try store.addAsset(writtenImage(process + 1)).name
          own.images = [image]
          try store.save(own)
          progress.withLock { $0[process].image = image }
        case "r": try store.restore(try store.remove("\(process)"))
        default: break
        }
        let done = progress.withLock { $0[process] }
        disk.mark("\(process) \(done.added) \(done.image ?? "-")")
      }
    } catch {
      guard (error.cause as? FileError)?.code == .resourceBusy else { throw error }
      progress.withLock { $0[process].wasBusy = true }
    }
  }

  private func added(
    _ process: Int, _ store: DocumentStore<WrittenCard>
  ) throws(DocumentError) -> WrittenCard {
    var card = try store.load(Self.shared)
    card.counts["\(process)", default: 0] += 1
    return card
  }

  private func add(
    _ process: Int, _ store: DocumentStore<WrittenCard>, _ save: () throws(DocumentError) -> Void
  ) throws(DocumentError) {
    var conflict: DocumentConflict?
    while true {
      do throws(DocumentError) {
        if let conflict { try store.resolve(conflict, by: .merge) } else { try save() }
        return progress.withLock { $0[process].added += 1 }
      } catch {
        guard let found = error.conflict else { throw error }
        conflict = found
      }
    }
  }

  /// Checks that nothing was lost, and nothing done twice.
  func check(_ disk: SimulatedDisk, _ errors: [(any Error)?]) throws {
    for case .some(let error) in errors { throw error }
    let store = try Self.open(disk)
    let shared = try store.load(Self.shared)
    for (process, progress) in progress.withLock({ $0 }).enumerated() {
      let count = shared.counts["\(process)"] ?? 0
      guard count == progress.added else {
        throw Broken("\(progress.added) were added by \(process), and \(count) are there")
      }
      try Self.checkOwn(process, progress.image, store)
    }
  }

  private static func checkOwn(
    _ process: Int, _ image: String?, _ store: DocumentStore<WrittenCard>
  ) throws {
    // After a power cut, a renamed file can have both names.
    if try !store.ids().contains("\(process)"),
      let removed = try store.removed().first(where: { $0.id == "\(process)" })
    {
      try store.restore(removed)
    }
    let own = try store.load("\(process)")
    guard image == nil || own.images.first == image else {
      throw Broken("the image \(image ?? "") of \(process) is not in its card")
    }
    for name in own.images {
      guard let asset = Asset(name: name), try store.asset(asset) == writtenImage(process + 1)
      else {
        throw Broken("the image \(name) of \(process) is not there")
      }
    }
  }

  /// Checks what a power cut left.
  static func check(_ disk: SimulatedDisk, _ cut: CutExplorer.Point) throws {
    let store = try open(disk)
    let shared = try store.load(Self.shared)
    for mark in cut.marks {
      let words = mark.split(separator: " ").map(String.init)
      guard shared.counts[words[0]] ?? 0 >= Int(words[1])! else {
        throw Broken("\(mark): only \(shared.counts) after a power cut")
      }
      try checkOwn(Int(words[0])!, words[2] == "-" ? nil : words[2], store)
    }
    for id in try store.ids() { _ = try store.load(id) }
  }

  struct Broken: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
  }
}

@Suite(
  "P1, P2, P5 and P8: Processes that write one directory in every order of their calls",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every order"))
struct InterleavingTests {
  private static let all = [
    ["s", "s"], ["s", "b"], ["b", "b"], ["a", "s"], ["a", "a"], ["r", "s"], ["r", "a"],
    ["ss", "r"],
  ]

  private func processes(
    _ programs: [String]
  ) -> [@Sendable (SimulatedDisk, SharedDirectory) throws -> Void] {
    programs.enumerated().map { process, program in
      { disk, directory in try directory.run(program, process, disk) }
    }
  }

  @Test("Nothing is lost, and no change is made twice", arguments: all)
  func orders(programs: [String]) async throws {
    let explorer = InterleavingExplorer(switches: TestLength.isAtLeast(.long) ? 3 : 2)
    let count = try await explorer.run(processes: processes(programs)) { disk in
      try SharedDirectory(disk, programs)
    } check: { disk, directory, errors in
      try directory.check(disk, errors)
    }
    print("orders of \(programs): \(count)")
  }

  @Test("What was saved survives a power cut during other calls", arguments: all.dropLast())
  func cuts(programs: [String]) async throws {
    let explorer = InterleavingExplorer(switches: TestLength.isAtLeast(.long) ? 2 : 1)
    let tried = try await explorer.run(
      processes: processes(programs),
      cuts: CutExplorer(model: .posix, samples: TestLength.isAtLeast(.long) ? 32 : 8)
    ) { disk in
      try SharedDirectory(disk, programs)
    } check: { disk, cut in
      try SharedDirectory.check(disk, cut)
    }
    print("cuts of \(programs): \(tried.orders) orders, \(tried.cuts.visits) disks")
  }
}
