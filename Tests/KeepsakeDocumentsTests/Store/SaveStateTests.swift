import KeepsakeCoding
import SystemPackage
import Testing

@testable import KeepsakeDocuments

@Suite("How an open document compares to its file") struct SaveStateTests {
  private let old = Array("old".utf8)
  private let new = Array("new".utf8)
  private let other = Array("other".utf8)

  private func conflict(base: [UInt8]?) -> DocumentConflict {
    DocumentConflict(
      file: "1.card", base: nil, ours: .null, theirs: .null, found: other, baseText: base)
  }

  @Test("It is dirty from an edit until that edit is saved") func dirty() {
    var saves = SaveState(base: old)
    #expect(!saves.isDirty)
    saves.didEdit(from: saves)
    let edits = saves.edits
    saves.didEdit(from: saves)
    let changes = saves.takeChanges()
    #expect(changes == [.value, .hasUnsavedChanges])
    saves.didSave(edits, as: new)
    #expect(saves.isDirty && saves.base?.bytes == new)
    saves.didSave(saves.edits, as: new)
    #expect(!saves.isDirty)
  }

  @Test("An edit of a value that was replaced meanwhile keeps what it was made from")
  func replaced() {
    var saves = SaveState(base: old)
    let before = saves
    saves.didReplaceValue(by: other)
    saves.didEdit(from: before)
    #expect(saves.base?.bytes == old)
    saves = SaveState(base: old)
    saves.didReplaceValue(by: other)
    saves.didEdit(from: saves)
    #expect(saves.base?.bytes == other)
  }

  @Test("After a failed save its text is the base only if the file contains it") func uncertain() {
    for (content, base) in [(new, new), (old, old), (other, old)] {
      var saves = SaveState(base: old)
      saves.didEdit(from: saves)
      saves.willSave(new)
      #expect(saves.isUncertain)
      saves.didRead(content)
      #expect(!saves.isUncertain && saves.isDirty)
      #expect(saves.base?.bytes == base)
    }
  }

  @Test("A removed file and one that never was are not the same as an empty one") func removed() {
    var saves = SaveState(base: nil)
    #expect(!saves.isBase(nil) && !saves.isBase([]))
    saves.didReplaceValue(by: nil)
    #expect(saves.isBase(nil) && saves.isRemoved)
    saves.didSave(saves.edits, as: [])
    #expect(saves.isBase([]) && !saves.isRemoved)
  }

  @Test("A conflict ends with a save, a new value, or the old file") func conflicts() {
    var saves = SaveState(base: old)
    saves.didConflict(conflict(base: old))
    let changes = saves.takeChanges()
    #expect(changes == [.conflict])
    let ended = [saves.didEndConflict(), saves.didEndConflict()]
    #expect(ended == [true, false] && saves.conflict == nil)
    saves.didConflict(conflict(base: old))
    saves.didSave(saves.edits, as: new)
    #expect(saves.conflict == nil)
    saves.didConflict(conflict(base: old))
    saves.didReplaceValue(by: other)
    #expect(saves.conflict == nil)
  }

  @Test("A failure is new until a save succeeds, and counts until the next edit") func failures() {
    var saves = SaveState(base: old)
    saves.didEdit(from: saves)
    let isFirst = [saves.didFail(saves.edits), saves.didFail(saves.edits)]
    #expect(isFirst == [true, false] && saves.hasFailed)
    saves.didEdit(from: saves)
    #expect(!saves.hasFailed)
    saves.didSave(saves.edits, as: new)
    let isNew = saves.didFail(saves.edits)
    #expect(isNew)
  }

  @Test("The same unreadable content is noted once") func unreadable() {
    var saves = SaveState(base: old)
    let isNew = [new, new, other, new].map { saves.didFailToRead($0) }
    #expect(isNew == [true, false, true, true])
  }

  @Test("A past version is due initially, and after a save that kept none") func versions() {
    var saves = SaveState(base: old)
    #expect(saves.isVersionDue)
    saves.didSave(0, as: new, keepingVersion: false)
    #expect(saves.isVersionDue)
    saves.didSave(0, as: new)
    #expect(!saves.isVersionDue)
  }
}
