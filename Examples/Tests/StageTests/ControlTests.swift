import Testing

@testable import Cards
@testable import Stage

@Suite("Controls do what the page tells of")
@MainActor
struct ControlTests {
  struct Form: View {
    @State private var text = "old"
    @State private var color = Color(red: 1, green: 0, blue: 0)
    @State private var submitted = ""

    var body: some View {
      TextField("Name", text: $text).onSubmit { submitted = text }
      ColorPicker("Color", selection: $color)
      Text("\(text) \(color.hex ?? "") \(submitted)")
      Button("Locked") { text = "unlocked" }.disabled(true)
    }
  }

  private func field(_ window: Stagehand.Window, _ type: String) throws -> PageElement {
    try #require(window.all { $0.attributes["type"] == type }.first)
  }

  @Test("What is written in a field is in its binding, and the return key submits it")
  func text() throws {
    let window = try Stagehand().open(Form())
    let field = try field(window, "text")
    #expect(field.attributes["value"] == "old")
    window.send(.input, to: field, value: "<b>new</b>")
    window.tap(field)
    #expect(window.texts.contains("<b>new</b> #ff0000 <b>new</b>"))
  }

  @Test("A text has its limits for anything the page sends")
  func limit() throws {
    let window = try Stagehand().open(Form())
    let field = try field(window, "text")
    window.send(.input, to: field, value: String(repeating: "x", count: 50_000))
    #expect(try self.field(window, "text").attributes["value"]?.count == 20_000)
  }

  @Test(
    "A color is one of the page's, or is not taken", arguments: ["#12345", "red", "#12-456", ""])
  func colors(wrong: String) throws {
    let window = try Stagehand().open(Form())
    let field = try field(window, "color")
    window.send(.input, to: field, value: "#00ff80")
    window.send(.input, to: field, value: wrong)
    #expect(try self.field(window, "color").attributes["value"] == "#00ff80")
  }

  @Test("A disabled button does nothing, even when the page says that it was tapped")
  func disabled() throws {
    let window = try Stagehand().open(Form())
    try window.tap("Locked")
    #expect(!window.texts.contains { $0.contains("unlocked") })
  }

  struct Sheets: View {
    @State private var isPresented = false
    @State private var dismissals = 0

    var body: some View {
      Button("Open \(dismissals)") { isPresented = true }
        .sheet(isPresented: $isPresented) {
          dismissals += 1
        } content: {
          IdentityTests.Counter(name: "inside")
          Button("Close") { isPresented = false }
        }
    }
  }

  @Test("A sheet comes and goes with its value, and loses its state when it goes")
  func sheets() throws {
    let window = try Stagehand().open(Sheets())
    #expect(window.all { $0.tag == "dialog" }.isEmpty)
    try window.tap("Open 0")
    try window.tap("inside 0")
    #expect(window.texts.contains("inside 1"))
    try window.tap("Close")
    #expect(window.all { $0.tag == "dialog" }.isEmpty)
    try window.tap("Open 1")
    #expect(window.texts.contains("inside 0"))
    let dialog = try #require(window.all { $0.tag == "dialog" }.first)
    window.send(.dismiss, to: dialog)
    #expect(window.texts == ["Open 2"])
  }

  struct Table: View {
    @State private var placement = Placement(size: CGSize(width: 100, height: 50))
    @State private var isSelected = false

    var body: some View {
      Board(size: CGSize(width: 1000, height: 500), color: .gray) {
        isSelected = false
      } content: {
        Text("Thing").movable(placement, label: "A thing", isSelected: isSelected) {
          isSelected = true
        } onEdit: {
          placement.rotation = .degrees(30)
        } onDelete: {
          placement.rotation = .degrees(45)
        } onChange: { new, _ in
          placement = new
        }
        Text("Fixed").placed(Placement(size: CGSize(width: 1e300, height: -1e300)))
      }
    }
  }

  @Test("What is moved changes one attribute of one element, and nothing else is sent")
  func moved() throws {
    let window = try Stagehand().open(Table())
    let thing = try #require(window.all { $0.attributes["aria-label"] == "A thing" }.first)
    #expect(thing.attributes["data-place"] == "100 50 0 0 0")
    window.send(.place, to: thing, numbers: [200, 100, -10.25, 7, 90], isFirst: true)
    let patches = try #require(window.updates.last).patches
    guard case .set(thing.id, let attributes, let style, nil) = patches[0], patches.count == 1
    else {
      Issue.record("\(patches)")
      return
    }
    #expect(attributes == ["data-place": "200 100 -10.25 7 90"] && style.isEmpty)
  }

  @Test("What is chosen says so, until something beside it is tapped")
  func selection() throws {
    let window = try Stagehand().open(Table())
    func thing() -> PageElement? { window.all { $0.attributes["aria-label"] == "A thing" }.first }
    window.tap(try #require(thing()))
    #expect(thing()?.attributes["data-selected"] != nil)
    window.tap(try #require(window.all { $0.attributes["class"] == "surface" }.first))
    #expect(thing()?.attributes["data-selected"] == nil)
    window.send(.edit, to: try #require(thing()))
    #expect(thing()?.attributes["data-place"] == "100 50 0 0 30")
    window.send(.delete, to: try #require(thing()))
    #expect(thing()?.attributes["data-place"] == "100 50 0 0 45")
  }

  @Test(
    "A placement that nobody could take hold of again is not taken",
    arguments: [[], [1, 1, 0, 0], [0, 10, 0, 0, 0], [10, -1, 0, 0, 0], [10, 10, 1e9, 0, 0]])
  func placements(numbers: [Double]) {
    #expect(Placement(page: numbers) == nil)
  }

  @Test("Numbers from a file are drawn within limits, of any size")
  func numbers() throws {
    let window = try Stagehand().open(Table())
    let places = window.all { $0.attributes["data-place"] != nil }
    #expect(places.last?.attributes["data-place"] == "1000000 -1000000 0 0 0")
    let nowhere = Placement(
      size: CGSize(width: Double.nan, height: .infinity), rotation: .degrees(-.infinity))
    #expect(nowhere.page == "0 0 0 0 0")
  }

  @Test("A page's messages are understood, and what is none of them is an error")
  func messages() throws {
    func message(_ json: String) throws -> PageMessage {
      try JSONDecoder().decode(PageMessage.self, from: Data(json.utf8))
    }
    #expect(
      try message(#"{"kind":"place","id":"n1","numbers":[1,2,3,4,5],"first":true}"#)
        == .event(Event(.place, of: "n1", numbers: [1, 2, 3, 4, 5], isFirst: true)))
    #expect(
      try message(#"{"kind":"input","id":"n1","value":"v"}"#)
        == .event(Event(.input, of: "n1", value: "v")))
    #expect(try message(#"{"kind":"dismiss","id":"n1"}"#) == .event(Event(.dismiss, of: "n1")))
    for wrong in [
      #"{"kind":"place","id":"n1","numbers":"1 2","first":true}"#, #"{"kind":"input"}"#,
    ] {
      #expect(throws: DecodingError.self) { try message(wrong) }
    }
  }
}
