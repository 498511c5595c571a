import FoundationEssentials
import KeepsakeCoding
import KeepsakeSettings
import Testing

/// Every type that a property can have, with a default, for every initializer.
private struct AllTypes {
  @AppStorage("string") var string = "none"
  @AppStorage("bool") var bool = false
  @AppStorage("int") var int = 0
  @AppStorage("int8") var int8: Int8 = 0
  @AppStorage("int16") var int16: Int16 = 0
  @AppStorage("int32") var int32: Int32 = 0
  @AppStorage("int64") var int64: Int64 = 0
  @AppStorage("uint") var uint: UInt = 0
  @AppStorage("uint8") var uint8: UInt8 = 0
  @AppStorage("uint16") var uint16: UInt16 = 0
  @AppStorage("uint32") var uint32: UInt32 = 0
  @AppStorage("uint64") var uint64: UInt64 = 0
  @AppStorage("double") var double = 0.0
  @AppStorage("float") var float: Float = 0
  @AppStorage("data") var data = Data()
  @AppStorage("url") var url = URL(string: "https://example.com")!
  @AppStorage("date") var date = Date.distantPast
  @AppStorage("uuid") var uuid = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
  @AppStorage("decimal") var decimal: Decimal = 0
  @AppStorage("strings") var strings: [String] = []
  @AppStorage("matrix") var matrix: [[Int]] = []
  @AppStorage("counts") var counts: [String: Int] = [:]
  @AppStorage("tree") var tree: PropertyList.Value = [:]
  @AppStorage("level") var level = Level.low
  @AppStorage("appearance") var appearance = Appearance.light
  @AppStorage("days") var days: Days = []
  @AppStorage("player") var player = Player(name: "", scores: [])
  @AppStorage("players") var players: [Player] = []
  @AppStorage("shape") var shape = Shape.nothing
  @AppStorage("celsius") var celsius = Celsius(rawValue: 0)
  @AppStorage("meters") var meters = Meters(0)
}

/// The optional of every type.
private struct OptionalTypes {
  @AppStorage("string") var string: String?
  @AppStorage("bool") var bool: Bool?
  @AppStorage("int") var int: Int?
  @AppStorage("uint8") var uint8: UInt8?
  @AppStorage("double") var double: Double?
  @AppStorage("float") var float: Float?
  @AppStorage("data") var data: Data?
  @AppStorage("url") var url: URL?
  @AppStorage("date") var date: Date?
  @AppStorage("uuid") var uuid: UUID?
  @AppStorage("decimal") var decimal: Decimal?
  @AppStorage("strings") var strings: [String]?
  @AppStorage("counts") var counts: [String: Int]?
  @AppStorage("tree") var tree: PropertyList.Value?
  @AppStorage("level") var level: Level?
  @AppStorage("appearance") var appearance: Appearance?
  @AppStorage("player") var player: Player?
  @AppStorage("shape") var shape: Shape?
  @AppStorage("celsius") var celsius: Celsius?
  @AppStorage("meters") var meters: Meters?

  /// The names of those that have a value.
  var present: Set<String> {
    let all: [(String, Any?)] = [
      ("string", string), ("bool", bool), ("int", int), ("uint8", uint8), ("double", double),
      ("float", float), ("data", data), ("url", url), ("date", date), ("uuid", uuid),
      ("decimal", decimal), ("strings", strings), ("counts", counts), ("tree", tree),
      ("level", level), ("appearance", appearance), ("player", player), ("shape", shape),
      ("celsius", celsius), ("meters", meters),
    ]
    return Set(all.compactMap { $0.1 == nil ? nil : $0.0 })
  }

  static let count = 20
}

@Suite("AppStorage of any type") struct WrapperTypeTests {
  @Test("A property has its default, then its value, in the same store and the next one")
  func defaultsAndValues() throws {
    try withHome { home in
      let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
      let uuid = UUID()
      do {
        let store = try home.open()
        SettingsStore.withStandard(store) {
          let all = AllTypes()
          #expect(all.string == "none" && all.int == 0 && all.level == .low)
          #expect(all.shape == .nothing && all.date == .distantPast)
          #expect(store.names == [], "a default is not written")
          fill(all, date: date, uuid: uuid)
          expectFilled(all, date: date, uuid: uuid)
          expectFilled(AllTypes(), date: date, uuid: uuid)
        }
      }
      SettingsStore.withStandard(try home.open()) {
        expectFilled(AllTypes(), date: date, uuid: uuid)
      }
    }
  }

