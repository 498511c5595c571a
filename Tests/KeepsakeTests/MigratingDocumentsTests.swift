import Foundation
import Keepsake
import KeepsakeTestSupport
import SystemPackage
import Testing

struct Note: Codable, Equatable, Identifiable {
  var id = UUID()
  var text = ""
  var created = Date()
}

final class OldNotes {
  let file: URL
  var notes: [Note] {
    didSet { try? JSONEncoder().encode(notes).write(to: file, options: .atomic) }
  }

  init(file: URL) {
    self.file = file
    notes = (try? JSONDecoder().decode([Note].self, from: Data(contentsOf: file))) ?? []
  }
}

func importOldNotes(from file: URL, to store: DocumentStore<Note>) throws {
  guard FileManager.default.fileExists(atPath: file.path) else { return }
  let notes = try JSON.Decoder().decode([Note].self, from: Data(contentsOf: file))
  let known = Set(try store.ids())  // of an import that did not end
  try store.save(notes.filter { !known.contains($0.id) })
  try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("imported"))
}

struct Player: Codable, Equatable, Identifiable {
  var id: Int
  var name: String
  var score: Int
}

func importPlayers(_ players: [Player], to store: DocumentStore<Player>) throws {
  let known = Set(try store.ids())
  try store.save(players.filter { !known.contains($0.id) })
}

struct Sketch: Codable, Equatable, Identifiable {
  var id: String  // the name that the user gave the file
  var strokes: [[Double]] = []
  var picture: Asset?
}

struct OldContent: Decodable {
  var strokes: [[Double]]
}

func importSketches(in directory: URL, to store: DocumentStore<Sketch>) throws {
  let known = Set(try store.ids())
  let files = try FileManager.default.contentsOfDirectory(
    at: directory, includingPropertiesForKeys: nil)
  for file in files where file.pathExtension == "sketch" {
    let name = file.deletingPathExtension().lastPathComponent
    if known.contains(name) { continue }
    let old = try JSON.Decoder().decode(OldContent.self, from: Data(contentsOf: file))
    try store.create(Sketch(id: name, strokes: old.strokes))
  }
}

@Suite("The guide to documents from what an app used before") struct MigratingDocumentsTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "MigratingDocuments", missingFrom: #filePath) == [])
  }

  @Test("brings over a list that was one JSON file, also after an import that did not end")
  func jsonFile() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.Notes")
      let file = URL(filePath: directory.appending("notes.json").string)
      let app = OldNotes(file: file)
      app.notes = [Note(text: "Bread"), Note(text: "Salt")]
      let old = OldNotes(file: file).notes

      let store = try DocumentStore<Note>(directory: container.documents, pathExtension: "note")
      try store.create(old[0])
      try importOldNotes(from: file, to: store)
      let note = try store.add(Note(text: "Milk"))  // saved when this line has run
      note.edit { $0.text = "Milk, 1 l" }  // saved within a second, or by save() and saveAll()
      try store.saveAll()
      #expect(try store.ids().count == 3)
      #expect(try old.map { try store.load($0.id) } == old)
      #expect(try store.load(note.id).text == "Milk, 1 l")
      try importOldNotes(from: file, to: store)
      #expect(FileManager.default.fileExists(atPath: file.path + ".imported"))
      try store.close()
    }
  }

  @Test("brings over nothing of a file that cannot be decoded, and leaves it") func damaged() throws
  {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.Notes")
      let file = URL(filePath: directory.appending("notes.json").string)
      try Data(#"[{"id": 1}]"#.utf8).write(to: file)
      let store = try DocumentStore<Note>(directory: container.documents, pathExtension: "note")
      #expect(throws: DecodingError.self) { try importOldNotes(from: file, to: store) }
      #expect(try store.ids() == [])
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("brings over rows once") func rows() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.Scores")
      let settings = try SettingsStore(container: container)
      let store = try DocumentStore<Player>(
        directory: container.documents, pathExtension: "player")
      let database = directory.appending("scores.sqlite").string

      func oldPlayers(in path: String) throws -> [Player] {
        [Player(id: 1, name: "Ada", score: 12), Player(id: 2, name: "Alan", score: 9)]
      }
      func start() throws {
        let imported = SettingsKey("hasImportedPlayers", default: false)
        if settings[imported] == false {
          try importPlayers(oldPlayers(in: database), to: store)
          try settings.set(true, for: imported)
        }
      }

      try start()
      #expect(try store.load(1).name == "Ada")
      try store.remove(2)
      try start()
      #expect(try store.ids() == [1])
    }
  }

  @Test("brings over the files of a user, under their names") func files() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.Sketches")
      let old = URL(filePath: directory.appending("old").string)
      try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
      let text = #"{"strokes":[[1,2,3,4]]}"#
      try Data(text.utf8).write(to: old.appending(path: "Summer.sketch"))

      let sketches = try DocumentStore<Sketch>(
        directory: container.documents, pathExtension: "sketch")
      try importSketches(in: old, to: sketches)
      let sketch = try sketches.open("Summer")  // the same object for all windows that show it
      sketch.edit { $0.strokes.append([0, 0, 10, 10]) }
      try sketch.save()
      try importSketches(in: old, to: sketches)
      #expect(try sketches.load("Summer").strokes == [[1, 2, 3, 4], [0, 0, 10, 10]])
      try sketches.close()
      #expect(try Data(contentsOf: old.appending(path: "Summer.sketch")) == Data(text.utf8))
    }
  }
}
