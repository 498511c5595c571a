import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage

/// The files of a small store, as a killed process leaves them.
struct SmallStore {
  /// The values in the property list.
  static let saved: [String: String] = [
    "alpha": "first", "beta": "second <&>", "gamma": "third\nline", "delta": "Zürich 🚲",
    "epsilon": "", "zeta": "sixth",
  ]
  /// The changes in the journal.
  static let changes: [(key: String, value: String?)] = [
    ("alpha", "changed"), ("eta", "new"), ("beta", nil), ("zeta", "changed"), ("zeta", "again"),
    ("theta", "last"),
  ]

  let propertyList: [UInt8]
  let journal: [UInt8]
  /// The journal that follows the first property list.
  static let journalName = "small.journal-2"
  /// Where each record of the journal begins, and where the last one ends.
  let recordEnds: [Int]

  init() throws {
    let files = LocalFileSystem()
    self = try withTemporaryDirectory { root in
      let path = root.appending("small.plist")
      let store = try SettingsStore(file: path, fileSystem: files, isAutomatic: false)
      for (key, value) in Self.saved { try store.set(value, for: SettingsKey(key, default: "")) }
      try store.save()
      let journalPath = root.appending(Self.journalName)
      var ends = [try files.readFile(at: journalPath)!.count]
      for (key, value) in Self.changes {
        try store.set(value, for: SettingsKey<String?>(key))
        ends.append(try files.readFile(at: journalPath)!.count)
      }
      return try SmallStore(
        propertyList: files.readFile(at: path)!, journal: files.readFile(at: journalPath)!,
        recordEnds: ends)
    }
  }

  private init(propertyList: [UInt8], journal: [UInt8], recordEnds: [Int]) {
    self.propertyList = propertyList
    self.journal = journal
    self.recordEnds = recordEnds
  }

  /// The values after some of the journal's changes.
  static func values(after changes: some Sequence<(key: String, value: String?)>) -> [String:
    String]
  {
    var values = saved
    for (key, value) in changes { values[key] = value }
    return values
  }

  /// The values after all of the journal's changes but one.
  static func values(without lost: Int?) -> [String: String] {
    values(after: changes.enumerated().filter { $0.offset != lost }.map(\.element))
  }

  /// Writes files to a directory, and opens the store twice.
  ///
  /// - Returns: What the first opening found; the second must find the same without a report.
  static func open(
    propertyList: [UInt8]?, journal: [UInt8]?, in directory: FilePath
  ) throws -> Opening {
    let files = LocalFileSystem()
    for name in try files.contents(ofDirectory: directory) {
      try files.remove(directory.appending(name))
    }
    let path = directory.appending("small.plist")
    if let propertyList { try write(propertyList, at: path) }
    if let journal { try write(journal, at: directory.appending(journalName)) }
    let first = try values(at: path)
    let second = try values(at: path)
    return try Opening(
      values: first.values, problems: first.problems,
      isStable: second.values == first.values && second.problems.isEmpty,
      quarantined: Dictionary(
        uniqueKeysWithValues: files.contents(ofDirectory: directory)
          .filter { $0.contains(".damaged-") || $0.contains(".unreadable-") }
          .map { ($0, try files.readFile(at: directory.appending($0))!) }))
  }

  /// What opening a store found.
  struct Opening {
    var values: [String: String]
    var problems: [SettingsError]
    var isStable: Bool
    var quarantined: [String: [UInt8]]
  }

  private static func values(
    at path: FilePath
  ) throws -> (values: [String: String], problems: [SettingsError]) {
    let problems = Problems()
    let store = try SettingsStore(
      file: path, fileSystem: LocalFileSystem(), isAutomatic: false
    ) { problems.add($0) }
    let damage = problems.all
    var values: [String: String] = [:]
    for name in store.names {
      // A value may have become one of another type.
      values[name] = store[SettingsKey<String?>(name)] ?? "not a string"
    }
    return (values, damage)
  }

  private static func write(_ bytes: [UInt8], at path: FilePath) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}
