import ArgumentParser
import Keepsake

extension SettingsKey where Value == Int {
  static var rounds: Self { SettingsKey("rounds", default: 4) }
}

extension SettingsKey where Value == Bool {
  static var sound: Self { SettingsKey("sound", default: true) }
}

/// A command whose options default to what the user last kept.
struct Train: ParsableCommand {
  @Option(help: "The number of rounds.")
  var rounds: Int = SettingsStore.standard[.rounds]

  @Flag(inversion: .prefixedNo, help: "Whether a sound marks the end of a round.")
  var sound: Bool = SettingsStore.standard[.sound]

  @Flag(help: "Keep these options for the next time.")
  var keep = false

  func run() throws {
    if keep {
      try SettingsStore.standard.transaction { settings in
        settings[.rounds] = rounds
        settings[.sound] = sound
      }
    }
    print("\(rounds) rounds, \(sound ? "with" : "without") sound")
  }
}
