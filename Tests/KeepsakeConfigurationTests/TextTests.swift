#if Configuration
import Foundation
import KeepsakeConfiguration
import Testing

@Suite("The texts of arguments and variables") struct TextTests {
  struct Settings: Decodable, Equatable {
    enum Level: String, Decodable { case info, verbose }
    var count: Int
    var small: UInt8
    var ratio: Double
    var price: Decimal
    var isOn: Bool
    var level: Level
    var url: URL
    var id: UUID
    var since: Date
    var blob: Data
    var names: [String]
    var ports: [Int]
    var flags: Set<Bool>
    var absent: Int?
  }

  static let expected = Settings(
    count: -3, small: 200, ratio: 0.5, price: Decimal(string: "0.1")!, isOn: true, level: .verbose,
    url: URL(string: "https://example.com/?a=1,2")!,
    id: UUID(uuidString: "C0A8B9A2-4E7B-4F0C-9C53-3E2B4A6D8F10")!,
    since: Date(timeIntervalSince1970: 1_538_491_815), blob: Data([1, 2, 3]), names: ["a", "b"],
    ports: [80, 443], flags: [true, false])

  static let texts = [
    "COUNT": "-3", "SMALL": "200", "RATIO": "0.5", "PRICE": "0.1", "IS_ON": "yes",
    "LEVEL": "verbose", "URL": "https://example.com/?a=1,2",
    "ID": "C0A8B9A2-4E7B-4F0C-9C53-3E2B4A6D8F10", "SINCE": "2018-10-02T14:50:15Z",
    "BLOB": "AQID", "NAMES": "a,b", "PORTS": "80,443", "FLAGS": "true,false",
  ]

  @Test("are read as the requested types") func types() throws {
    let disk = try Sample.disk()
    let variables = try EnvironmentConfiguration(on: disk, variables: Self.texts)
    #expect(try variables.decode(Settings.self) == Self.expected)
    let arguments = try EnvironmentConfiguration(
      on: disk,
      arguments: Self.texts.map { key, text in
        "--\(key.lowercased().split(separator: "_").joined(separator: "-"))=\(text)"
      })
    #expect(try arguments.decode(Settings.self) == Self.expected)
  }

  @Test("can be missing, or several") func arguments() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(), arguments: ["--verbose", "--names", "a", "b", "--off=no"])
    #expect(try configuration.value(for: "verbose", as: Bool.self))
    #expect(try configuration.value(for: "off", as: Bool.self) == false)
    #expect(try configuration.value(for: "names", as: [String].self) == ["a", "b"])
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "names", as: String.self)
    }
    #expect(error.message == "expected String, found 2 texts after --names in arguments")
  }

  @Test("of a wrong form are errors that name the argument or variable")
  func wrong() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(), variables: ["RETRIES": "many"])
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Retries", as: Int.self)
    }
    #expect(error.code == .wrongType)
    #expect(
      error.message == "expected Int, found 'many' as RETRIES in environment variables")
    #expect(error.file == nil)
  }
}
#endif
