#if Macros
import Foundation
import KeepsakeFiles
public import KeepsakeMacros
import SystemPackage
import Testing

@ObservableSettings
final class Options {
  enum Units: String { case metric, imperial }
  struct Size: Codable, Equatable { var width = 1 }

  var units = Units.metric
  @Key("userName") var name: String?
  var sizes: [Size] = [Size(width: 2)]
  var start = Date(timeIntervalSince1970: 0)
  @Validated(in: 1...5) var rating = 3
  @Validated("a word", { (word: String) in !word.isEmpty }) var word: String = "a"
  @InScene var tab = 9
  @NotStored var isEditing = false
  @NotStored var selection: Int?
  @AppStorage("other") var other = 1
  let constant = 5
  var doubled: Int { rating * 2 }
}

@ObservableSettings
final class OwnStore: Sendable {
  let store: SettingsStore
  var count = 0

  init(_ store: SettingsStore) {
    self.store = store
    count += 1
  }
}

/// A class whose settings others can change.
@ObservableSettings @MainActor public class Shared {
  /// A name that is a word of the language.
  public var `default` = 1
  private(set) var counter = 0
  func count() { counter += 1 }
}

@ObservableSettings
final class Newer {
  @Key("userName", aliases: "user", "login") var name: String?
  @Migrated(from: "length", { (old: Int) in Duration.seconds(old) }) var duration = Duration.zero
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").first.flatMap { Int($0) } })
  var lowest = 1
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").last.flatMap { Int($0) } })
  var highest = 10
  @Migrated({ (old: String) in Int(old) }) var count = 0
  @Migrated(from: "mode", { (old: Bool) throws in try Newer.refuse(old) }) var level = 2

  struct Refusal: Error {}
  static func refuse(_ old: Bool) throws -> Int? {
    if old { throw Refusal() }
    return 7
  }
}

@Suite("A class with @ObservableSettings", .timeLimit(.minutes(10)))
struct ObservableSettingsTests {
  /// Whether a change notifies what reads a value.
  private func isNotified<Value>(_ read: () -> Value, of change: () throws -> Void) rethrows -> Bool
  {
    let changed = Flag()
    withObservationTracking {
      _ = read()
    } onChange: {
      changed.set()
    }
    try change()
    return changed.value
  }

  private final class Flag: @unchecked Sendable {
    // Only accessed with the lock.
    private var isNotified = false
    private let lock = NSLock()
    var value: Bool { lock.withLock { isNotified } }
    func set() { lock.withLock { isNotified = true } }
  }

  @Test("has its properties as settings, and nowhere else") func properties() throws {
    let store = SettingsStore.inMemory()
    let options = Options(store: store)
    #expect(options.units == .metric && options.name == nil && options.tab == 9)
    #expect(options.sizes == [Options.Size(width: 2)] && store.names.isEmpty)
    options.units = .imperial
    options.name = "Ada"
    options.sizes[0].width = 7
    options.start += 1
    options.isEditing = true
    options.selection = 4
    #expect(store.names == ["sizes", "start", "units", "userName"])
    #expect(store[SettingsKey("units", default: "")] == "imperial")
    let other = Options(store: store)
    #expect(other.units == .imperial && other.name == "Ada" && other.sizes[0].width == 7)
    #expect(other.start == Date(timeIntervalSince1970: 1))
    #expect(!other.isEditing && other.selection == nil)
    try store.set("Grace", for: SettingsKey("userName", default: ""))
    #expect(options.name == "Grace")
    options.name = nil
    #expect(store.names == ["sizes", "start", "units"])
  }

  @Test("has a key for each, for transactions") func keys() throws {
    let store = SettingsStore.inMemory()
    try store.transaction {
      $0[Options.ratingKey] += 1
      $0[Options.nameKey] = "Ada"
    }
    let options = Options(store: store)
    #expect(options.rating == 4 && options.doubled == 8 && options.name == "Ada")
    #expect(Options.nameKey.name == "userName")
    #expect(Options.unitsKey.defaultValue == .metric)
  }

  @Test("refuses and ignores values that are not valid") func validation() throws {
    let store = SettingsStore.inMemory { _ in }
    let options = Options(store: store)
    options.rating = 6
    options.word = ""
    #expect(options.rating == 3 && options.word == "a" && store.names.isEmpty)
    #expect(throws: SettingsError.self) { try store.set(0, for: Options.ratingKey) }
    try store.set(9, for: SettingsKey("rating", default: 0))
    #expect(options.rating == 3)
  }

