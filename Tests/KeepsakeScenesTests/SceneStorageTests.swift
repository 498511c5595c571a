import KeepsakeScenes
import KeepsakeSettings
import Observation
import Testing

@Suite("A property in SceneStorage") struct SceneStorageTests {
  @Test("is each window's own") func isEachWindowsOwn() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let (one, two) = (try sessions.session(), try sessions.session())
      let first = SceneSession.$current.withValue(one) { Window() }
      let second = SceneSession.$current.withValue(two) { Window() }
      first.tab = 1
      #expect(first.tab == 1 && second.tab == 9)
      second.tab = 2
      #expect(first.tab == 1 && second.tab == 2)
      #expect(one.store[SettingsKey("tab", default: 0)] == 1)
    }
  }

  @Test("comes back with its window, in any type") func comesBackWithItsWindow() throws {
    try withTheatre { theatre in
      do {
        let session = try theatre.open().session(id: "w")
        SceneSession.$current.withValue(session) {
          let window = Window()
          #expect(window.tab == 9 && window.search == nil && window.panel == .left)
          #expect(window.perhaps == nil && window.route.steps == [] && window.last == nil)
          #expect(session.store.names == [])
          window.tab = 3
          window.search = "squat"
          window.panel = .right
          window.perhaps = .right
          window.route = .init(steps: ["a", "b"])
          window.last = .init(steps: ["c"])
        }
      }
      let session = try theatre.open().session(id: "w")
      SceneSession.$current.withValue(session) {
        let window = Window()
        #expect(window.tab == 3 && window.search == "squat" && window.panel == .right)
        #expect(window.perhaps == .right && window.route.steps == ["a", "b"])
        #expect(window.last?.steps == ["c"])
        window.search = nil
        window.perhaps = nil
        window.last = nil
        #expect(session.store.names == ["panel", "route", "tab"])
      }
    }
  }

  @Test("made for a window stays that window's, whichever is current")
  func madeForAWindowStaysThatWindows() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let (one, two) = (try sessions.session(), try sessions.session())
      let window = SceneSession.$current.withValue(one) { Window() }
      SceneSession.$current.withValue(two) {
        window.tab = 1
        #expect(window.tab == 1 && Window().tab == 9)
      }
      #expect(window.tab == 1 && two.store.names == [])
    }
  }

  @Test("made outside any window is the current one's") func madeOutsideAnyWindowIsTheCurrent()
    async throws
  {
    try await withTheatre { theatre in
      let sessions = try theatre.open()
      let (one, two) = (try sessions.session(), try sessions.session())
      let window = Window()
      let binding = window.$tab
      SceneSession.$current.withValue(one) { window.tab = 1 }
      await SceneSession.$current.withValue(two) {
        #expect(window.tab == 9 && binding.wrappedValue == 9)
        // A task that is started there is the window's too.
        await Task { binding.wrappedValue = 2 }.value
        #expect(window.tab == 2)
      }
      #expect(SceneSession.$current.withValue(one) { binding.wrappedValue } == 1)
      #expect(window.tab == 9)
    }
  }

  @Test("outside any window has its default and loses what it is given")
  func outsideAnyWindowHasItsDefault() {
    let window = Window()
    window.tab = 4
    window.search = "squat"
    window.$tab.wrappedValue = 5
    #expect(window.tab == 9 && window.search == nil)
  }

  @Test("gives a binding that follows the window") func givesABindingThatFollowsTheWindow() throws {
    try withTheatre { theatre in
      let session = try theatre.open().session()
      let window = SceneSession.$current.withValue(session) { Window() }
      window.$tab.wrappedValue = 4
      #expect(window.tab == 4)
      window.$route.steps.wrappedValue.append("x")
      #expect(window.route.steps == ["x"])
    }
  }

  @Test("goes by a declared key") func goesByADeclaredKey() throws {
    try withTheatre { theatre in
      let session = try theatre.open().session()
      SceneSession.$current.withValue(session) {
        @SceneStorage(SettingsKey("tab", default: 2)) var tab
        #expect(tab == 2)
        tab = 3
        #expect(Window().tab == 3)
      }
    }
  }

  @Test("makes the host show its window again, and no other") func makesTheHostShowItsWindowAgain()
    throws
  {
    try withTheatre { theatre in
      let host = Stagehand()
      let sessions = try theatre.open(host: host)
      let (one, two) = (try sessions.session(id: "one"), try sessions.session(id: "two"))
      let window = SceneSession.$current.withValue(one) { Window() }
      window.tab = 1
      #expect(host.takeNotes() == ["show one background"])
      SceneSession.$current.withValue(two) { Window().tab = 1 }
      #expect(host.takeNotes() == ["show two background"])
    }
  }

  @Test("is observed, bound to its window or not") func isObserved() throws {
    try withTheatre { theatre in
      let session = try theatre.open().session()
      try SceneSession.$current.withValue(session) {
        let (bound, told) = (Window(), Tally())
        withObservationTracking {
          _ = bound.tab
        } onChange: {
          told.add()
        }
        try session.store.set(1, for: SettingsKey("other", default: 0))
        #expect(told.count == 0)
        try session.store.set(1, for: SettingsKey("tab", default: 0))
        #expect(told.count == 1)
      }
      let (free, told) = (Window(), Tally())
      SceneSession.$current.withValue(session) {
        withObservationTracking {
          _ = free.tab
        } onChange: {
          told.add()
        }
        free.tab = 7
      }
      #expect(told.count == 1)
    }
  }

  @Test("has its default where something else is stored, which stays (P9)")
  func hasItsDefaultWhereSomethingElse() throws {
    try withTheatre { theatre in
      let session = try theatre.open().session(id: "w")
      let store = session.store
      try store.set("nine", for: SettingsKey("tab", default: ""))
      try store.set("top", for: SettingsKey("panel", default: ""))
      try store.set("top", for: SettingsKey("perhaps", default: ""))
      try store.set(["paces": 1], for: SettingsKey("route", default: [:]))
      SceneSession.$current.withValue(session) {
        let window = Window()
        #expect(window.tab == 9 && window.panel == .left && window.perhaps == nil)
        #expect(window.route == .init(steps: []))
        #expect(store[SettingsKey("tab", default: "")] == "nine")
        window.tab = 1
        #expect(window.tab == 1)
      }
      #expect(store[SettingsKey("panel", default: "")] == "top")
    }
  }

  @Test("is not shared with AppStorage of the same key") func isNotSharedWithAppStorage() throws {
    try withTheatre { theatre in
      let session = try theatre.open().session()
      let app = SettingsStore.inMemory()
      @AppStorage("tab", store: app) var tab = 5
      SceneSession.$current.withValue(session) {
        Window().tab = 1
        #expect(tab == 5 && app.names == [])
      }
    }
  }
}
