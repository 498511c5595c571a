import KeepsakeBase
import KeepsakeFiles
import KeepsakeScenes
import Observation
import SystemPackage
import Testing

@testable import KeepsakeSettings

private let tab = SettingsKey("tab", default: 9)

@Suite("A scene's session") struct SessionTests {
  @Test("keeps what its window keeps, by its identity, from one start to the next")
  func keepsWhatItsWindowKeeps() throws {
    try withTheatre { theatre in
      let ids = try {
        let sessions = try theatre.open()
        let (one, two) = (try sessions.session(), try sessions.session())
        try one.store.set(1, for: tab)
        try two.store.set(2, for: tab)
        return (one.id, two.id)
      }()
      #expect(ids.0 != ids.1)
      let sessions = try theatre.open()
      #expect(try sessions.session(id: ids.0).store[tab] == 1)
      #expect(try sessions.session(id: ids.1).store[tab] == 2)
      #expect(try sessions.session().store[tab] == 9)
    }
  }

  @Test("is one object for one identity, as long as the app runs") func isOneObjectForOneIdentity()
    async throws
  {
    try await withTheatre { theatre in
      let sessions = try theatre.open()
      let first = try sessions.session(id: "window")
      #expect(try sessions.session(id: "window") === first)
      #expect(sessions.sessions.first === first)
      let found = await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { (try? sessions.session(id: "together")).map { ObjectIdentifier($0) } }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(found.count == 1 && !found.contains(nil))
    }
  }

