/// What a disk may lose.
public enum DiskModel: Hashable, Sendable {
  /// The worst that POSIX allows at a power cut: of all that was not flushed, any part survives.
  ///
  /// Data survives in whole sectors, a file's size apart from its data, a name apart from the file
  /// that it names. Of a rename the new name may survive beside the old one; never is the old name
  /// gone without the new one there.
  case posix

  /// What a journalling file system such as ext4 (`data=ordered`) keeps at a power cut.
  ///
  /// Names survive in order: each with all that were made, changed and removed before it, and a
  /// rename whole. A size survives with the data below it, as does the name of a file that took
  /// another's place. All else survives in any part.
  case journaled

  /// The death of all processes while the system goes on: everything that a call did is kept, but
  /// the last write may have been ended in its middle.
  case processDeath
}

extension DiskModel {
  /// Adds to the updates that survive those without which they cannot.
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
