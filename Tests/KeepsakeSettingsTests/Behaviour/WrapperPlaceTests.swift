import FoundationEssentials
import KeepsakeSettings
import Testing

extension SettingsKey where Value == Int {
  fileprivate static let laps = SettingsKey("laps", default: 3)
}

/// A store for static properties, which any task may initialize first.
private let staticStore = SettingsStore.inMemory()

private struct Workout {
  @AppStorage("ratings") private(set) var ratings = ""
  let title: String

  /// Writes in its initializer, as a view does before it is shown.
  init(title: String, exercises: Int) {
    self.title = title
    if ratings.count < exercises {
      ratings += String(repeating: "0", count: exercises - ratings.count)
    }
  }

  func rate(_ rating: Character, at index: Int) {
    var characters = Array(ratings)
    characters[index] = rating
    ratings = String(characters)
  }
}

private final class Reference {
  @AppStorage("count") var count = 0
  @AppStorage(.laps) var laps
}

private final class OfAStore {
  @AppStorage private(set) var count: Int
  @AppStorage private(set) var level: Level
  @AppStorage private(set) var player: Player?

  init(store: SettingsStore) {
    _count = AppStorage(wrappedValue: 7, "count", store: store)
    _level = AppStorage(wrappedValue: .middle, "level", store: store)
    _player = AppStorage("player", store: store)
  }

  func set(_ newCount: Int, _ newLevel: Level, _ newPlayer: Player?) {
    (count, level, player) = (newCount, newLevel, newPlayer)
  }
}

private actor Counter {
  @AppStorage("count") private var count = 0

  func increment() -> Int {
    count += 1
    return count
  }
}

/// The compiler requires an actor for a mutable static property.
@MainActor
private enum Shared {
  @AppStorage("theme", store: staticStore) static var theme = Appearance.light
  @AppStorage("visits", store: staticStore) static var visits: Int?
}

@Suite("AppStorage in any declaration") struct WrapperPlaceTests {
  @Test("A structure can write a property in its initializer, before it is shown")
  func structureInitializer() {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let workout = Workout(title: "Squat", exercises: 4)
      #expect(workout.ratings == "0000")
      // The structure is immutable: the value is in the store.
      workout.rate("5", at: 2)
      #expect(Workout(title: "Burpee", exercises: 4).ratings == "0050")
      #expect(store[SettingsKey("ratings", default: "")] == "0050")
      #expect(Workout(title: "More", exercises: 5).ratings == "00500")
      #expect(workout.ratings == "00500")
    }
  }

  @Test("AppStorage works in a class, with a key that is declared once") func inClass() {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let first = Reference()
      let second = Reference()
      first.count += 1
      second.count += 1
      #expect(first.count == 2 && second.count == 2)
      #expect(first.laps == 3)
      second.laps = 5
      #expect(first.laps == 5 && store[.laps] == 5)
    }
  }

  @MainActor
  @Test("AppStorage works as a static property") func asStaticProperty() {
    #expect(Shared.theme == .light && Shared.visits == nil)
    Shared.theme = .dark
    Shared.visits = 1
    #expect(staticStore.names == ["theme", "visits"])
    #expect(Shared.theme == .dark && Shared.visits == 1)
    Shared.visits = nil
    #expect(staticStore.names == ["theme"])
  }

  @Test("AppStorage works in an actor") func inActor() async {
    let store = SettingsStore.inMemory()
    await SettingsStore.withStandard(store) {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { _ = await counter.increment() } }
      }
      #expect(store[SettingsKey("count", default: 0)] == 100)
    }
  }

  @Test("AppStorage works as a local variable") func asLocalVariable() {
    @AppStorage("local", store: .inMemory()) var local = 1
    local += 1
    #expect(local == 2)
  }

  @Test("A property uses the store that it is given") func explicitStore() {
    let (one, two) = (SettingsStore.inMemory(), SettingsStore.inMemory())
    let first = OfAStore(store: one)
    let second = OfAStore(store: two)
    first.set(1, .high, Player(name: "Ray", scores: []))
    #expect(first.count == 1 && first.level == .high && first.player?.name == "Ray")
    #expect(second.count == 7 && second.level == .middle && second.player == nil)
    #expect(two.names == [])
    #expect(OfAStore(store: one).count == 1)
  }

  @Test("A property retains its store") func retainsStore() {
    let property: AppStorage<Int>
    do {
      let store = SettingsStore.inMemory()
      property = AppStorage(wrappedValue: 0, "count", store: store)
      property.wrappedValue = 4
    }
    #expect(property.wrappedValue == 4)
  }

  @Test("Properties of different types can share a key") func twoTypes() {
    let store = SettingsStore.inMemory()
    let number = AppStorage(wrappedValue: 0, "value", store: store)
    let double = AppStorage(wrappedValue: 0.5, "value", store: store)
    let level = AppStorage(wrappedValue: Level.low, "value", store: store)
    number.wrappedValue = 2
    #expect(double.wrappedValue == 2.0 && level.wrappedValue == .high)
    double.wrappedValue = 1
    #expect(number.wrappedValue == 1 && level.wrappedValue == .middle)
  }
}

@Suite("Bindings to AppStorage properties") struct BindingTests {
  @Test("A binding reads and writes the property") func property() {
    @AppStorage("count", store: .inMemory()) var count = 1
    let binding = $count
    #expect(binding.wrappedValue == 1)
    binding.wrappedValue = 2
    #expect(count == 2)
    count = 3
    #expect(binding.wrappedValue == 3 && binding.projectedValue.wrappedValue == 3)
  }

  @Test("A binding reads and writes a part of the value") func partOfValue() {
    let store = SettingsStore.inMemory()
    @AppStorage("player", store: store) var player = Player(name: "", scores: [1, 2])
    let name = $player.name
    name.wrappedValue = "Ray"
    $player.scores.wrappedValue.append(3)
    $player.appearance.wrappedValue = .dark
    #expect(player == Player(name: "Ray", scores: [1, 2, 3], appearance: .dark))
    #expect($player.scores[1].wrappedValue == 2)
    $player.scores[1].wrappedValue = 9
    #expect(
      store[SettingsKey("player", default: Player(name: "", scores: []))].scores == [1, 9, 3])
  }

  @Test("A binding can be passed to a view's own property") func viewProperty() {
    struct Field {
      @Binding var text: String
      func type(_ more: String) { text += more }
    }
    @AppStorage("text", store: .inMemory()) var text = "a"
    Field(text: $text).type("b")
    #expect(text == "ab")
  }

  @Test("A constant binding never changes") func constant() {
    let binding = Binding.constant(4)
    binding.wrappedValue = 5
    #expect(binding.wrappedValue == 4)
  }
}
