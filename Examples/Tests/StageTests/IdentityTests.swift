import Testing

@testable import Stage

@Suite("State lives as long as the identity of its view")
@MainActor
struct IdentityTests {
  /// Counts its taps.
  struct Counter: View {
    let name: String
    @State private var count = 0

    var body: some View {
      Button("\(name) \(count)") { count += 1 }
    }
  }

  struct Switch: View {
    @State private var isOn = true
    @State private var names = ["a", "b", "c"]
    @State private var tab = 0

    var body: some View {
      Button("Switch") { isOn.toggle() }
      Button("Reverse") { names.reverse() }
      Button("Drop") { names.removeFirst() }
      if isOn { Counter(name: "on") } else { Counter(name: "off") }
      ForEach(names, id: \.self) { Counter(name: $0) }
      TabView(selection: $tab) {
        Counter(name: "left").tabItem { Text("Left") }.tag(0)
        Counter(name: "right").tabItem { Text("Right") }.tag(1)
      }
    }
  }

  @Test("A parent that is evaluated again keeps the state of its children")
  func parent() throws {
    let window = try Stagehand().open(Switch())
    try window.tap("a 0")
    try window.tap("Drop")
    #expect(!window.texts.contains("a 1"))
    try window.tap("b 0")
    try window.tap("Reverse")
    #expect(window.texts.filter { $0.hasPrefix("b") || $0.hasPrefix("c") } == ["c 0", "b 1"])
  }

  @Test("A branch that is left loses its state")
  func branches() throws {
    let window = try Stagehand().open(Switch())
    try window.tap("on 0")
    try window.tap("Switch")
    #expect(window.texts.contains("off 0"))
    try window.tap("Switch")
    #expect(window.texts.contains("on 0"))
  }

  @Test("An element that comes back under the same key is a new one, one that moves is not")
  func keys() throws {
    let window = try Stagehand().open(Switch())
    try window.tap("c 0")
    try window.tap("Reverse")
    #expect(window.texts.contains("c 1"))
    try window.tap("Drop")
    #expect(!window.texts.contains { $0.hasPrefix("c") })
  }

  @Test("A tab that is not shown keeps its state")
  func tabs() throws {
    let window = try Stagehand().open(Switch())
    try window.tap("left 0")
    try window.tap("Right")
    #expect(window.texts.contains("right 0") && !window.texts.contains("left 1"))
    try window.tap("Left")
    #expect(window.texts.contains("left 1"))
  }

  @Test("A control, what is around it and its label each have an identity of their own")
  func controls() throws {
    let window = try Stagehand().open(
      TabView(selection: .constant(0)) {
        Button("Press") {}.padding().frame(width: 200).background(.red).tag(0)
        Button {
        } label: {
          VStack { Text("Press").padding() }
        }
        .padding()
        .tabItem { Text("Second") }
        .tag(1)
      })
    #expect(window.all { $0.tag == "button" }.count == 3)
  }

  /// Appends to a log when it comes and goes.
  struct Guest: View {
    let name: String
    let log: @MainActor (String) -> Void

    var body: some View {
      Text(name).onAppear { log("+" + name) }.onDisappear { log("-" + name) }
    }
  }

  struct Host: View {
    @State private var tab = 0
    let log: @MainActor (String) -> Void

    var body: some View {
      TabView(selection: $tab) {
        Guest(name: "x", log: log).tabItem { Text("X") }.tag(0)
        Guest(name: "y", log: log).tabItem { Text("Y") }.tag(1)
      }
    }
  }

  @Test("Views appear and disappear with their tab and with their window")
  func appearance() throws {
    var log: [String] = []
    let window = try Stagehand().open(Host { log.append($0) })
    #expect(log == ["+x"])
    try window.tap("Y")
    try window.tap("X")
    #expect(log == ["+x", "-x", "+y", "+x", "-y"])
    window.close()
    #expect(log.last == "-x")
  }

  final class Store: ObservableObject {
    @Published var total = 0
  }

  struct Totals: View {
    @StateObject private var store = Store()

    var body: some View {
      Total().environmentObject(store)
      Button("More") { store.total += 1 }
    }
  }

  struct Total: View {
    @EnvironmentObject private var store: Store

    var body: some View { Text("Total \(store.total)") }
  }

  @Test("A view that reads an object of its surroundings follows it")
  func objects() throws {
    let window = try Stagehand().open(Totals())
    try window.tap("More")
    try window.tap("More")
    #expect(window.texts.contains("Total 2"))
  }

  @Test("A view reads the object that takes the place of another in its surroundings")
  func otherObject() throws {
    struct Choice: View {
      @State private var index = 0
      let stores: [Store]

      var body: some View {
        Total().environmentObject(stores[index])
        Button("Other") { index = 1 }
      }
    }
    let stores = [Store(), Store()]
    stores[1].total = 5
    let window = try Stagehand().open(Choice(stores: stores))
    try window.tap("Other")
    #expect(window.texts == ["Total 5", "Other"])
  }

  @Test("Only the views that read a value are evaluated when it changes")
  func evaluation() throws {
    struct Outer: View {
      let count: @MainActor () -> Void
      var body: some View {
        count()
        return Counter(name: "inner")
      }
    }
    var evaluations = 0
    let window = try Stagehand().open(Outer { evaluations += 1 })
    let first = evaluations
    try window.tap("inner 0")
    #expect(window.texts == ["inner 1"])
    #expect(evaluations == first)
  }
}
