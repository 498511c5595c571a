import FoundationEssentials
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Stored property lists (P11)") struct StoredFormTests {
  /// The form of a value in the file, without white space between tags.
  private func form<Value>(of value: Value, by key: SettingsKey<Value>) throws -> String {
    try withHome { home in
      let store = try home.open()
      try store.set(value, for: key)
      try store.save()
      let lines = try home.text().split(separator: "\n").map {
        String($0.drop { $0 == "\t" })
      }
      let text = lines.joined()
      let start = try #require(text.firstRange(of: "<key>\(key.name)</key>")?.upperBound)
      let end = try #require(text.firstRange(of: "</dict></plist>")?.lowerBound)
      return String(text[start..<end])
    }
  }

  @Test("Each type is stored in its plain form") func plainForms() throws {
    #expect(
      try form(of: "a & b", by: SettingsKey("k", default: "")) == "<string>a &amp; b</string>")
    #expect(try form(of: true, by: SettingsKey("k", default: false)) == "<true/>")
    #expect(try form(of: -5, by: SettingsKey("k", default: 0)) == "<integer>-5</integer>")
    #expect(try form(of: UInt8(200), by: SettingsKey("k")) == "<integer>200</integer>")
    #expect(
      try form(of: UInt64.max, by: SettingsKey("k")) == "<integer>18446744073709551615</integer>")
    #expect(try form(of: 0.1, by: SettingsKey("k", default: 0.0)) == "<real>0.1</real>")
    #expect(try form(of: Data([1, 2]), by: SettingsKey("k")) == "<data>AQI=</data>")
    #expect(
      try form(of: URL(string: "https://a.b/c")!, by: SettingsKey("k"))
        == "<string>https://a.b/c</string>")
    #expect(
      try form(of: Date(timeIntervalSinceReferenceDate: 0), by: SettingsKey("k"))
        == "<date>2001-01-01T00:00:00Z</date>")
    #expect(
      try form(of: Date(timeIntervalSinceReferenceDate: 0.5), by: SettingsKey("k"))
        == "<real>0.5</real>")
    #expect(
      try form(of: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, by: SettingsKey("k"))
        == "<string>E621E1F8-C36C-495A-93FC-0C247A3E6E5F</string>")
    #expect(
      try form(of: Decimal(string: "1.1")!, by: SettingsKey("k")) == "<string>1.1</string>")
    #expect(
      try form(of: [1, 2], by: SettingsKey("k"))
        == "<array><integer>1</integer><integer>2</integer></array>")
    #expect(
      try form(of: ["b": 1, "a": 2], by: SettingsKey("k"))
        == "<dict><key>a</key><integer>2</integer><key>b</key><integer>1</integer></dict>")
  }

  @Test("A raw value is stored even if the type is Codable") func rawValues() throws {
    #expect(try form(of: Level.high, by: SettingsKey("k")) == "<integer>2</integer>")
    #expect(
      try form(of: Appearance.dark, by: SettingsKey("k", default: .light))
        == "<string>dark</string>")
    #expect(try form(of: Appearance.dark, by: SettingsKey("k")) == "<string>dark</string>")
    #expect(
      try form(of: [.monday, .friday] as Days, by: SettingsKey("k", default: []))
        == "<integer>17</integer>")
  }

  @Test("The form that a type defines is stored even if it is Codable")
  func customForm() throws {
    #expect(try form(of: Meters(5), by: SettingsKey("k")) == "<integer>5</integer>")
    #expect(
      try form(of: Meters(5), by: SettingsKey("k", default: Meters(0))) == "<integer>5</integer>")
    let freezing = Celsius(rawValue: 0)
    #expect(try form(of: freezing, by: SettingsKey("k")) == "<string>0 °C</string>")
    #expect(
      try form(of: freezing, by: SettingsKey("k", default: freezing)) == "<string>0 °C</string>")
  }

  @Test("A type that can be stored directly is stored so by generic code, too")
  func genericForm() throws {
    func set<Value: Codable & Sendable>(_ value: Value, _ store: SettingsStore) {
      store[SettingsKey("k", default: value)] = value
    }
    func expect<Value: SettingsValue & Codable & Equatable>(_ value: Value) throws {
      let store = SettingsStore.inMemory()
      set(value, store)
      #expect(store[SettingsKey<PropertyList.Value?>("k")] == value.propertyList)
      #expect(try store.value(for: SettingsKey("k", default: value)) == value)
    }
    try expect(URL(string: "https://example.com/a")!)
    try expect(UUID())
    try expect(Decimal(string: "1.25")!)
    try expect(Date(timeIntervalSinceReferenceDate: 1.5))
    try expect(Data([1, 2]))
    try expect([URL(string: "x:y")!])
    try expect(["a": Decimal(3)])
    try expect(UInt64.max)
  }

  @Test("A Codable type is stored as it encodes itself") func codableForm() throws {
    #expect(
      try form(
        of: Player(name: "Ray", scores: [3], appearance: .dark), by: SettingsKey("k"))
        == "<dict><key>appearance</key><string>dark</string><key>name</key><string>Ray</string>"
        + "<key>scores</key><array><integer>3</integer></array></dict>")
    #expect(
      try form(of: Shape.circle(radius: 0.5), by: SettingsKey("k", default: .nothing))
        == "<dict><key>circle</key><dict><key>radius</key><real>0.5</real></dict></dict>")
    #expect(
      try form(of: [Appearance.dark], by: SettingsKey("k", default: []))
        == "<array><string>dark</string></array>")
  }

  @Test("Equal values are stored as the same bytes, regardless of their history")
  func determinism() throws {
    var values: [String: PropertyList.Value] = [:]
    for number in 0..<200 {
      values["key \(number * 7919 % 200)"] =
        number % 3 == 0 ? .integer(Int64(number)) : ["b": .real(Double(number)), "a": "ä"]
    }
    values["Zoë"] = "x"
    values["zebra"] = "y"
    values[""] = "z"
    let texts = try (0..<4).map { round in
      try withHome { home in
        do {
          let store = try home.open()
          for (name, value) in values.shuffled() {
            let key = SettingsKey<PropertyList.Value?>(name)
            // Some have another value before.
            if round > 0, Bool.random() { try store.set(.string("before"), for: key) }
            if round > 1, Bool.random() { try store.remove(key) }
            if round > 2, Bool.random() { try store.save() }
            try store.set(value, for: key)
          }
        }
        // The comment at the end contains the journal's number.
        return try home.text().replacing(/<!-- Keepsake.*-->/, with: "")
      }
    }
    #expect(Set(texts).count == 1)
  }

  @Test("Keys are sorted, and the file ends with a line feed") func order() throws {
    try withHome { home in
      do {
        let store = try home.open()
        for name in ["b", "a", "c.d", "B", "10", "9", "é", "z"] {
          try store.set(1, for: SettingsKey(name, default: 0))
        }
      }
      let text = try home.text()
      let keys = text.split(separator: "<key>").dropFirst().map { $0.prefix { $0 != "<" } }
      let store = try home.open()
      #expect(keys.map { String($0) } == store.names)
      #expect(store.names.count == 8 && text.hasSuffix(" -->\n"))
    }
  }

  @Test("A binary property list is read, also while the store is open, and the next one is XML")
  func binary() async throws {
    try await withHome { home in
      let text = SettingsKey("text", default: "")
      let number = SettingsKey("number", default: 0)
      let files = LocalFileSystem()
      let path = home.container.preferencesFile()
      func replace(_ values: [String: PropertyList.Value]) throws {
        try files.createDirectories(home.container.preferences)
        try files.replaceFile(
          at: path, with: PropertyList.Value.dictionary(values).serializedBinary())
      }
      try replace(["text": .string("é"), "number": .integer(1)])
      let problems = Problems()
      let store = try home.open(problems: problems)
      #expect(store[text] == "é" && store[number] == 1)
      try store.set("own", for: text)
      try store.save()
      #expect(try home.text().hasPrefix("<?xml"))
      try replace(["text": .string("own"), "number": .integer(2)])
      for await value in store.values(of: number) where value == 2 { break }
      try store.save()
      #expect(store[text] == "own" && problems.all.isEmpty)
      #expect(try home.text().contains("<integer>2</integer>"))
    }
  }

  @Test("Foundation can read the property list") func foundation() throws {
    try withHome { home in
      do {
        let store = try home.open()
        try store.set("a\nb <&> ü", for: SettingsKey("text"))
        try store.set(-3, for: SettingsKey("number"))
        try store.set(true, for: SettingsKey("flag"))
        try store.set(0.25, for: SettingsKey("real"))
        try store.set(Data([0, 1]), for: SettingsKey("data"))
        try store.set(Date(timeIntervalSinceReferenceDate: 86400), for: SettingsKey("date"))
        try store.set(["x": [1, 2]], for: SettingsKey("tree"))
      }
      struct Read: Decodable {
        var text: String
        var number: Int
        var flag: Bool
        var real: Double
        var data: Data
        var date: Date
        var tree: [String: [Int]]
      }
      let read = try PropertyListDecoder().decode(Read.self, from: Data(home.text().utf8))
      #expect(read.text == "a\nb <&> ü" && read.number == -3 && read.flag && read.real == 0.25)
      #expect(read.data == Data([0, 1]) && read.date.timeIntervalSinceReferenceDate == 86400)
      #expect(read.tree == ["x": [1, 2]])
    }
  }
}

