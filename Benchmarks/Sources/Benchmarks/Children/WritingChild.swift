import Dispatch
import Foundation
import Keepsake

/// One of several processes that change the same settings, each with several threads.
enum WritingChild {
  enum Kind: String, CaseIterable {
    case keepsake, lmdb, append

    var title: String {
      switch self {
      case .keepsake: "Keepsake"
      case .lmdb: "LMDB, not flushed"
      case .append: "floor: append + lseek"
      }
    }
  }

  static let threads = 4

  static func main(_ arguments: [String], in workspace: Workspace) throws {
    guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]) else {
      throw CocoaError(.executableRuntimeMismatch)
    }
    let (name, process) = (arguments[1], arguments[2])
    let set: @Sendable (String, Int) throws -> Void
    switch kind {
    case .keepsake:
      let store = try SettingsStore(container: workspace.container(name), arguments: [])
      set = { try store.set($1, for: SettingsKey($0, default: 0)) }
    case .lmdb:
      let database = try LMDBDatabase(path: workspace.path(name))
      set = { try database.set($1, for: $0) }
    case .append:
      let file = try RawFile(workspace.path(name))
      set = { _, _ in try file.appendAndSeek() }
    }
    Child.say("ready")
    while let line = readLine(), let count = Int(line) {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        do {
          for number in Numbers.take(count) { try set("\(process).\(thread)", number) }
        } catch {
          Child.say("\(error)")
        }
      }
      Child.say("done")
    }
  }
}
