import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSettings

@Suite("Rules by which a journal's records count")
struct JournalRulesTests {
  private func set(_ key: String, _ value: Int64, knowing offset: Int64) -> SettingsRecord {
    record(.set, offset, [.init(name: SettingsName(key), value: .integer(value))])
  }

  private func record(
    _ kind: SettingsRecord.Kind, _ offset: Int64, _ changes: [SettingsRecord.Change]
  ) -> SettingsRecord {
    SettingsRecord(kind: kind, generation: 7, offset: offset, changes: changes)
  }

  private func value(_ contents: SettingsContents, _ key: String) -> PropertyList.Value? {
    contents[SettingsName(key)]
  }

  @Test("A change counts after earlier ones that its writer did not know")
  func order() {
    var contents = SettingsContents()
    let counts1 = contents.apply(set("a", 1, knowing: 0), at: 0, in: 7)
    #expect(counts1)
    let counts2 = contents.apply(set("a", 2, knowing: 0), at: 50, in: 7)
    #expect(counts2)
    #expect(value(contents, "a") == .integer(2))
  }

  @Test("A record of another journal does not count")
  func generation() {
    var contents = SettingsContents()
    let counts3 = contents.apply(set("a", 1, knowing: 0), at: 0, in: 8)
    #expect(!counts3)
    #expect(value(contents, "a") == nil)
  }

  @Test("A record does not count after unreadable bytes that its writer did not know")
  func gap() {
    var contents = SettingsContents()
    let counts4 = contents.apply(set("a", 1, knowing: 0), at: 0, in: 7)
    #expect(counts4)
    contents.noteGap(at: 50)
    let counts5 = contents.apply(set("a", 2, knowing: 50), at: 90, in: 7)
    #expect(!counts5)
    #expect(value(contents, "a") == .integer(1))
    let counts6 = contents.apply(set("a", 3, knowing: 140), at: 140, in: 7)
    #expect(counts6)
    #expect(value(contents, "a") == .integer(3))
  }

  @Test("A transaction counts only if none of its keys changed since it read them")
  func transaction() {
    let read = SettingsRecord.Change(name: SettingsName("b"), isReadOnly: true)
    let change = SettingsRecord.Change(name: SettingsName("a"), value: .integer(9))
    for (key, counts) in [("a", false), ("b", false), ("c", true)] {
      var contents = SettingsContents()
      let counts7 = contents.apply(set(key, 1, knowing: 0), at: 50, in: 7)
      #expect(counts7)
      let isApplied = contents.apply(record(.transaction, 50, [change, read]), at: 100, in: 7)
      #expect(isApplied == counts, "after a change of \(key)")
      let counts8 = contents.apply(record(.transaction, 101, [change, read]), at: 150, in: 7)
      #expect(counts8)
      #expect(value(contents, "b") == (key == "b" ? .integer(1) : nil))
    }
  }

  @Test("A transaction conflicts with a change that others may have counted before a gap appeared")
  func uncertain() {
    var contents = SettingsContents()
    contents.noteGap(at: 0)
    let counts9 = contents.apply(set("a", 1, knowing: 0), at: 40, in: 7)
    #expect(!counts9)
    let change = SettingsRecord.Change(name: SettingsName("a"), value: .integer(9))
    let counts10 = contents.apply(record(.transaction, 30, [change]), at: 90, in: 7)
    #expect(!counts10)
    let counts11 = contents.apply(record(.transaction, 91, [change]), at: 140, in: 7)
    #expect(counts11)
  }

  @Test("The next journal begins with the values of the one that ended")
  func journals() {
    var contents = SettingsContents(ValueTable(["a": .integer(1), "b": .integer(1)]))
    _ = contents.apply(set("a", 2, knowing: 0), at: 0, in: 7)
    let change = SettingsRecord.Change(name: SettingsName("b"), value: nil)
    _ = contents.apply(record(.set, 50, [change]), at: 50, in: 7)
    contents.beginJournal()
    #expect(contents.mergedAtStart == byName(["a": .integer(2)]))
    #expect(contents.firstDigest(of: SettingsName("b")) == 0)
    #expect(contents.firstDigest(of: SettingsName("a")) == BinaryValue.digest(of: .integer(2)))
    _ = contents.apply(set("a", 3, knowing: 0), at: 0, in: 7)
    #expect(contents.firstDigest(of: SettingsName("a")) == nil)
    #expect(contents.mergedAtStart == byName(["a": .integer(2)]))
    contents.fold()
    #expect(contents.merged == byName(["a": .integer(3)]))
    for value in [1, 2, 3] as [Int64] {
      #expect(contents.knows(.integer(value), of: SettingsName("a")))
    }
    #expect(!contents.knows(.integer(4), of: SettingsName("a")))
  }

  @Test("A record's bytes are read back, and other bytes are refused")
  func recordBytes() throws {
    var bytes = ByteBuffer()
    SettingsRecord.begin(.transaction, generation: 3, offset: 77, in: &bytes)
    SettingsRecord.add(.string("x"), of: "key", before: 5, to: &bytes)
    SettingsRecord.add(nil, of: "gone", before: nil, to: &bytes)
    SettingsRecord.addRead(of: "read", to: &bytes)
    let all = [UInt8](bytes.bytes)
    let record = try #require(all.withUnsafeBytes { SettingsRecord($0) })
    #expect(record.kind == .transaction && record.generation == 3 && record.offset == 77)
    #expect(record.changes.map(\.name.string) == ["key", "gone", "read"])
    #expect(record.changes.map(\.value) == [.string("x"), nil, nil])
    #expect(record.changes.map(\.before) == [5, nil, nil])
    #expect(record.changes.map(\.isReadOnly) == [false, false, true])
    for count in 0..<17 { #expect(all[..<count].withUnsafeBytes { SettingsRecord($0) } == nil) }
    for kind in UInt8(8)...255 {
      #expect(([kind] + all[1...]).withUnsafeBytes { SettingsRecord($0) } == nil)
    }
  }

  @Test("A property list says which journal follows, until it is edited")
  func propertyList() {
    let bytes = SettingsPropertyList.serialize([(key: "a", value: .string("b"))], before: 12)
    #expect(SettingsPropertyList.header(of: bytes)! == (12, true))
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(SettingsPropertyList.header(of: damaged)?.isSound != true, "byte \(index)")
      #expect(SettingsPropertyList.header(of: Array(bytes[..<index]))?.isSound != true)
    }
    #expect(SettingsPropertyList.header(of: bytes + Array("<!-- mine -->".utf8))?.isSound == false)
  }
}