  @Test("notifies only what reads a changed property") func observation() throws {
    let store = SettingsStore.inMemory()
    let options = Options(store: store)
    #expect(
      isNotified {
        options.units
      } of: {
        options.units = .imperial
      })
    #expect(
      isNotified {
        options.units
      } of: {
        Options(store: store).units = .metric
      })
    #expect(
      !isNotified {
        options.units
      } of: {
        options.name = "Ada"
      })
    #expect(
      isNotified {
        options.isEditing
      } of: {
        options.isEditing = true
      })
    #expect(
      !isNotified {
        options.isEditing
      } of: {
        options.selection = 1
      })
    #expect(
      !isNotified {
        options.selection
      } of: {
        options.units = .imperial
      })
    #expect((options as Any) is any Observable)
  }

  @Test("notifies when another process changed a value") func processes() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("settings-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    func open() throws -> Options {
      Options(
        store: try SettingsStore(
          container: AppContainer(root: FilePath(directory.path), identifier: "com.example.Macros"),
          arguments: []))
    }
    let (ours, theirs) = (try open(), try open())
    let changed = Flag()
    let others = Flag()
    withObservationTracking {
      _ = ours.rating
    } onChange: {
      changed.set()
    }
    withObservationTracking {
      _ = ours.name
    } onChange: {
      others.set()
    }
    theirs.rating = 5
    while !changed.value || ours.rating != 5 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(!others.value && ours.name == nil)
    try await theirs.store.synchronize()
    #expect(try open().rating == 5)
  }

  @Test("keeps what belongs to a window in it") func scenes() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("scenes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let sessions = try SceneSessions(
      container: AppContainer(root: FilePath(directory.path), identifier: "com.example.Macros"))
    let store = SettingsStore.inMemory()
    let windows = try (1...2).map { try sessions.session(id: "\($0)") }
    let options = windows.map { window in
      SceneSession.$current.withValue(window) { Options(store: store) }
    }
    options[0].tab = 3
    options[0].rating = 4
    #expect(options.map(\.tab) == [3, 9] && options.map(\.rating) == [4, 4])
    #expect(store.names == ["rating"])
    #expect(
      isNotified {
        options[0].tab
      } of: {
        options[0].tab = 1
      })
  }

  @Test("can have an own store and initializer, an actor, and private setters")
  @MainActor func declarations() {
    let store = SettingsStore.inMemory()
    #expect(OwnStore(store).count == 1 && OwnStore(store).count == 2)
    let shared = Shared(store: store)
    shared.count()
    shared.default += 1
    #expect(store[SettingsKey("counter", default: 0)] == 1 && shared.counter == 1)
    #expect(store[SettingsKey("default", default: 0)] == 2)
  }

  @Test("moves what an earlier version stored, once") func migration() throws {
    let problems = Flag()
    let store = SettingsStore.inMemory { _ in problems.set() }
    try store.transaction {
      $0[SettingsKey("login", default: "")] = "Ada"
      $0[SettingsKey("length", default: 0)] = 30
      $0[SettingsKey("range", default: "")] = "3-8"
      $0[SettingsKey("count", default: "")] = "12"
      $0[SettingsKey("mode", default: false)] = false
    }
    for _ in 0..<2 {
      let newer = Newer(store: store)
      #expect(newer.name == "Ada" && newer.duration == .seconds(30) && newer.count == 12)
      #expect(newer.lowest == 3 && newer.highest == 8 && newer.level == 7)
      #expect(store.names == ["count", "duration", "highest", "level", "lowest", "userName"])
    }
    #expect(try store.preservedValues().isEmpty && !problems.value)
  }

  @Test("keeps what cannot be moved, and what is there already") func refusedMigration() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.transaction {
      $0[SettingsKey("user", default: "")] = "Ada"
      $0[SettingsKey("userName", default: "")] = "Grace"
      $0[SettingsKey("length", default: "")] = "long"
      $0[SettingsKey("range", default: "")] = "low-high"
      $0[SettingsKey("count", default: "")] = "many"
      $0[SettingsKey("mode", default: false)] = true
    }
    let newer = Newer(store: store)
    #expect(newer.name == "Grace" && newer.duration == .zero && newer.count == 0)
    #expect(newer.lowest == 1 && newer.highest == 10 && newer.level == 2)
    #expect(store.names == ["count", "length", "mode", "range", "user", "userName"])
    #expect(store[SettingsKey("count", default: "")] == "many")
    #expect(store[SettingsKey("length", default: "")] == "long")
  }

  @Test("converts nothing that the app has not stored itself") func otherLayers() throws {
    let store = SettingsStore.inMemory()
    store.register(defaults: ["length": 30, "count": "12"])
    try store.set("3-8", for: SettingsKey("range", default: ""))
    let newer = Newer(store: store)
    #expect(newer.lowest == 3 && newer.highest == 8 && newer.duration == .zero)
    #expect(store.names == ["highest", "lowest"])
  }

  @Test("has a binding for each property") func bindings() {
    @Bindable var object = OwnStore(.inMemory())
    let count = $object.count
    count.wrappedValue += 4
    #expect(object.count == 5 && count.wrappedValue == 5)
    #expect(
      isNotified {
        object.count
      } of: {
        count.wrappedValue = 6
      })
  }
}
#endif
