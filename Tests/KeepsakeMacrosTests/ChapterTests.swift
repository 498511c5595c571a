#if Macros
import Foundation
import KeepsakeMacros
import Testing

#if Secrets
import KeepsakeSecrets

@ObservableSettings
final class ServiceAccount: Sendable {
  var name = ""
  @Secret var token: String?
}
#endif

@Storable
struct Exercise: Equatable {
  var name: String
  var seconds: Int
}

@Storable(version: 2)
struct Workout: Equatable {
  @Key(aliases: "name") var title: String
  var rounds = 1
  @Migrated(from: "seconds", before: 2, { (old: Int) in Duration.seconds(old) })
  var length: Duration
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").first.flatMap { Int($0) } })
  var lowest: Int?
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").last.flatMap { Int($0) } })
  var highest: Int?
}

@Storable(keys: .snakeCase)
struct Quote: Equatable {
  @Key("1. open") @Coded(.text(of: Double.self)) var open: Double
  @Key(path: "meta.lastRefreshed") @Coded(.iso8601) var date: Date
  @IfUnreadable(.dropElements) var closingPrices: [Double] = []
  @Unknown var others: [String: JSON.Value] = [:]
}

struct Update: Decodable {
  let open: Float
  let close: Float
  let volume: Int

  enum CodingKeys: String, CodingKey {
    case open = "1. open"
    case close = "4. close"
    case volume = "5. volume"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    open = try Float(container.decode(String.self, forKey: .open)).unwrapOrThrow()
    close = try Float(container.decode(String.self, forKey: .close)).unwrapOrThrow()
    volume = try Int(container.decode(String.self, forKey: .volume)).unwrapOrThrow()
  }
}

extension Optional {
  struct IsEmpty: Error {}

  func unwrapOrThrow() throws -> Wrapped {
    guard let self else { throw IsEmpty() }
    return self
  }
}

@Storable
struct StockUpdate: Equatable {
  @Key("1. open") @Coded(.text(of: Float.self)) let open: Float
  @Key("4. close") @Coded(.text(of: Float.self)) let close: Float
  @Key("5. volume") @Coded(.text(of: Int.self)) let volume: Int
}

@Storable(tag: "type")
enum Step: Equatable {
  case exercise(name: String, seconds: Int)
  @Key("rest", aliases: "break") case pause(seconds: Int)
  @Unknown case other(JSON.Value)
}

@ObservableSettings
final class Preferences: Sendable {
  enum Units: String { case metric, imperial }

  var units = Units.metric
  @Key("userName", aliases: "user") var name: String?
  @Validated(in: 1...5) var rating = 3
  @Migrated(from: "length", { (old: Int) in Duration.seconds(old) })
  var pause = Duration.seconds(30)
  @InScene var selectedTab = 0
}

@Suite("The snippets of the article about macros") struct ChapterTests {
  @Test("Every line of Swift is compiled in this file") func snippets() throws {
    let missing = try linesOfSnippets(inArticle: "Macros", missingFrom: #filePath)
    // How a package depends on this one is tested by a script.
    #expect(missing.filter { !$0.hasPrefix(".p") && $0 != "// and, in a target:" } == [])
  }

  @Test("From Codable to versioned") func versions() throws {
    let first = try JSON.Encoder().encode(Exercise(name: "Burpee", seconds: 30))
    #expect(String(decoding: first, as: UTF8.self) == #"{"name":"Burpee","seconds":30}"#)
    let old = Data(#"{"name": "Burpee", "seconds": 30, "range": "8-12"}"#.utf8)
    let workout = try JSON.Decoder().decode(Workout.self, from: old)
    // Workout(title: "Burpee", rounds: 1, length: 30 seconds, lowest: 8, highest: 12)
    let expected = Workout(
      title: "Burpee", rounds: 1, length: .seconds(30), lowest: 8, highest: 12)
    #expect(workout == expected)
    let again = try JSON.Decoder().decode(Workout.self, from: JSON.Encoder().encode(workout))
    #expect(again == expected)
  }

  @Test("Attributes") func attributes() throws {
    let decoder = JSON.Decoder()
    let handler: @Sendable (any Error) -> Void = { error in print(error) }
    decoder.userInfo[.unreadableValueHandler] = handler
    let text =
      #"{"1. open":"101.9","meta":{"lastRefreshed":"2021-06-04T00:00:00Z"},"#
      + #""closing_prices":[1,2.5],"volume":7}"#
    let quote = try decoder.decode(Quote.self, from: Data(text.utf8))
    #expect(quote.open == 101.9 && quote.others == ["volume": 7])
    #expect(String(decoding: try JSON.Encoder().encode(quote), as: UTF8.self) == text)
  }

  @Test("Numbers in texts, by hand and declared") func numbersInTexts() throws {
    let text = #"{"1. open":"101.9","4. close":"102.0","5. volume":"1807"}"#
    let update = try JSON.Decoder().decode(Update.self, from: Data(text.utf8))
    let declared = try JSON.Decoder().decode(StockUpdate.self, from: Data(text.utf8))
    #expect(declared.open == update.open && declared.close == update.close)
    #expect(declared.volume == update.volume)
    #expect(String(decoding: try JSON.Encoder().encode(declared), as: UTF8.self) == text)
  }

  @Test("Settings") func settings() throws {
    let store = SettingsStore.inMemory()
    try SettingsStore.withStandard(store) {
      let preferences = Preferences()  // the standard settings, or Preferences(store: …)
      preferences.units = .imperial
      try preferences.store.transaction { $0[Preferences.ratingKey] += 1 }
      @Bindable var bindable = preferences
      let rating = $bindable.rating  // a Binding<Int>
      #expect(rating.wrappedValue == 4 && store.names == ["rating", "units"])
    }
  }

  @Test("Enumerations") func enumerations() throws {
    let step = Step.pause(seconds: 10)
    let text = try JSON.Encoder().encode(step)  // {"type":"rest","seconds":10}
    #expect(String(decoding: text, as: UTF8.self) == #"{"type":"rest","seconds":10}"#)
  }
}
#endif
