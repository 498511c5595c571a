import KeepsakeSettings
import Observation
import Testing

// Used by the thread of the test alone.
@Observable
private final class Model: @unchecked Sendable {
  @ObservationIgnored @AppStorage("rating") var rating = 0
  @ObservationIgnored @AppStorage("title") var title: String?
  var own = 0
}

@Suite("Observation of a setting (P6)", .timeLimit(.minutes(5))) struct TrackingTests {
  private let store = SettingsStore.inMemory()
  private let rating = SettingsKey("rating", default: 0)

  /// Evaluates once, and counts the change it is told of, with what is seen then.
  private func track<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable () -> Value
  ) -> Seen<Value> {
    let seen = Seen<Value>()
    withObservationTracking {
      _ = read()
    } onChange: {
      seen.note(read())
    }
    return seen
  }

  @Test("fires once, after the change, with the new value in sight") func firesOnce() throws {
    let property = AppStorage(rating, store: store)
    let byProperty = track { property.wrappedValue }
    let byStore = track { [store] in store[SettingsKey("rating", default: 0)] }
    let byThrowing = track { [store] in try? store.value(for: SettingsKey("rating", default: 0)) }
    let byBinding = track { property.projectedValue.wrappedValue }
    property.wrappedValue = 4
    #expect(byProperty.all == [4] && byStore.all == [4])
    #expect(byThrowing.all == [4] && byBinding.all == [4])
    property.wrappedValue = 5
    #expect(byProperty.all == [4] && byStore.all == [4])
    let again = track { property.wrappedValue }
    try store.remove(rating)
    #expect(again.all == [0])
  }

  @Test("fires for whatever way the value changes") func firesForWhateverWayTheValueChanges() throws
  {
    func expectFired(_ value: Int, _ change: () throws -> Void) rethrows {
      let seen = track { [store, rating] in store[rating] }
      try change()
      #expect(seen.all == [value])
    }
    try expectFired(1) { try store.set(1, for: rating) }
    expectFired(2) { AppStorage(rating, store: store).wrappedValue = 2 }
    expectFired(3) { AppStorage(rating, store: store).projectedValue.wrappedValue = 3 }
    try expectFired(4) { try store.transaction { $0[rating] = 4 } }
    try expectFired(0) { try store.transaction { $0.remove(rating) } }
    expectFired(5) { store.register(defaults: ["rating": 5]) }
    expectFired(6) { store[rating] = 6 }
    try expectFired(5) { try store.remove(rating) }
  }

  @Test("does not fire for other keys") func doesNotFireForOtherKeys() throws {
    let seen = track { [store] in
      store[SettingsKey("a", default: 0)] + store[SettingsKey("b", default: 0)]
    }
    let other = track { [store] in store[SettingsKey("c", default: 0)] }
    try store.set(1, for: SettingsKey("c"))
    #expect(seen.all == [] && other.all == [1])
    try store.set(1, for: SettingsKey("A"))
    try store.set(1, for: SettingsKey("a.b"))
    try store.transaction { $0[SettingsKey("d", default: 0)] = 1 }
    #expect(seen.all == [])
    try store.set(2, for: SettingsKey("b"))
    #expect(seen.all == [2])
  }

  @Test("does not fire for a change that was not made") func doesNotFireForAChange() throws {
    let seen = track { [store, rating] in store[rating] }
    try? store.transaction {
      $0[rating] = 4
      throw CancellationError()
    }
    try? store.set(Unwritable(), for: SettingsKey("rating", default: Unwritable()))
    #expect(seen.all == [])
  }

  @Test("is told of the changes of another store of the same files")
  func isToldOfTheChangesOfAnother() async throws {
    try await withHome { home in
      let (one, other) = (try home.open(), try home.open())
      let told = AsyncStream.makeStream(of: Int.self)
      withObservationTracking {
        _ = other[rating]
      } onChange: {
        told.continuation.yield(other[SettingsKey("rating", default: 0)])
      }
      try one.set(4, for: rating)
      for await value in told.stream {
        #expect(value == 4)
        break
      }
    }
  }

  @Test("is not lost to a change that comes while the reader is still reading")
  func isNotLostToAChange() {
    // Observation hears a reader only when it has read all it wants: what changes before is
    // missed, as everywhere, but the next change must not be.
    let property = AppStorage(rating, store: store)
    let tally = Tally()
    withObservationTracking {
      _ = property.wrappedValue
      property.wrappedValue = 1
    } onChange: {
      tally.add()
    }
    #expect(tally.count == 0)
    property.wrappedValue = 2
    #expect(tally.count == 1)

    withObservationTracking {
      _ = store[rating]
      store[rating] = 3
      store[rating] = 4
      store[rating] = 5
    } onChange: {
      tally.add()
    }
    store[rating] = 6
    #expect(tally.count == 2)
  }

  @Test("works in an observable class") func worksInAnObservableClass() {
    SettingsStore.withStandard(store) {
      let model = Model()
      let rating = track { model.rating }
      let title = track { model.title }
      let own = track { model.own }
      model.rating += 1
      #expect(rating.all == [1] && title.all == [] && own.all == [])
      store[SettingsKey<String?>("title")] = "Squat"
      #expect(title.all == ["Squat"] && own.all == [])
      model.own = 2
      #expect(own.all.count == 1)
    }
  }

  @Test("ends with the latest value while four tasks set and one watches")
  func endsWithTheLatestValueWhileFour() async throws {
    let latest = AsyncStream.makeStream(of: Void.self)
    let watching = Task { [store] in
      var seen = 0
      while seen != -1 {
        let told = AsyncStream.makeStream(of: Void.self)
        // As a view does: read again where a change came in between.
        let value = withObservationTracking {
          store[SettingsKey("rating", default: 0)]
        } onChange: {
          told.continuation.finish()
        }
        if value != store[SettingsKey("rating", default: 0)] { continue }
        seen = value
        if seen == -1 { break }
        for await _ in told.stream {}
      }
      latest.continuation.finish()
    }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { [store] in
          for value in 1...2000 { store[SettingsKey("rating", default: 0)] = value }
        }
      }
    }
    store[rating] = -1
    for await _ in latest.stream {}
    await watching.value
  }

  @Test("gives the values of Observations") func givesTheValuesOfObservations() async throws {
    let property = AppStorage(rating, store: store)
    let values = Observations { property.wrappedValue }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for value in 1...100 {
      store[rating] = value
      #expect(await iterator.next() == value)
    }
  }

  /// What a reader saw each time it was told.
  private final class Seen<Value: Sendable>: @unchecked Sendable {
    // Changed by the thread of the test alone.
    private(set) var all: [Value] = []
    func note(_ value: Value) { all.append(value) }
  }
}
