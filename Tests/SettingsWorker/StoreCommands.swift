import Dispatch
import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport

extension SettingsWorker {
  /// Saves one number after the other, each under one of the writer's keys, and reports each that
  /// is saved.
  static func write(_ store: SettingsStore, prefix: String, from first: Int, count: Int) throws {
    for number in first..<first + count {
      try store.set(
        writtenText(number), for: SettingsKey(writtenKey(prefix, number), default: ""))
      say("\(number)")
    }
  }

  /// Adds one to a number in the given number of transactions, and reports each sum.
  static func increment(_ store: SettingsStore, key: String, count: Int) throws {
    let key = SettingsKey(key, default: 0)
    for _ in 0..<count {
      let sum = try store.transaction { settings in
        settings[key] += 1
        return settings[key]
      }
      say("\(sum)")
    }
  }

  /// Changes a value in a transaction that does not end.
  static func hold(_ store: SettingsStore, key: String, value: String) throws {
    try store.transaction { settings in
      settings[SettingsKey(key, default: "")] = value
      say("inside")
      _ = readLine()
    }
  }

  /// Exits within a transaction of one of two stores of the same files.
  static func exitInside(_ store: SettingsStore, _ other: SettingsStore, key: String) throws {
    try other.set("kept", for: SettingsKey("before", default: ""))
    try store.transaction { settings -> Void in
      settings[SettingsKey(key, default: "")] = "lost"
      say("inside")
      exit(0)
    }
  }

  /// Exits while another thread is within a transaction that does not end.
  static func exitBeside(_ store: SettingsStore, _ other: SettingsStore, key: String) throws {
    try other.set("kept", for: SettingsKey("before", default: ""))
    let isInside = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? store.transaction { settings in
        settings[SettingsKey(key, default: "")] = "lost"
        isInside.signal()
        while true { sleep(60) }
      }
    }
    isInside.wait()
    say("inside")
    exit(0)
  }

  /// Reports each value of a key that it receives, and when, until the last one.
  static func watch(_ store: SettingsStore, key: String, until last: Int) async throws {
    for await value in store.values(of: SettingsKey(key, default: 0)) {
      say("\(value) \(ContinuousClock.now)")
      if value == last { return }
    }
  }

  /// Executes the command of each line, and answers with a line.
  static func serve(_ store: SettingsStore) throws {
    say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      do {
        switch words[0] {
        case "get": say(try store.value(for: SettingsKey<String?>(words[1])) ?? "nothing")
        case "set":
          try store.set(words[2], for: SettingsKey(words[1], default: ""))
          say("ok")
        case "remove":
          try store.remove(SettingsKey(words[1], default: ""))
          say("ok")
        case "number": say("\(try store.value(for: SettingsKey(words[1], default: -1)))")
        case "names": say(store.names.joined(separator: " "))
        case "save":
          try store.save()
          say("ok")
        case "synchronize":
          try store.synchronizeAndWait()
          say("ok")
        case "exit": exit(0)
        case "end": return
        default: say("error unknown command '\(words[0])'")
        }
      } catch {
        say("error \(error)")
      }
    }
  }

  /// Uses up the kernel's watches for this user, so that files must be polled.
  static func exhaustWatches() {
    #if os(Linux) || os(Android)
    while inotify_init() >= 0 {}
    #endif
  }
}
