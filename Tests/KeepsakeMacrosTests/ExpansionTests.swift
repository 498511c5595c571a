#if Macros
import Testing

@Suite("Expansions of the macros") struct ExpansionTests {
  /// Compares the code that a source is expanded to.
  func check(
    _ source: String, _ expansion: String, _ location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let printed = try Compiler.expansions(of: "import KeepsakeMacros\n" + source)
    #expect(printed.contains(expansion), "\(printed)", sourceLocation: location)
  }

  @Test("A structure") func structure() throws {
    try check(
      """
      @Storable public struct Person {
        public var name: String
        @Key("mail", aliases: "email") var address: String?
        var age = 0
      }
      """,
      #"""
      extension Person: Decodable, Encodable, JSON.Readable, JSON.Writable {
        private enum CodingKeys: String, CodingKey {
          case name, address = "mail", age, email
        }

        public init(from decoder: any Decoder) throws {
          let fields = try decoder._fields(CodingKeys.self)
          self.name = try fields._read(.name)
          self.address = try fields._at(.address, or: [.email])._readIfPresent()
          try fields._read(.age, into: &self.age)
        }

        public func encode(to encoder: any Encoder) throws {
          var fields = encoder.container(keyedBy: CodingKeys.self)
          try fields._write(self.name, .name)
          try fields._write(self.address, .address)
          try fields._write(self.age, .age)
        }

        private enum JSONFields {
          static let object0 = JSON.Fields("name", "mail", "age", aliases: ["email": 1])
        }

        public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
          var _name: String?
          var _address: String?
          var _age = JSON.Reader._nothing { (value: Self) in value.age }
          var object0 = try reader.beginObject(JSONFields.object0)
          while let field = try reader.nextField(of: &object0) {
            switch field {
            case 0: try reader._read(into: &_name)
            case 1: try reader._readIfPresent(into: &_address)
            case 2: try reader._read(into: &_age)
            default: try reader.skipValue()
            }
          }
          guard let _name else { throw object0.missingField }
          self.init(name: _name, address: _address, age: _age ?? 0)
        }

        public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
          try writer.beginObject()
          try writer._write(self.name, key: #""name":"#)
          try writer._write(self.address, key: #""mail":"#)
          try writer._write(self.age, key: #""age":"#)
          writer.endObject()
        }
      }
      """#)
  }

  @Test("A structure with everything") func everything() throws {
    try check(
      """
      @Storable(version: 2, keys: .snakeCase) struct Person<Content> {
        let firstName: String
        @Key(path: "contact.email", aliases: "mail") @Coded(.base64) var address: Data
        @Migrated(from: "years", before: 2, { (old: Double) in Int(old) }) var age = 0
        @NotStored var cache = ""
        @Flattened var content: Content
        @IfUnreadable(.dropElements) var list: [Int] = []
        var nickname: String? = "none"
      }
      """,
      #"""
      extension Person: Decodable, Encodable where Content: Codable {
        private enum CodingKeys: String, CodingKey {
          case firstName = "first_name", age, list, nickname, schemaVersion, contact, email, mail, years
        }

        init(from decoder: any Decoder) throws {
          let fields = try decoder._fields(CodingKeys.self, version: .schemaVersion)
          self.firstName = try fields._read(.firstName)
          self.address = try fields._at(.contact, .email, or: [.mail])._read(using: .base64)
          try fields._at(.age)._read(into: &self.age, _Migration(from: [.years], before: 2, { (old: Double) in Int(old) }))
          self.content = try fields._readFlattened()
          try fields._at(.list)._read(into: &self.list, using: _DroppingElements())
          try fields._read(.nickname, into: &self.nickname)
        }

        func encode(to encoder: any Encoder) throws {
          var fields = encoder.container(keyedBy: CodingKeys.self)
          try fields.encode(2, forKey: .schemaVersion)
          try fields._write(self.firstName, .firstName)
          var fields1 = fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .contact)
          try fields1._write(self.address, .email, using: .base64)
          try fields._write(self.age, .age)
          try fields._write(self.list, .list)
          try fields.encode(self.nickname, forKey: .nickname)
          try self.content.encode(to: encoder)
        }
      }
      """#)
  }

  @Test("An enumeration") func enumeration() throws {
    try check(
      """
      @Storable(tag: "type") enum Shape {
        case circle(Circle)
        @Key("box", aliases: "square") case box(width: Double, height: Double?)
        @Unknown case other(JSON.Value)
      }
      """,
      #"""
      extension Shape: Decodable, Encodable, JSON.Readable, JSON.Writable {
        private enum CodingKeys: String, CodingKey {
          case type, _0, width, height
        }

        init(from decoder: any Decoder) throws {
          guard let fields = decoder._taggedCaseIfPresent(CodingKeys.self, .type) else {
            self = .other(try decoder._value())
            return
          }
          switch fields.name {
          case "circle": self = .circle(try decoder._value())
          case "box", "square": self = .box(width: try fields.values._read(.width), height: try fields.values._readIfPresent(.height))
          default: self = .other(try decoder._value())
          }
        }

        func encode(to encoder: any Encoder) throws {
          switch self {
          case .circle(let value0):
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode("circle", forKey: .type)
            try value0.encode(to: encoder)
          case .box(let value0, let value1):
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode("box", forKey: .type)
            try fields._write(value0, .width)
            try fields._write(value1, .height)
          case .other(let value): try encoder._write(value)
          }
        }

        init(from reader: inout JSON.Reader) throws(JSON.Fault) {
          var start = try reader._beginCase(tag: "type")
          switch start.name {
          case "circle":
            self = .circle(try reader._value(from: start))
          case "box", "square":
            self = .box(width: try reader._next("width", &start), height: try reader._nextIfPresent("height", &start))
            try reader._endContent(&start)
          default: throw reader._unknownCase
          }
        }

        func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
          switch self {
          case .circle(let value0):
            try writer._write(value0, tag: "type", "circle")
          case .box(let value0, let value1):
            try writer.beginObject()
            try writer._write("box", key: #""type":"#)
            try writer._write(value0, key: #""width":"#)
            try writer._write(value1, key: #""height":"#)
            writer.endObject()
          case .other(let value): try writer._write(value)
          }
        }
      }
      """#)
  }

  /// Compares code that swift-syntax has indented, without its white space.
  private func checkTokens(
    _ source: String, _ expansion: String, _ location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let printed = try Compiler.expansions(of: "import KeepsakeMacros\n" + source)
    #expect(
      printed.filter { !$0.isWhitespace }.contains(expansion.filter { !$0.isWhitespace }),
      "\(printed)", sourceLocation: location)
  }

  @Test("A class of settings") func settings() throws {
    let source = """
      @ObservableSettings public final class Options {
        public var units = 1
        @Key("userName", aliases: "user") var name: String?
        @Validated(in: 1...5) var rating: Int = 3
        @Migrated({ (old: String) in Int(old) }) private(set) var count = 0
        @InScene var tab = 9
        @NotStored var selection: Int?
      }
      """
    try checkTokens(
      source,
      """
      public let store: SettingsStore

      public init(store: SettingsStore = .standard) {
        self.store = store
        migrate()
      }

      private func migrate() {
        store._migrate(["count", "user"]) { migration in
          migration.rename("user", to: Self.nameKey)
          migration.convert("count", to: Self.countKey, { (old: String) in Int(old) })
        }
      }

      private let _registrar = ObservationRegistrar()
      """)
    try checkTokens(source, #"public static let unitsKey = SettingsKey("units", default: 1)"#)
    try checkTokens(source, #"static let nameKey = SettingsKey<String?>("userName")"#)
    try checkTokens(
      source,
      #"static let ratingKey = SettingsKey<Int>("rating", default: 3).validated(in: 1...5)"#)
    try checkTokens(source, #"private static let countKey = SettingsKey("count", default: 0)"#)
    try checkTokens(source, #"private let _tab = SceneStorage(SettingsKey("tab", default: 9))"#)
    try checkTokens(source, "private var _selection: Int? = nil")
    try checkTokens(
      source,
      """
      {
        get { store[Self.ratingKey] }
        set { store[Self.ratingKey] = newValue }
      }
      """)
    try checkTokens(
      source,
      #"""
      {
        get {
          _registrar.access(self, keyPath: \.selection)
          return _selection
        }
        set {
          _registrar.withMutation(of: self, keyPath: \.selection) { _selection = newValue }
        }
      }
      """#)
  }

  @Test("A secret") func secret() throws {
    let source = """
      import KeepsakeSecrets

      @ObservableSettings final class Account {
        @Secret @Key("apiToken") var token: String?
      }
      """
    try checkTokens(
      source,
      """
      let store: SettingsStore

      let secrets: SecretStore

      init(store: SettingsStore = .standard, secrets: SecretStore) {
        self.store = store
        self.secrets = secrets
      }

      private let _registrar = ObservationRegistrar()
      """)
    try checkTokens(
      source,
      #"""
      {
        get {
          _registrar.access(self, keyPath: \.token)
          return store._secret("apiToken") { try secrets.value(for: "apiToken") }
        }
        set {
          _registrar.withMutation(of: self, keyPath: \.token) {
            store._changeSecret("apiToken") {
              let _: String? = try secrets.value(for: "apiToken")
              if let newValue {
                try secrets.set(newValue, for: "apiToken")
              } else {
                try secrets.remove("apiToken")
              }
            }
          }
        }
      }
      """#)
  }
}
#endif