  @Test("has an identity of its own when it is new") func hasAnIdentityOfItsOwn() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let ids = try (0..<20).map { _ in try sessions.session().id }
      #expect(Set(ids).count == 20 && !ids.contains(""))
    }
  }

  @Test("comes back in the order in which the sessions came") func comesBackInTheOrder() throws {
    try withTheatre { theatre in
      let ids = ["m", "z", "a", "10", "9", "é"]
      do {
        let sessions = try theatre.open()
        for id in ids { _ = try sessions.session(id: id) }
        #expect(sessions.sessions.map(\.id) == ids)
      }
      do {
        let sessions = try theatre.open()
        // Asking for one again moves none.
        _ = try sessions.session(id: "9")
        #expect(sessions.sessions.map(\.id) == ids)
        try sessions.discard(try sessions.session(id: "a"))
        _ = try sessions.session(id: "a")
      }
      #expect(try theatre.open().sessions.map(\.id) == ["m", "z", "10", "9", "é", "a"])
    }
  }

  @Test("is there after a crash, which discards nothing") func isThereAfterACrash() throws {
    try withTheatre { theatre in
      // A process that dies lets nothing be written at its end: nothing here is closed before the
      // next start reads it.
      let sessions = try theatre.open()
      let session = try sessions.session(id: "window")
      try session.store.set(3, for: tab)
      let next = try theatre.open()
      #expect(next.sessions.map(\.id) == ["window"])
      #expect(try next.session(id: "window").store[tab] == 3)
      withExtendedLifetime((sessions, session)) {}
    }
  }

  @Test("is forgotten with its files when it is discarded") func isForgottenWithItsFiles() throws {
    try withTheatre { theatre in
      let host = Stagehand()
      do {
        let sessions = try theatre.open(host: host)
        let (closed, kept) = (try sessions.session(id: "closed"), try sessions.session(id: "kept"))
        try closed.store.set(1, for: tab)
        try closed.store.save()
        try kept.store.set(2, for: tab)
        #expect(try theatre.files().contains { $0.contains("/closed.") })
        try sessions.discard(closed)
        #expect(host.takeNotes() == ["discard closed"])
        #expect(sessions.sessions.map(\.id) == ["kept"])
        #expect(try !theatre.files().contains { $0.contains("closed") })
        // What still holds it does no harm, and its files do not come back.
        try? closed.store.set(5, for: tab)
        closed.phase = .active
        closed.phase = .background
      }
      #expect(try !theatre.files().contains { $0.contains("closed") })
      let sessions = try theatre.open()
      #expect(sessions.sessions.map(\.id) == ["kept"])
      #expect(try sessions.session(id: "closed").store[tab] == 9, "a new one of the same name")
      #expect(try sessions.session(id: "kept").store[tab] == 2)
    }
  }

  @Test("closed in one run of the app is not brought back by another that shows it")
  func closedInOneRunOfTheApp() throws {
    try withTheatre { theatre in
      let (one, other) = try (theatre.open(), theatre.open())
      let shown = try other.session(id: "closed")
      try one.session(id: "closed").store.set(4, for: tab)
      try shown.store.set(5, for: tab)
      try one.discard(try one.session(id: "closed"))
      try shown.store.set(6, for: tab)
      #expect(shown.store[tab] == 6)
      try shown.store.save()
      #expect(try !theatre.files().contains { $0.contains("closed") })
      // One of the same name is a new one, and the old one's end does it no harm.
      let new = try other.session(id: "closed")
      #expect(new !== shown && new.store[tab] == 9)
      try new.store.set(7, for: tab)
      try? other.discard(shown)
      #expect(other.sessions.map(\.id) == ["closed"])
      #expect(try theatre.open().session(id: "closed").store[tab] == 7)

      // Nor does it where this run has not asked for the new one yet.
      try one.discard(try one.session(id: "closed"))
      try new.store.set(8, for: tab)
      try one.session(id: "closed").store.set(10, for: tab)
      try other.discard(new)
      let sessions = try theatre.open().sessions
      #expect(sessions.map { $0.store[tab] } == [10])
    }
  }

  @Test("asked for again before it is known that another process closed it is kept")
  func askedForAgainBeforeItIsHeard() throws {
    try withTheatre { theatre in
      // Nothing but a change of its own tells the other what one did.
      let other = try SceneSessions(
        container: theatre.container, fileSystem: LocalFileSystem(), host: nil, isAutomatic: false)
      let shown = try other.session(id: "closed")
      let one = try theatre.open()
      try one.discard(try one.session(id: "closed"))
      try shown.store.set(6, for: tab)
      try other.session(id: "closed").store.set(7, for: tab)
      #expect(try theatre.open().sessions.map { $0.store[tab] } == [7])
    }
  }

  @Test("that cannot be opened is reported once, left out, and back when it can be")
  func thatCannotBeOpenedIsReportedOnce() throws {
    try withTheatre { theatre in
      for id in ["one", "two"] { try theatre.open().session(id: id).store.set(4, for: tab) }
      let files = LocalFileSystem()
      let list = theatre.scenes.appending("one.plist")
      try files.rename(list, to: theatre.root.appending("kept"))
      try files.createDirectory(list)
      let problems = Mutex<[SettingsError]>([])
      let sessions = try SceneSessions(container: theatre.container) { problem in
        problems.withLock { $0.append(problem) }
      }
      for _ in 0..<3 { #expect(sessions.sessions.map(\.id) == ["two"]) }
      ProblemReports.wait()
      #expect(problems.withLock { $0.map(\.code) } == [.unavailable])
      #expect(problems.withLock { $0.first?.description.contains(list.string) } == true)
      try files.remove(list)
      try files.rename(theatre.root.appending("kept"), to: list)
      #expect(sessions.sessions.map { $0.store[tab] } == [4, 4])
      // A session's own settings report to the same place.
      let text = SettingsKey("tab", default: "text")
      for session in sessions.sessions { #expect(session.store[text] == "text") }
      ProblemReports.wait()
      #expect(problems.withLock { $0.map(\.code) } == [.unavailable, .wrongType, .wrongType])
    }
  }

  @Test("is forgotten when it is discarded") func isForgottenWhenItIsDiscarded() throws {
    try withTheatre { theatre in
      weak var forgotten: AnyObject?
      let sessions = try theatre.open()
      do {
        let session = try sessions.session()
        forgotten = session.store.app
        try sessions.discard(session)
      }
      // A thread that is being notified may hold it a moment longer.
      for _ in 0..<500 where forgotten != nil { usleep(10_000) }
      #expect(forgotten == nil)
    }
  }

  @Test("can be discarded twice, and in a run that has not shown it") func canBeDiscardedTwice()
    throws
  {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let session = try sessions.session(id: "window")
      try sessions.discard(session)
      try sessions.discard(session)
      #expect(sessions.sessions.isEmpty)
      _ = try sessions.session(id: "other")
      let next = try theatre.open()
      for session in next.sessions { try next.discard(session) }
      #expect(try theatre.open().sessions.isEmpty)
    }
  }

  @Test("discarded twice does not take a new one of its name along")
  func discardedTwiceDoesNotTakeANew() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let old = try sessions.session(id: "window")
      try sessions.discard(old)
      let new = try sessions.session(id: "window")
      try new.store.set(4, for: tab)
      try? sessions.discard(old)
      #expect(sessions.sessions.map(\.id) == ["window"])
      #expect(try sessions.session(id: "window") === new)
      #expect(try theatre.open().session(id: "window").store[tab] == 4)
    }
  }

  @Test("stays in its directory, with any identity (P10)") func staysInItsDirectory() throws {
    try withTheatre { theatre in
      let ids = [
        "../escape", "../../escape", "/tmp/escape", "..", ".", "", "a/b", "a\\b", "\u{0}",
        "a\u{0}b", "\n", "%2E%2E", "🪟", "Scenes", "~", "-", "con", ".hidden",
      ]
      do {
        let sessions = try theatre.open()
        for (number, id) in ids.enumerated() {
          try sessions.session(id: id).store.set(number, for: tab)
        }
      }
      let home = "home/Library/Saved Application State/"
      for file in try theatre.files() {
        #expect(file.hasPrefix(home + "Scenes/") || file.hasPrefix(home + "Scenes."), "\(file)")
      }
      #expect(
        try LocalFileSystem().contents(ofDirectory: theatre.scenes).count { $0.hasSuffix(".plist") }
          == ids.count)
      let sessions = try theatre.open()
      #expect(sessions.sessions.map(\.id) == ids)
      for (number, id) in ids.enumerated() {
        #expect(try sessions.session(id: id).store[tab] == number)
      }
      for session in sessions.sessions { try sessions.discard(session) }
      #expect(try LocalFileSystem().contents(ofDirectory: theatre.scenes) == [])
    }
  }

  @Test("is the same in each spelling of its identity that Unicode holds equal")
  func isTheSameInEachSpelling() throws {
    try withTheatre { theatre in
      do {
        let sessions = try theatre.open()
        try sessions.session(id: "caf\u{E9}").store.set(1, for: tab)
        #expect(try sessions.session(id: "cafe\u{301}").store[tab] == 1)
      }
      let sessions = try theatre.open()
      #expect(try sessions.session(id: "cafe\u{301}").store[tab] == 1)
      #expect(sessions.sessions.count == 1)
    }
  }

  @Test("may be asked for by an observer of the sessions when another came or went")
  func mayBeAskedForByWhoever() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      func change(to ids: [String], _ body: () throws -> Void) rethrows {
        let told = Tally()
        withObservationTracking {
          _ = sessions.sessions
        } onChange: {
          if sessions.sessions.map(\.id) == ids { told.add() }
        }
        try body()
        #expect(told.count == 1)
      }
      try change(to: ["a"]) { _ = try sessions.session(id: "a") }
      try change(to: ["a", "b"]) { _ = try sessions.session(id: "b") }
      try change(to: ["b"]) { try sessions.discard(try sessions.session(id: "a")) }
    }
  }

  @Test("with an identity too long for a file is refused, and the others stay")
  func withAnIdentityTooLong() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      _ = try sessions.session(id: "window")
      #expect(throws: SettingsError.self) {
        try sessions.session(id: String(repeating: "x", count: 300))
      }
      #expect(sessions.sessions.map(\.id) == ["window"])
      #expect(try theatre.open().sessions.map(\.id) == ["window"])
    }
  }

  @Test("is not lost when several runs of the app show theirs at once")
  func isNotLostWhenSeveralRuns() async throws {
    try await withTheatre { theatre in
      try await withThrowingTaskGroup { group in
        for run in 0..<4 {
          group.addTask {
            let sessions = try theatre.open()
            for window in 0..<5 {
              try sessions.session(id: "\(run) \(window)").store.set(run, for: tab)
            }
          }
        }
        try await group.waitForAll()
      }
      let sessions = try theatre.open()
      #expect(sessions.sessions.count == 20)
      #expect(try sessions.session(id: "3 4").store[tab] == 3)
    }
  }

  @Test("Problems of several windows are received one at a time") func oneAtATime() throws {
    try withTheatre { theatre in
      try LocalFileSystem().createDirectories(theatre.scenes)
      for id in 0..<8 {
        let path = theatre.scenes.appending("\(id).plist")
        try LocalFileSystem().replaceFile(at: path, with: Array("damaged".utf8))
      }
      let state = Mutex((isRunning: false, overlaps: 0, count: 0))
      let sessions = try SceneSessions(container: theatre.container) { _ in
        state.withLock { state in
          if state.isRunning { state.overlaps += 1 }
          state.isRunning = true
          state.count += 1
        }
        usleep(5000)
        state.withLock { $0.isRunning = false }
      }
      for id in 0..<8 { _ = try sessions.session(id: "\(id)") }
      ProblemReports.wait()
      #expect(state.withLock { $0.count } == 8)
      #expect(state.withLock { $0.overlaps } == 0)
    }
  }
}
