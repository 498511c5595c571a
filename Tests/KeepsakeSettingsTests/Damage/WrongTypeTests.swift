import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A stored value of another type") struct WrongTypeTests {
  enum Exercise: String { case squat, burpee }
  struct Session: Codable, Equatable { var rounds = 3 }

  static let stored: [PropertyList.Value] = [
    .string("text"), .string(""), .integer(-1), .integer(300), .integer(.max), .unsigned(.max),
    .real(1.5), .real(.nan), .real(.infinity), .boolean(true),
    .date(Date(timeIntervalSince1970: 0)),
    .data(Data([0, 255])), .array([]), .array([.integer(1), .string("a")]), .dictionary([:]),
    .dictionary(["rounds": .string("many")]), .dictionary(["": .array([.dictionary([:])])]),
  ]

  @Test("P9: Another type gives the default and one report, or an error with key and file")
  func defaultOrError() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("types.plist")
      let entries = Dictionary(
        uniqueKeysWithValues: Self.stored.enumerated().map { ("key\($0.offset)", $0.element) })
      let bytes = PropertyList.Value.dictionary(entries).serializedXML()
      try LocalFileSystem().replaceFile(at: path, with: bytes)
      var reads = 0
      for name in entries.keys.sorted() {
        reads += try read("", name, path)
        reads += try read(7, name, path)
        reads += try read(7 as Int8, name, path)
        reads += try read(7 as UInt64, name, path)
        reads += try read(0.5, name, path)
        reads += try read(0.5 as Float, name, path)
        reads += try read(true, name, path)
        reads += try read(Date(timeIntervalSince1970: 1), name, path)
        reads += try read(Data([1]), name, path)
        reads += try read(URL(string: "https://example.com")!, name, path)
        reads += try read(UUID(), name, path)
        reads += try read(Decimal(1), name, path)
        reads += try read(["a"], name, path)
        reads += try read(["a": 1], name, path)
        reads += try read(PropertyList.Value.boolean(false), name, path)
        reads += try read(SettingsKey(name, default: Exercise.squat), path)
        reads += try read(SettingsKey(name, default: Session(rounds: 9)), path)
        reads += try read(SettingsKey(name, default: [Session(rounds: 9)]), path)
        reads += try read(SettingsKey<Int?>(name), path)
        reads += try read(SettingsKey<Exercise?>(name), path)
        reads += try read(SettingsKey<Session?>(name), path)
      }
      #expect(reads == entries.count * 21)
      // Except for the comment that says which journal follows.
      #expect(try LocalFileSystem().readFile(at: path)!.starts(with: bytes))
      print("values read as another type: \(reads)")
    }
  }

  private func read<Value: SettingsValue & Equatable>(
    _ fallback: Value, _ name: String, _ path: FilePath
  ) throws -> Int {
    try read(SettingsKey(name, default: fallback), path)
  }

  private func read<Value: Equatable>(_ key: SettingsKey<Value>, _ path: FilePath) throws -> Int {
    let problems = Problems()
    let store = try SettingsStore(
      file: path, fileSystem: LocalFileSystem(), isAutomatic: false
    ) { problems.add($0) }
    let wrapped = AppStorage(key, store: store)
    do throws(SettingsError) {
      let value = try store.value(for: key)
      // Of an empty dictionary the keys are taken from the default.
      #expect(problems.codes.isEmpty || problems.codes == [.incomplete])
      // NaN does not equal itself.
      #expect(store[key] == value || value != value)
      #expect(wrapped.wrappedValue == value || value != value)
    } catch {
      #expect(error.code == .wrongType)
      #expect(error.key == key.name)
      #expect(error.file == path)
      #expect(error.cause != nil)
      for _ in 0..<2 {
        #expect(store[key] == key.defaultValue)
        #expect(wrapped.wrappedValue == key.defaultValue)
      }
      #expect(problems.all.map(\.code) == [.wrongType])
    }
    return 1
  }
}
