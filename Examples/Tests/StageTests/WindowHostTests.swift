import Testing

@testable import HIITFit
@testable import Stage

@Suite("Windows come, go and come back")
@MainActor
struct WindowHostTests {
  private func host(
    _ stage: Stagehand, grace: Duration = .seconds(60), droppedGrace: Duration = .seconds(60),
    ownersFirst: Duration = .zero, content: some View = Text("Content")
  ) -> WindowHost {
    WindowHost(
      sessions: stage.sessions, closingGrace: grace, droppedGrace: droppedGrace,
      ownersFirst: ownersFirst, content: content)
  }

  private func connect(
    _ host: WindowHost, _ id: String? = nil
  ) async throws -> WindowHost.WindowConnection {
    try await host.connect(sessionID: id, phase: .active) { _ in }
  }

  private func id(_ connection: WindowHost.WindowConnection) -> String {
    connection.window.session.id
  }

  @Test("The page's phases are the scene's, and a dropped connection is the background")
  func phases() async throws {
    let stage = try Stagehand()
    let host = host(stage)
    let page = try await connect(host)
    let session = page.window.session
    #expect(session.phase == .active)
    page.receive(.phase(.inactive))
    #expect(session.phase == .inactive)
    page.receive(.phase(.background))
    #expect(session.phase == .background)
    page.receive(.phase(.active))
    page.close()
    #expect(session.phase == .background)
    #expect(stage.sessions.sessions.map(\.id) == [session.id])
  }

  @Test("A page that comes back has its own window again, with its state")
  func resume() async throws {
    let host = host(try Stagehand())
    let page = try await connect(host)
    page.close()
    let back = try await connect(host, id(page))
    #expect(back.window === page.window)
  }

  private struct Counter: View {
    @SceneStorage("kept") private var kept = 0
    @State private var passing = 0

    var body: some View {
      Button("\(kept) \(passing)") { (kept, passing) = (kept + 1, passing + 1) }
    }
  }

