import Testing

@testable import HIITFit
@testable import Stage

@Suite("Changes from elsewhere are drawn by themselves")
@MainActor
struct ChangeTests {
  @Test("A setting that another thread changes is seen in every window")
  func threads() async throws {
    let stage = try Stagehand()
    let windows = try (0..<3).map { _ in try stage.open(RatingView(exerciseIndex: 2)) }
    let settings = stage.settings
    try await Task.detached {
      for rating in 1...5 {
        try settings.set("00\(rating)0", for: SettingsKey("ratings", default: ""))
      }
    }.value
    let deadline = ContinuousClock.now + .seconds(100)
    while windows.contains(where: { $0.drawnRating != 5 }), .now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(windows.map(\.drawnRating) == [5, 5, 5])
  }

  @Test("The rating that is set, tapped again, is none")
  func cleared() throws {
    let stage = try Stagehand()
    let windows = try (0..<2).map { _ in try stage.open(RatingView(exerciseIndex: 1)) }
    try windows[0].tap("Rate 3 of 5")
    try windows[1].tap("Rate 2 of 5")
    #expect(windows.map(\.rating) == [2, 2])
    try windows[0].tap("Rate 2 of 5")
    #expect(windows.map(\.rating) == [0, 0])
    #expect(stage["ratings"] == "0000")
  }

  /// Another thread changes what the first evaluation has read, before that ends.
  private struct Overtaken: View {
    @AppStorage("number") private var number = 0
    @State private var object = ObservedValue(0)
    let settings: SettingsStore
    let evaluations: Evaluations

    var body: some View {
      let seen = [number, object.value]
      let _ = change()
      Text("\(seen)")
    }

    private func change() {
      guard evaluations.count[0] == nil else { return }
      evaluations.count[0] = 1
      let changed = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [settings, object] in
        if evaluations.isOfSettings {
          settings[SettingsKey("number", default: 0)] = 1
        } else {
          object.value = 1
        }
        changed.signal()
      }
      changed.wait()
    }
  }

  @Test(
    "What another thread changes while a view is being evaluated is seen as well",
    arguments: [true, false])
  func meanwhile(isOfSettings: Bool) async throws {
    let stage = try Stagehand()
    let evaluations = Evaluations(isOfSettings: isOfSettings)
    let window = try stage.open(Overtaken(settings: stage.settings, evaluations: evaluations))
    let text = isOfSettings ? "[1, 0]" : "[0, 1]"
    try await eventually { window.renderer.elements.first?.text == text }
  }

  @MainActor
  private final class Evaluations {
    nonisolated let isOfSettings: Bool
    var count: [Int: Int] = [:]

    init(isOfSettings: Bool = true) {
      self.isOfSettings = isOfSettings
    }
  }

  private struct Row: View {
    @State private var isOpen = false
    let number: Int
    let evaluations: Evaluations

    var body: some View {
      let _ = evaluations.count[number, default: 0] += 1
      Button("\(number) \(isOpen)") { isOpen.toggle() }
    }
  }

  @Test("A body is evaluated once, and again only when what it reads has changed")
  func once() throws {
    let evaluations = Evaluations()
    let window = try Stagehand().open(
      VStack { ForEach(0..<3) { Row(number: $0, evaluations: evaluations) } })
    #expect(evaluations.count == [0: 1, 1: 1, 2: 1])
    let (before, stack) = (window.all { _ in true }, window.renderer.elements[0])
    try window.tap("1 false")
    #expect(evaluations.count == [0: 1, 1: 2, 2: 1])
    #expect(window.updates.count == 1 && window.updates[0].patches.count == 1)
    // The elements of the other rows are the same objects.
    #expect(window.renderer.elements[0] !== stack)
    #expect(window.all { element in before.contains { $0 === element } }.count == 4)
  }

  private struct MarkedRow: View {
    let number: Int
    let isMarked: Bool
    let evaluations: Evaluations
    let mark: @MainActor () -> Void

    var body: some View {
      let _ = evaluations.count[number, default: 0] += 1
      Button("\(number) \(isMarked)") { mark() }
    }
  }

  @Test("Of a changed list the rows with new values are evaluated, and all do what is new")
  func changedRows() throws {
    struct List: View {
      @State private var marks = [false, false, false]
      @State private var remark = ""
      let evaluations: Evaluations

      var body: some View {
        let count = marks.count { $0 }
        ForEach(0..<3) { index in
          MarkedRow(number: index, isMarked: marks[index], evaluations: evaluations) {
            marks[index] = true
            remark = "\(index) after \(count)"
          }
        }
        Text(remark)
      }
    }
    let evaluations = Evaluations()
    let window = try Stagehand().open(List(evaluations: evaluations))
    try window.tap("1 false")
    #expect(window.texts == ["0 false", "1 true", "2 false", "1 after 0"])
    #expect(evaluations.count == [0: 1, 1: 2, 2: 1])
    try window.tap("0 false")
    #expect(window.texts == ["0 true", "1 true", "2 false", "0 after 1"])
    #expect(evaluations.count == [0: 2, 1: 2, 2: 1])
  }

  @Test("An enumeration that is a view is evaluated when it is another case")
  func enumeration() throws {
    enum Page: View {
      case first, second

      var body: some View {
        switch self {
        case .first: Text("one")
        case .second: Text("two")
        }
      }
    }
    struct Book: View {
      @State private var page = Page.first

      var body: some View {
        page
        Button("Turn") { page = .second }
      }
    }
    let window = try Stagehand().open(Book())
    try window.tap("Turn")
    #expect(window.texts == ["two", "Turn"])
  }

  @Test("A change outside an animation is not animated, one inside is")
  func animation() throws {
    struct Toggle: View {
      @State private var count = 0
      var body: some View {
        Button("Plain \(count)") { count += 1 }
        Button("Animated") { withAnimation { count += 1 } }
      }
    }
    let window = try Stagehand().open(Toggle())
    try window.tap("Plain 0")
    #expect(window.updates.last?.animation == nil)
    try window.tap("Animated")
    #expect(window.updates.last?.animation != nil)
    try window.tap("Plain 2")
    #expect(window.updates.last?.animation == nil)
  }
}
