import FoundationEssentials
import KeepsakeSettings
import Testing

extension SettingsKey where Value == Int {
  fileprivate static let laps = SettingsKey("laps", default: 3)
}

/// A store of their own for the properties that no test's task can reach first.
private let shelf = SettingsStore.inMemory()

private struct Workout {
  @AppStorage("ratings") private(set) var ratings = ""
  let title: String

  /// As an app's view does before anything shows it: writes in its own initializer.
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

/// The compiler wants an actor for a static property, as for any that can change.
@MainActor
private enum Shared {
  @AppStorage("theme", store: shelf) static var theme = Appearance.light
  @AppStorage("visits", store: shelf) static var visits: Int?
}

@Suite("A property in AppStorage anywhere") struct WrapperPlaceTests {
  @Test("can be written in the initializer of a structure, without being shown")
  func canBeWrittenInTheInitializer() {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let workout = Workout(title: "Squat", exercises: 4)
      #expect(workout.ratings == "0000")
      // A structure that is not mutable: the value lives in the store, not in it.
      workout.rate("5", at: 2)
      #expect(Workout(title: "Burpee", exercises: 4).ratings == "0050")
      #expect(store[SettingsKey("ratings", default: "")] == "0050")
      #expect(Workout(title: "More", exercises: 5).ratings == "00500")
      #expect(workout.ratings == "00500")
    }
  }

  @Test("works in a class and by a key that is declared once") func worksInAClass() {
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
  @Test("works as a static property") func worksAsAStaticProperty() {
    #expect(Shared.theme == .light && Shared.visits == nil)
    Shared.theme = .dark
    Shared.visits = 1
    #expect(shelf.names == ["theme", "visits"])
    #expect(Shared.theme == .dark && Shared.visits == 1)
    Shared.visits = nil
    #expect(shelf.names == ["theme"])
  }

  @Test("works in an actor") func worksInAnActor() async {
    let store = SettingsStore.inMemory()
    await SettingsStore.withStandard(store) {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { _ = await counter.increment() } }
      }
      #expect(store[SettingsKey("count", default: 0)] == 100)
    }
  }

  @Test("works as a local variable") func worksAsALocalVariable() {
    @AppStorage("local", store: .inMemory()) var local = 1
    local += 1
    #expect(local == 2)
  }

  @Test("belongs to the store that it is given") func belongsToTheStore() {
    let (one, two) = (SettingsStore.inMemory(), SettingsStore.inMemory())
    let first = OfAStore(store: one)
    let second = OfAStore(store: two)
    first.set(1, .high, Player(name: "Ray", scores: []))
    #expect(first.count == 1 && first.level == .high && first.player?.name == "Ray")
    #expect(second.count == 7 && second.level == .middle && second.player == nil)
    #expect(two.names == [])
    #expect(OfAStore(store: one).count == 1)
  }

  @Test("keeps its store alive") func keepsItsStoreAlive() {
    let property: AppStorage<Int>
    do {
      let store = SettingsStore.inMemory()
      property = AppStorage(wrappedValue: 0, "count", store: store)
      property.wrappedValue = 4
    }
    #expect(property.wrappedValue == 4)
  }

  @Test("reads the same key as another type without harming it") func readsTheSameKeyAsAnotherType()
  {
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

@Suite("A binding to a property in AppStorage") struct BindingTests {
  @Test("reads and writes the property") func readsAndWritesTheProperty() {
    @AppStorage("count", store: .inMemory()) var count = 1
    let binding = $count
    #expect(binding.wrappedValue == 1)
    binding.wrappedValue = 2
    #expect(count == 2)
    count = 3
    #expect(binding.wrappedValue == 3 && binding.projectedValue.wrappedValue == 3)
  }

  @Test("reads and writes a part of the value") func readsAndWritesAPart() {
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

  @Test("goes into a view's own property") func goesIntoAViewsOwnProperty() {
    struct Field {
      @Binding var text: String
      func type(_ more: String) { text += more }
    }
    @AppStorage("text", store: .inMemory()) var text = "a"
    Field(text: $text).type("b")
    #expect(text == "ab")
  }

  @Test("to a constant never changes") func toAConstantNeverChanges() {
    let binding = Binding.constant(4)
    binding.wrappedValue = 5
    #expect(binding.wrappedValue == 4)
  }
}
