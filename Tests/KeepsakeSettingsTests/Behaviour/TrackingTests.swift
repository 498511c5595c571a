import Foundation
import KeepsakeSettings
import Observation
import Testing

// Only used by the thread of the test.
@Observable
private final class Model: @unchecked Sendable {
  @ObservationIgnored @AppStorage("rating") var rating = 0
  @ObservationIgnored @AppStorage("title") var title: String?
  var own = 0
}

@Suite("Observation of a setting (P6)", .timeLimit(.minutes(10))) struct TrackingTests {
  private let store = SettingsStore.inMemory()
  private let rating = SettingsKey("rating", default: 0)

  /// Evaluates once, and records what is read at each notification of a change.
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

  @Test("Observation reports a change once, after it, when the new value can be read")
  func firesOnce() throws {
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

  @Test("Observation reports every way of changing a value") func everyWayToChange() throws {
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

  @Test("Observation ignores changes of other keys") func otherKeys() throws {
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

  @Test("Observation ignores a change that was not made") func refusedChange() throws {
    let seen = track { [store, rating] in store[rating] }
    try? store.transaction {
      $0[rating] = 4
      throw CancellationError()
    }
    try? store.set(Unwritable(), for: SettingsKey("rating", default: Unwritable()))
    #expect(seen.all == [])
  }

  @Test("Observation reports changes of another store of the same files")
  func otherStore() async throws {
    try await withHome { home in
      let (one, other) = (try home.open(), try home.open())
      let changes = AsyncStream.makeStream(of: Int.self)
      withObservationTracking {
        _ = other[rating]
      } onChange: {
        changes.continuation.yield(other[SettingsKey("rating", default: 0)])
      }
      try one.set(4, for: rating)
      for await value in changes.stream {
        #expect(value == 4)
        break
      }
    }
  }

  @Test("A change by another thread that Observation tells nobody of is counted")
  func changesAreCounted() {
    let tally = Tally()
    let changed = DispatchSemaphore(value: 0)
    _ = store[rating]
    let before = ObservedChanges.count
    withObservationTracking {
      _ = store[rating]
      Thread.detachNewThread { [store] in
        store[SettingsKey("rating", default: 0)] = 1
        changed.signal()
      }
      changed.wait()
    } onChange: {
      tally.add()
    }
    #expect(tally.count == 0)
    #expect(ObservedChanges.count != before)
  }

  @Test("A change during a read does not prevent the report of the next one")
  func changeWhileReading() {
    // Observation registers a reader only after it has read everything: an earlier change is
    // missed, as with any observable, but the next change must not be.
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

  @Test("Properties of an observable class can be observed") func observableClass() {
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

  @Test("An observer reads the latest value in the end while four tasks set it")
  func latestValue() async throws {
    let latest = AsyncStream.makeStream(of: Void.self)
    let watching = Task { [store] in
      var seen = 0
      while seen != -1 {
        let changes = AsyncStream.makeStream(of: Void.self)
        // As a view does: reads again if a change came in between.
        let value = withObservationTracking {
          store[SettingsKey("rating", default: 0)]
        } onChange: {
          changes.continuation.finish()
        }
        if value != store[SettingsKey("rating", default: 0)] { continue }
        seen = value
        if seen == -1 { break }
        for await _ in changes.stream {}
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

  @Test("Observations returns the values of a setting") func observations() async throws {
    let property = AppStorage(rating, store: store)
    let values = Observations { property.wrappedValue }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for value in 1...100 {
      store[rating] = value
      #expect(await iterator.next() == value)
    }
  }

  /// What a reader saw at each notification.
  private final class Seen<Value: Sendable>: @unchecked Sendable {
    // Only changed by the thread of the test.
    private(set) var all: [Value] = []
    func note(_ value: Value) { all.append(value) }
  }
}
