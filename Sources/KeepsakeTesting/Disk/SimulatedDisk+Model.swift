extension SimulatedDisk {
  /// The changes that a disk can lose.
  public enum Model: Hashable, Sendable {
    /// The worst that POSIX allows in a power cut: any subset of the unflushed changes survives.
    ///
    /// Data survives in whole sectors, a file's size independently of its data, and a name
    /// independently of its file. After a rename, the new name may exist beside the old one, but the
    /// old name is never gone without the new one.
    case posix

    /// The guarantees of a journaling file system such as ext4 (`data=ordered`) in a power cut.
    ///
    /// Names survive in order: each with all earlier changes of names, and a rename atomically. A
    /// size survives with the data below it, as does the name of a file that replaced another. Of all
    /// other changes, any subset survives.
    case journaled

    /// The death of all processes while the system keeps running: the effects of all calls are kept,
    /// but the last write may be incomplete.
    case processDeath
  }
}

extension SimulatedDisk.Model {
  /// Adds the updates that those that survive depend on.
  func complete(_ kept: inout [Bool], of updates: [DiskUpdate]) {
    switch self {
    case .posix: completeRenames(&kept, of: updates)
    case .journaled: completeTransactions(&kept, of: updates)
    case .processDeath: break
    }
  }

  private func completeRenames(_ kept: inout [Bool], of updates: [DiskUpdate]) {
    for index in updates.indices where kept[index] {
      guard case .unlink(_, let link?) = updates[index].change else { continue }
      if let link = updates[..<index].lastIndex(where: { $0.id == link }) { kept[link] = true }
    }
  }

  private func completeTransactions(_ kept: inout [Bool], of updates: [DiskUpdate]) {
    var keepsNames = false
    var exposed: Set<Int> = []
    for index in updates.indices.reversed() {
      switch updates[index].change {
      case .link(_, let target, let replaces):
        if kept[index] { keepsNames = true }
        kept[index] = keepsNames
        if keepsNames && replaces { exposed.insert(target) }
      case .unlink(_, let link):
        if kept[index] || (index > 0 && kept[index - 1] && updates[index - 1].id == link) {
          keepsNames = true
        }
        kept[index] = keepsNames
      case .size:
        if kept[index] { exposed.insert(updates[index].node) }
        kept[index] = exposed.contains(updates[index].node)
      case .sector:
        if exposed.contains(updates[index].node) { kept[index] = true }
      }
    }
  }
}
