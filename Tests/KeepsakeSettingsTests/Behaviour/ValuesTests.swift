import KeepsakeBase
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("Values of a setting (P6)", .timeLimit(.minutes(10))) struct ValuesTests {
  private let store = SettingsStore.inMemory()
  private let count = SettingsKey("count", default: 0)

  @Test("The values start with the current one and continue with each later change")
  func startWithCurrentValue() async throws {
    var values = store.values(of: count).makeAsyncIterator()
    #expect(try await values.next() == 0)
    for value in 1...1000 {
      store[count] = value
      #expect(try await values.next() == value)
    }
    var later = store.values(of: count).makeAsyncIterator()
    #expect(try await later.next() == 1000)
  }

  @Test("The values reach the latest, in order, after ten thousand sets from four tasks")
  func latestValue() async throws {
    let total = SettingsKey("total", default: 0)
    let watchers = (0..<2).map { _ in
      Task { [store] in
        var seen = [0]
        for await value in store.values(of: SettingsKey("total", default: 0)) {
          #expect(value >= seen.last!)
          seen.append(value)
          if value == 10_000 { break }
        }
        return seen.last
      }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { [store] in
          for _ in 0..<2500 { try store.transaction { $0[total] += 1 } }
        }
      }
      try await group.waitForAll()
    }
    for watcher in watchers { #expect(await watcher.value == 10_000) }
    #expect(store[total] == 10_000)
  }

  @Test("All readers agree on the last of several sets that race") func racingSets() async throws {
    // Whichever set is the last, the watcher and the store agree on it.
    for _ in 0..<200 {
      let key = SettingsKey("race", default: 0)
      await withTaskGroup { group in
        for value in 1...4 { group.addTask { [store] in store[key] = value } }
      }
      let property = AppStorage(key, store: store)
      var values = store.values(of: key).makeAsyncIterator()
      let last = store[key]
      #expect(try await values.next() == last && property.wrappedValue == last)
      try store.transaction { #expect($0[key] == last) }
    }
  }

  @Test("Canceling its task ends a loop, whether it is waiting or not") func cancellation() async {
    let started = AsyncStream.makeStream(of: Void.self)
    let waiting = Task { [store, count] in
      var number = 0
      for await _ in store.values(of: count) {
        number += 1
        started.continuation.yield()
      }
      return number
    }
    for await _ in started.stream { break }
    waiting.cancel()
    #expect(await waiting.value == 1)

    let before = Task { [store, count] in
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in store.values(of: count) { return false }
      return true
    }
    #expect(await before.value)
    // A new loop is not affected by the end of an old one.
    for await value in store.values(of: count) {
      #expect(value == 0)
      break
    }
  }

  @Test("Changes of other keys do not wake a loop") func otherKeys() async throws {
    let woken = Tally()
    let arrived = AsyncStream.makeStream(of: Int.self)
    let waiting = Task { [store, count] in
      for await value in store.values(of: count) {
        woken.add()
        arrived.continuation.yield(value)
      }
    }
    var arrivals = arrived.stream.makeAsyncIterator()
    #expect(await arrivals.next() == 0)
    for number in 0..<1000 {
      try store.set(number, for: SettingsKey("other \(number % 10)"))
      if number % 100 == 0 { await Task.yield() }
    }
    try store.transaction { $0[SettingsKey("more", default: 0)] = 1 }
    #expect(woken.count == 1)
    try store.set(7, for: count)
    #expect(await arrivals.next() == 7)
    #expect(woken.count == 2)
    waiting.cancel()
  }

  @Test("Several loops receive the same values") func severalLoops() async throws {
    var loops = (0..<10).map { _ in store.values(of: count).makeAsyncIterator() }
    for value in 0...20 {
      store[count] = value
      for index in loops.indices { #expect(try await loops[index].next() == value) }
    }
  }

  @Test("A stored value of another type gives the default")
  func wrongType() async throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    var values = store.values(of: SettingsKey("k", default: 7)).makeAsyncIterator()
    #expect(try await values.next() == 7)
    store[SettingsKey("k", default: "")] = "text"
    #expect(try await values.next() == 7)
    #expect(problems.codes == [.wrongType])
    store[SettingsKey("k", default: 0)] = 8
    #expect(try await values.next() == 8)
  }

  @Test("The values of an optional setting continue after nil")
  func optionalSetting() async throws {
    let key = SettingsKey<String?>("title")
    var values = store.values(of: key).makeAsyncIterator()
    #expect(try await values.next() == .some(nil))
    try store.set("Squat", for: key)
    #expect(try await values.next() == "Squat")
    try store.remove(key)
    #expect(try await values.next() == .some(nil))
  }

  @Test("The values can be read on an actor") func onActor() async {
    let actor = Reader()
    #expect(await actor.first(of: store.values(of: count)) == 0)
  }

  private actor Reader {
    func first(of values: some AsyncSequence<Int, Never> & Sendable) async -> Int? {
      for await value in values { return value }
      return nil
    }
  }

  @Test("The values reach the latest of another store of the same files")
  func otherStore() async throws {
    try await withHome { home in
      let (one, other) = (try home.open(), try home.open())
      let last = Task { [count] in
        var last = -1
        for await value in other.values(of: count) {
          #expect(value >= last)
          last = value
          if value == 2000 { break }
        }
        return last
      }
      for value in 1...2000 { try one.set(value, for: count) }
      #expect(await last.value == 2000)
    }
  }
}
