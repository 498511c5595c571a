import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTestSupport

/// Does what each line asks for with the cards it has loaded, and answers with a line.
struct CardServer {
  let store: DocumentStore<WrittenCard>

  func run() throws {
    say("ready")
    var cards: [String: WrittenCard] = [:]
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      if words[0] == "end" { return }
      do {
        try answer(words, &cards)
      } catch let error as DocumentError {
        let merged = error.conflict.map { " merged \($0.merged)" } ?? ""
        say("error \(error.code)\(merged) \(error)")
      } catch {
        say("error \(error)")
      }
    }
  }

  private func answer(_ words: [String], _ cards: inout [String: WrittenCard]) throws {
    let id = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "load":
      let card = try store.load(id)
      cards[id] = card
      say("\(card.text) \(card.counts.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" })")
    case "create":
      var card = WrittenCard(id: id)
      card.text = words[2]
      try store.create(card)
      cards[id] = card
      say("ok")
    // Changes the card as it was loaded, and saves it.
    case "text":
      var card = cards[id] ?? WrittenCard(id: id)
      card.text = words[2]
      try store.save(card)
      cards[id] = card
      say("ok")
    case "image":
      var card = cards[id] ?? WrittenCard(id: id)
      card.images = [try store.addAsset(writtenImage(Int(words[2])!)).name]
      try store.save(card)
      cards[id] = card
      say("ok")
    // No file may grow beyond a limit from now on, by which the process is not killed.
    case "limit":
      signal(SIGXFSZ, SIG_IGN)
      let limit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var size = rlimit()
      getrlimit(limit, &size)
      size.rlim_cur = words[1] == "none" ? size.rlim_max : rlim_t(words[1])!
      say(setrlimit(limit, &size) == 0 ? "ok" : "error")
    // No more files may be open at a time from now on.
    case "handles":
      let limit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var size = rlimit()
      getrlimit(limit, &size)
      size.rlim_cur = rlim_t(words[1])!
      say(setrlimit(limit, &size) == 0 ? "ok" : "error")
    case "batch":
      try store.save((0..<Int(words[1])!).map { WrittenCard(id: "\($0)") })
      say("ok")
    default: say("what?")
    }
  }
}