@Suite("Files of a store") struct StoreFilesTests {
  @Test("Files are created on an empty disk, for their owner only (P10, P12)")
  func permissions() throws {
    try withHome { home in
      let files = LocalFileSystem()
      #expect(try files.information(at: home.root) == nil)
      let store = try home.open(groups: ["com.example.group"])
      try store.set(1, for: SettingsKey("number"))
      try store.save()

      let preferences = home.container.preferences
      let names = try files.contents(ofDirectory: preferences)
      #expect(names.contains("com.example.Behaviour.plist"))
      for name in names {
        #expect(try mode(of: preferences.appending(name)) == 0o600, "\(name)")
      }
      var directory = preferences
      while directory != home.root.removingLastComponent() {
        #expect(try mode(of: directory) == 0o700, "\(directory)")
        directory.removeLastComponent()
      }
    }
  }

  private func mode(of path: FilePath) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("No suite or identifier makes a file outside the directory (P10)")
  func namesCannotEscape() throws {
    let names = [
      "../escape", "/etc/passwd", "..", ".", "", "a/b", "a\u{0}b", "~", "\u{202E}x", "%2E",
    ]
    for name in names {
      try withTemporaryDirectory { root in
        let inner = root.appending("inner")
        do {
          let home = Home(root: inner.appending("home"), identifier: name)
          try home.open().set(1, for: SettingsKey("number"))
          try home.open(suite: name + "2").set(2, for: SettingsKey("number"))
          #expect(try home.open()[SettingsKey<Int?>("number")] == 1, "\(name)")
          #expect(try home.open(suite: name + "2")[SettingsKey<Int?>("number")] == 2, "\(name)")
          let files = try LocalFileSystem().contents(ofDirectory: home.container.preferences)
          #expect(files.count { $0.hasSuffix(".plist") } == 2, "\(files)")
        }
        #expect(try LocalFileSystem().contents(ofDirectory: root) == ["inner"])
        #expect(try LocalFileSystem().contents(ofDirectory: inner) == ["home"])
        #expect(try LocalFileSystem().contents(ofDirectory: inner.appending("home")) == ["Library"])
      }
    }
  }
}