  private func fill(_ all: AllTypes, date: Date, uuid: UUID) {
    all.string = "Squat 🏋️"
    all.bool = true
    all.int = .min
    all.int8 = .min
    all.int16 = .max
    all.int32 = .min
    all.int64 = .max
    all.uint = .max
    all.uint8 = .max
    all.uint16 = .max
    all.uint32 = .max
    all.uint64 = .max
    all.double = 0.1
    all.float = 0.1
    all.data = Data([0, 255, 7])
    all.url = URL(string: "https://example.com/a%20b?q=1#f")!
    all.date = date
    all.uuid = uuid
    all.decimal = Decimal(string: "1.1")!
    all.strings = ["b", "", "a"]
    all.matrix = [[1], [], [2, 3]]
    all.counts = ["one.two": 3]
    all.tree = ["list": [1, 2.5, true, "x"], "none": [:]]
    all.level = .high
    all.appearance = .dark
    all.days = [.monday, .friday]
    all.player = Player(name: "Ray", scores: [3, 1], appearance: .dark)
    all.players = [Player(name: "A", scores: []), Player(name: "B", scores: [1])]
    all.shape = .polygon(sides: 6, name: "hexagon")
    all.celsius = Celsius(rawValue: -40)
    all.meters = Meters(8848)
  }

  private func expectFilled(_ all: AllTypes, date: Date, uuid: UUID) {
    #expect(all.string == "Squat 🏋️")
    #expect(all.bool)
    #expect(all.int == .min && all.int8 == .min && all.int16 == .max && all.int32 == .min)
    #expect(all.int64 == .max && all.uint == .max && all.uint8 == .max && all.uint16 == .max)
    #expect(all.uint32 == .max && all.uint64 == .max)
    #expect(all.double == 0.1 && all.float == 0.1)
    #expect(all.data == Data([0, 255, 7]))
    #expect(all.url.absoluteString == "https://example.com/a%20b?q=1#f")
    #expect(all.date == date && all.uuid == uuid)
    #expect(all.decimal.description == "1.1")
    #expect(all.strings == ["b", "", "a"] && all.matrix == [[1], [], [2, 3]])
    #expect(all.counts == ["one.two": 3])
    #expect(all.tree == ["list": [1, 2.5, true, "x"], "none": [:]])
    #expect(all.level == .high && all.appearance == .dark && all.days == [.monday, .friday])
    #expect(all.player == Player(name: "Ray", scores: [3, 1], appearance: .dark))
    #expect(all.players.map(\.name) == ["A", "B"])
    #expect(all.shape == .polygon(sides: 6, name: "hexagon"))
    #expect(all.celsius.rawValue == -40 && all.meters == Meters(8848))
  }

  @Test("An optional property is nil until it is set, and nil removes its key")
  func optionalProperties() {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let optionals = OptionalTypes()
      #expect(optionals.present == [])
      fill(optionals)
      #expect(optionals.present.count == OptionalTypes.count)
      #expect(store.names.count == OptionalTypes.count)
      #expect(Set(store.names) == OptionalTypes().present)
      #expect(optionals.level == .middle && optionals.shape == .circle(radius: 1))
      #expect(optionals.player?.name == "Ray" && optionals.celsius?.rawValue == 4)

      optionals.string = nil
      optionals.level = nil
      optionals.player = nil
      #expect(!store.names.contains("string") && !store.names.contains("level"))
      #expect(!store.names.contains("player"))
      clear(optionals)
      #expect(store.names == [] && OptionalTypes().present == [])
    }
  }

  private func fill(_ optionals: OptionalTypes) {
    optionals.string = ""
    optionals.bool = false
    optionals.int = 0
    optionals.uint8 = 0
    optionals.double = 0
    optionals.float = 0
    optionals.data = Data()
    optionals.url = URL(string: "file:///a%20b")
    optionals.date = .now
    optionals.uuid = UUID()
    optionals.decimal = 0
    optionals.strings = []
    optionals.counts = [:]
    optionals.tree = false
    optionals.level = .middle
    optionals.appearance = .light
    optionals.player = Player(name: "Ray", scores: [])
    optionals.shape = .circle(radius: 1)
    optionals.celsius = Celsius(rawValue: 4)
    optionals.meters = Meters(4)
  }

  private func clear(_ optionals: OptionalTypes) {
    optionals.bool = nil
    optionals.int = nil
    optionals.uint8 = nil
    optionals.double = nil
    optionals.float = nil
    optionals.data = nil
    optionals.url = nil
    optionals.date = nil
    optionals.uuid = nil
    optionals.decimal = nil
    optionals.strings = nil
    optionals.counts = nil
    optionals.tree = nil
    optionals.appearance = nil
    optionals.shape = nil
    optionals.celsius = nil
    optionals.meters = nil
  }
}
