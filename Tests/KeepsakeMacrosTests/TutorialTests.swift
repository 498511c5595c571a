#if Macros
import Foundation
import KeepsakeFiles
import KeepsakeMacros
import KeepsakeTesting
import SystemPackage
import Testing

final class OldPreferences {
  enum Units: String { case metric, imperial }

  let defaults = UserDefaults.standard

  var units: Units {
    get { defaults.string(forKey: "units").flatMap(Units.init(rawValue:)) ?? .metric }
    set { defaults.set(newValue.rawValue, forKey: "units") }
  }

  var sessions: [OldSession] {
    get {
      guard let data = defaults.data(forKey: "sessions") else { return [] }
      return (try? JSONDecoder().decode([OldSession].self, from: data)) ?? []
    }
    set { defaults.set(try? JSONEncoder().encode(newValue), forKey: "sessions") }
  }
}

struct OldSession: Codable {
  var exercise: String
  var seconds: Int
  var rating: Int

  enum CodingKeys: String, CodingKey {
    case exercise = "exercise_name"
    case seconds, rating
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    exercise = try container.decode(String.self, forKey: .exercise)
    if let text = try? container.decode(String.self, forKey: .seconds) {
      guard let number = Int(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .seconds, in: container, debugDescription: "\(text) is not a number.")
      }
      seconds = number
    } else {
      seconds = try container.decode(Int.self, forKey: .seconds)
    }
    rating = try container.decodeIfPresent(Int.self, forKey: .rating) ?? 3
  }
}

@Storable
struct Session: Equatable {
  @Key("exercise_name") var exercise: String
  @Migrated({ (old: String) in Int(old) }) var seconds: Int
  var rating = 3
}

@ObservableSettings
final class TutorialPreferences: Sendable {
  enum Units: String { case metric, imperial }

  var units = Units.metric
  @Migrated({ (old: Data) in try JSON.Decoder().decode([Session].self, from: old) })
  var sessions: [Session] = []
}

@Storable
struct NextSession: Equatable {
  @Key("exercise", aliases: "exercise_name") var exercise: String
  @Migrated({ (old: String) in Int(old) }) var seconds: Int
  var rating = 3
  var note = ""
}

func takeOver(_ defaults: UserDefaults, to store: SettingsStore) {
  guard store[SettingsKey("hasTakenOver", default: false)] == false else { return }
  let units = defaults.string(forKey: "units")
  let sessions = defaults.data(forKey: "sessions")
  try? store.transaction { settings in
    settings[SettingsKey<String?>("units")] = units
    settings[SettingsKey<Data?>("sessions")] = sessions
    settings[SettingsKey("hasTakenOver", default: false)] = true
  }
}

@Suite("The tutorial") struct TutorialTests {
  private let old =
    #"[{"exercise_name":"Squat","seconds":"20"},{"exercise_name":"Plank","seconds":5}]"#

  @Test("compiles: all its Swift stands here") func compiles() throws {
    #expect(try linesOfSnippets(inArticle: "MacrosTutorial", missingFrom: #filePath) == [])
  }

  @Test("reads what the hand-written type reads") func types() throws {
    let before = try JSONDecoder().decode([OldSession].self, from: Data(old.utf8))
    let after = try JSON.Decoder().decode([Session].self, from: Data(old.utf8))
    #expect(
      after == before.map { Session(exercise: $0.exercise, seconds: $0.seconds, rating: $0.rating) }
    )
    let text = try JSON.Encoder().encode(after)
    #expect(try JSONDecoder().decode([OldSession].self, from: text).map(\.rating) == [3, 3])
    let next = try JSON.Decoder().decode([NextSession].self, from: text)
    #expect(next.map(\.exercise) == ["Squat", "Plank"])
  }

  @Test("takes over what `UserDefaults` has stored, once") func defaults() throws {
    let defaults = try #require(UserDefaults(suiteName: "com.example.tutorial.\(UUID())"))
    defaults.set("imperial", forKey: "units")
    defaults.set(Data(old.utf8), forKey: "sessions")
    let container = AppContainer(root: "/home", identifier: "com.example.Tutorial")
    let store = try SettingsStore(container: container, fileSystem: SimulatedDisk())
    do {
      takeOver(defaults, to: store)  // UserDefaults.standard
      let preferences = TutorialPreferences(store: store)
      preferences.sessions.append(Session(exercise: "Burpee", seconds: 30))
      #expect(preferences.units == .imperial)
      #expect(preferences.sessions.map(\.exercise) == ["Squat", "Plank", "Burpee"])
    }
    takeOver(defaults, to: store)
    #expect(TutorialPreferences(store: store).sessions.count == 3)
  }
}
#endif
