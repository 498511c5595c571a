import FoundationEssentials
import KeepsakeCoding
import KeepsakeSettings
import Testing

/// Every type that a property can have, with a default, under every initializer.
private struct Everything {
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
  @AppStorage("metres") var metres = Metres(0)
}

/// The optional of every type.
private struct Perhaps {
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
  @AppStorage("metres") var metres: Metres?

  /// The names of those that have a value.
  var present: Set<String> {
    let all: [(String, Any?)] = [
      ("string", string), ("bool", bool), ("int", int), ("uint8", uint8), ("double", double),
      ("float", float), ("data", data), ("url", url), ("date", date), ("uuid", uuid),
      ("decimal", decimal), ("strings", strings), ("counts", counts), ("tree", tree),
      ("level", level), ("appearance", appearance), ("player", player), ("shape", shape),
      ("celsius", celsius), ("metres", metres),
    ]
    return Set(all.compactMap { $0.1 == nil ? nil : $0.0 })
  }

  static let count = 20
}

@Suite("A property in AppStorage of any type") struct WrapperTypeTests {
  @Test("has its default, then what it was given, in the same store and in the next")
  func hasItsDefault() throws {
    try withHome { home in
      let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
      let uuid = UUID()
      do {
        let store = try home.open()
        SettingsStore.withStandard(store) {
          let all = Everything()
          #expect(all.string == "none" && all.int == 0 && all.level == .low)
          #expect(all.shape == .nothing && all.date == .distantPast)
          #expect(store.names == [], "a default is not written")
          fill(all, date: date, uuid: uuid)
          expectFilled(all, date: date, uuid: uuid)
          expectFilled(Everything(), date: date, uuid: uuid)
        }
      }
      SettingsStore.withStandard(try home.open()) {
        expectFilled(Everything(), date: date, uuid: uuid)
      }
    }
  }

  private func fill(_ all: Everything, date: Date, uuid: UUID) {
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
    all.metres = Metres(8848)
  }

  private func expectFilled(_ all: Everything, date: Date, uuid: UUID) {
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
    #expect(all.celsius.rawValue == -40 && all.metres == Metres(8848))
  }

  @Test("has nothing where it is optional until it is set, and nil removes the key")
  func hasNothingWhereItIsOptionalUntil() {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let perhaps = Perhaps()
      #expect(perhaps.present == [])
      fill(perhaps)
      #expect(perhaps.present.count == Perhaps.count)
      #expect(store.names.count == Perhaps.count)
      #expect(Set(store.names) == Perhaps().present)
      #expect(perhaps.level == .middle && perhaps.shape == .circle(radius: 1))
      #expect(perhaps.player?.name == "Ray" && perhaps.celsius?.rawValue == 4)

      perhaps.string = nil
      perhaps.level = nil
      perhaps.player = nil
      #expect(!store.names.contains("string") && !store.names.contains("level"))
      #expect(!store.names.contains("player"))
      clear(perhaps)
      #expect(store.names == [] && Perhaps().present == [])
    }
  }

  private func fill(_ perhaps: Perhaps) {
    perhaps.string = ""
    perhaps.bool = false
    perhaps.int = 0
    perhaps.uint8 = 0
    perhaps.double = 0
    perhaps.float = 0
    perhaps.data = Data()
    perhaps.url = URL(string: "file:///a%20b")
    perhaps.date = .now
    perhaps.uuid = UUID()
    perhaps.decimal = 0
    perhaps.strings = []
    perhaps.counts = [:]
    perhaps.tree = false
    perhaps.level = .middle
    perhaps.appearance = .light
    perhaps.player = Player(name: "Ray", scores: [])
    perhaps.shape = .circle(radius: 1)
    perhaps.celsius = Celsius(rawValue: 4)
    perhaps.metres = Metres(4)
  }

  private func clear(_ perhaps: Perhaps) {
    perhaps.bool = nil
    perhaps.int = nil
    perhaps.uint8 = nil
    perhaps.double = nil
    perhaps.float = nil
    perhaps.data = nil
    perhaps.url = nil
    perhaps.date = nil
    perhaps.uuid = nil
    perhaps.decimal = nil
    perhaps.strings = nil
    perhaps.counts = nil
    perhaps.tree = nil
    perhaps.appearance = nil
    perhaps.shape = nil
    perhaps.celsius = nil
    perhaps.metres = nil
  }
}