  @Test("The views of a lost page end, and their scene stays for it")
  func dropped() async throws {
    let stage = try Stagehand()
    let content = WindowGroup { Counter() }.windowContent
    let host = host(stage, droppedGrace: .milliseconds(50), content: content)
    func text(_ page: WindowHost.WindowConnection) -> String? {
      page.window.renderer.elements.first?.children.first?.text
    }
    let page = try await connect(host)
    page.receive(
      .event(Event(.tap, of: try #require(page.window.renderer.elements.first).id)), number: 7)
    #expect(text(page) == "1 1")
    weak let renderer = page.window.renderer
    page.close()
    let deadline = ContinuousClock.now + .seconds(100)
    while renderer != nil, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(renderer == nil && host.openScenes.scenes.isEmpty)
    let other = try await connect(host)
    #expect(id(other) != id(page))
    let back = try await connect(host, id(page))
    #expect(text(back) == "1 0")
    // The event that was performed is not performed again.
    back.receive(
      .event(Event(.tap, of: try #require(back.window.renderer.elements.first).id)), number: 7)
    #expect(text(back) == "1 0")
  }

  @Test("A reload, which says goodbye first, keeps the scene")
  func reload() async throws {
    let stage = try Stagehand()
    let host = host(stage, grace: .milliseconds(50))
    let page = try await connect(host)
    page.receive(.leaving)
    let back = try await connect(host, id(page))
    page.close()
    #expect(back.window === page.window)
    try await Task.sleep(for: .milliseconds(150))
    #expect(stage.sessions.sessions.count == 1)
  }

  @Test("A page that is closed permanently takes its scene with it, after a while")
  func closing() async throws {
    let stage = try Stagehand()
    let host = host(stage, grace: .milliseconds(50))
    let page = try await connect(host)
    let other = try await connect(host)
    page.receive(.leaving)
    page.close()
    other.close()
    #expect(stage.sessions.sessions.count == 2)
    let deadline = ContinuousClock.now + .seconds(100)
    while stage.sessions.sessions.count == 2, .now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(stage.sessions.sessions.map(\.id) == [id(other)])
    #expect(try await id(connect(host, id(page))) != id(page))
  }

  @Test("A duplicated page has a window of its own")
  func duplicate() async throws {
    let host = host(try Stagehand())
    let page = try await connect(host)
    #expect(try await id(connect(host, id(page))) != id(page))
  }

  @Test("After a restart pages have their own scenes, and new windows those that are left over")
  func restart() async throws {
    let stage = try Stagehand()
    let firstRun = host(stage)
    let ids = [
      try await id(connect(firstRun)), try await id(connect(firstRun)),
      try await id(connect(firstRun)),
    ]
    let secondRun = host(try Stagehand(after: stage), ownersFirst: .milliseconds(200))
    async let new = connect(secondRun)
    let owner = try await connect(secondRun, ids[0])
    #expect(id(owner) == ids[0])
    #expect(try await id(new) == ids[1])
    #expect(try await id(connect(secondRun)) == ids[2])
    #expect(try await !ids.contains(id(connect(secondRun))))
  }

  @Test("A page receives everything first, and then what has changed")
  func messages() async throws {
    let stage = try Stagehand()
    let host = WindowHost(
      sessions: stage.sessions, content: IdentityTests.Counter(name: "taps"))
    var messages: [AppMessage] = []
    let page = try await host.connect(sessionID: nil, phase: .active) { messages.append($0) }
    let button = try #require(page.window.renderer.elements.first)
    page.receive(.event(Event(.tap, of: button.id)))
    page.receive(.event(Event(.tap, of: "no such element")))
    #expect(messages.count == 2)
    #expect(try messages[0].json.contains("taps 0"))
    #expect(try messages[1].json.contains("taps 1"))
    guard case .update(let patches, animation: _, received: _) = messages[1] else {
      Issue.record("The second message is no update.")
      return
    }
    #expect(patches.count == 1)
  }

  @Test("An event is performed once, however often it arrives, and acknowledged")
  func once() async throws {
    let stage = try Stagehand()
    let host = WindowHost(
      sessions: stage.sessions, content: IdentityTests.Counter(name: "taps"))
    var received: [Int] = []
    func connect(_ id: String?) async throws -> WindowHost.WindowConnection {
      try await host.connect(sessionID: id, phase: .active) { message in
        switch message {
        case .scene(_, _, _, let number), .update(_, _, let number), .answer(let number):
          received.append(number)
        }
      }
    }
    let page = try await connect(nil)
    let button = try #require(page.window.renderer.elements.first)
    page.receive(.event(Event(.tap, of: button.id)), number: 1)
    page.receive(.event(Event(.tap, of: "no such element")), number: 2)
    page.receive(.ping)
    #expect(received == [0, 1, 2, 2])
    page.close()
    let again = try await connect(id(page))
    again.receive(.event(Event(.tap, of: button.id)), number: 1)
    again.receive(.event(Event(.tap, of: button.id)), number: 3)
    #expect(received == [0, 1, 2, 2, 2, 3])
    #expect(page.window.renderer.elements.contains { $0.says("taps 2") })
  }

  @Test("Elements have the same identities in the next run, in any order of arrival")
  func identities() async throws {
    struct Numbers: View {
      @AppStorage("first") var first = 2

      var body: some View {
        VStack {
          ForEach(Array(first..<4), id: \.self) { Text("\($0)") }
        }
      }
    }
    let stage = try Stagehand()
    let before = try stage.open(Numbers())
    stage["first"] = nil
    stage.perform { stage.settings[SettingsKey<Int?>("first")] = 0 }
    func ids(_ window: Stagehand.Window) -> [String: String] {
      let texts = window.all { $0.text != nil }
      return Dictionary(uniqueKeysWithValues: texts.map { ($0.text ?? "", $0.id) })
    }
    let known = ids(before)
    #expect(Set(known.keys) == ["0", "1", "2", "3"])
    #expect(try ids(stage.open(Numbers())) == known)
  }
}
