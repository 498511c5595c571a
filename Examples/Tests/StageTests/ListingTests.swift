import SystemPackage
import Testing

@testable import Bars
@testable import Cards
@testable import HIITFit
@testable import Stage

@Suite("The documents' listings run with only the import changed", .serialized, .listingReport)
@MainActor
struct ListingTests {
  @Test("One rating in the settings lasts, and all exercises share it")
  func oneRating() throws {
    let stage = try Stagehand()
    let exercises = try stage.open(
      Group {
        OneRating.ExerciseView(index: 0)
        OneRating.ExerciseView(index: 1)
      })
    try exercises.tap("Rate 4 of 5")
    try #require(exercises.rating == 8)
    try #require(stage.settings[SettingsKey("rating", default: 0)] == 4)
    let nextRun = try Stagehand(after: stage)
    try #require(nextRun.open(OneRating.ExerciseView(index: 2)).rating == 4)
    Listing.ran(.h01)
  }

  @Test("A dictionary of ratings is read and extended by key, and can be a setting")
  func dictionary() throws {
    var ratings = ["burpee": 4]
    let typed: [String: Int] = ratings
    try #require(typed["burpee"] == 4)
    ratings = ["step-up": 2, "sun-salute": 3]
    ratings["squat"] = 5
    try #require(ratings.count == 3)
    let rating = ratings["squat"]
    try #require(rating == 5)

    let stage = try Stagehand()
    let key = SettingsKey<[String: Int]>("ratings", default: [:])
    try stage.settings.set(ratings, for: key)
    let nextRun = try Stagehand(after: stage)
    try #require(nextRun.settings[key] == ratings)
    Listing.ran(.h03, .h04, .h05)
  }

  @Test("A string is iterated and indexed by characters")
  func characters() throws {
    var lines: [String] = []
    for character in "Hello World" {
      lines.append(String(character))
    }
    try #require(lines == ["H", "e", "l", "l", "o", " ", "W", "o", "r", "l", "d"])
    let text = "Hello World"
    let seventh = text[text.index(text.startIndex, offsetBy: 6)]
    try #require(String(seventh) == "W")
    Listing.ran(.h06, .h07)
  }

  @Test("The step that removes the one rating leaves its key, which can then be removed")
  func removedRating() throws {
    let stage = try Stagehand()
    try stage.open(OneRating.ExerciseView(index: 0)).tap("Rate 1 of 5")
    _ = try stage.open(StringOfRatings.ExerciseView(index: 0))
    try #require(stage.settings.names.contains("rating"))
    try stage.settings.remove(SettingsKey<Int?>("rating"))
    try #require(!stage.settings.names.contains("rating"))
    Listing.ran(.h08)
  }

  @Test("Each exercise reads its own digit when it appears")
  func digits() throws {
    let stage = try Stagehand()
    try #require(stage.open(StringOfRatings.ExerciseView(index: 0)).rating == 0)
    stage["ratings"] = "3124"
    for (index, rating) in [3, 1, 2, 4].enumerated() {
      try #require(stage.open(StringOfRatings.ExerciseView(index: index)).rating == rating)
    }
    Listing.ran(.h09, .h10, .h12)
  }

  @Test("Another default shows four, and a tap writes the digit")
  func written() throws {
    let stage = try Stagehand()
    let squat = try stage.open(WrittenRatings.RatingView(exerciseIndex: 0))
    try #require(squat.rating == 4)
    let burpee = try stage.open(WrittenRatings.RatingView(exerciseIndex: 2))
    try #require(burpee.rating == 0)
    try burpee.tap("Rate 2 of 5")
    try #require(burpee.rating == 2)
    try #require(stage["ratings"] == "4020")
    Listing.ran(.h13, .h14, .h15)
  }

  @Test("A preview clears the key before it shows the view")
  func preview() throws {
    let stage = try Stagehand()
    stage["ratings"] = "5555"
    // The view pads the cleared setting at once, so all that is left of it is zeros.
    let preview = try stage.open(RatingView_Previews.previews)
    try #require(preview.rating == 0)
    try #require(stage["ratings"] == "0000")
    stage.perform { RatingView_Previews.ratings = nil }
    try #require(!stage.settings.names.contains("ratings"))
    Listing.ran(.h11)
  }

  @Test("The initializer pads what is too short, and the file then holds zeros")
  func padded() throws {
    let stage = try Stagehand()
    _ = try stage.open(RatingView(exerciseIndex: 0))
    try #require(stage["ratings"] == "0000")
    try stage.settings.save()
    let file = try String(contentsOfFile: stage.container.preferencesFile().string, encoding: .utf8)
    try #require(file.contains("<key>ratings</key>\n\t<string>0000</string>"))

    stage["ratings"] = "31"
    try #require(stage.open(RatingView(exerciseIndex: 1)).rating == 1)
    try #require(stage["ratings"] == "3100")
    Listing.ran(.h16, .h17)
  }

  @Test("A rating given in one window is seen in the other")
  func twoWindows() throws {
    let stage = try Stagehand()
    let first = try stage.open(RatingView(exerciseIndex: 0))
    let second = try stage.open(RatingView(exerciseIndex: 0))
    try first.tap("Rate 5 of 5")
    try #require(first.rating == 5)
    try #require(second.rating == 5)
    try second.tap("Rate 2 of 5")
    try #require(first.rating == 2)
    try #require(stage["ratings"] == "2000")
    Listing.ran(.h18, .h19)
  }

  @Test("The app opens any number of windows with the same views")
  func windows() throws {
    let stage = try Stagehand()
    try #require(HIITFitApp.identifier == "com.example.HIITFit")
    AppContainer.main = stage.container
    let content = stage.perform { HIITFitApp().body.windowContent }
    for _ in 0..<3 {
      try #require(stage.open(Root(content: content)).texts.contains("Get Started"))
    }
    Listing.ran(.h20)
  }

  @Test("Each window comes back with its own tab, and what is open otherwise does not matter")
  func tabs() throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    let content = HIITFit.ContentView().environmentObject(history)
      .environmentObject(LiveConfiguration<HIITFitConfiguration>.bundled())
    let first = try stage.open(content)
    let second = try stage.open(content)
    try first.tap("Squat")
    try second.tap("Burpee")
    try #require(first.texts.contains("Exercise 1 of 4"))
    try #require(second.texts.contains("Exercise 3 of 4"))

    let nextRun = try Stagehand(after: stage)
    let sessions = nextRun.sessions.sessions
    try #require(sessions.map(\.id) == [first.renderer.session.id, second.renderer.session.id])
    try #require(
      nextRun.open(content, session: sessions[0]).texts.contains("Exercise 1 of 4"))
    try #require(
      nextRun.open(content, session: sessions[1]).texts.contains("Exercise 3 of 4"))
    try #require(nextRun.open(content).texts.contains("Get Started"))
    Listing.ran(.h21)
  }

  @Test("The container's documents directory is printed when the view first appears")
  func directories() throws {
    let stage = try Stagehand()
    PrintedDirectories.printed = []
    let window = try stage.open(Root(content: PrintedDirectories.HIITFitApp().body.windowContent))
    try #require(window.texts == ["Content"])
    try #require(PrintedDirectories.printed.count == 1)
    let documents = try #require(PrintedDirectories.printed[0].first)
    try #require(PrintedDirectories.printed[0].count == 1)
    try #require(FilePath(documents.path) == AppContainer.main.documents)
    Listing.ran(.h02)
  }

  @Test("A card is saved when its view goes, and when the window turns inactive")
  func cards() throws {
    let stage = try Stagehand()
    SavedCards.saves = 0
    let window = try stage.open(SavedCards.CardsView())
    window.enter(.active)
    try window.tap("Open")
    try window.tap("Count 0")
    try #require(SavedCards.saves == 0)
    window.enter(.inactive)
    try #require(SavedCards.saves == 1)
    window.enter(.background)
    window.enter(.active)
    try #require(SavedCards.saves == 1)
    // A connection that drops takes a scene from active to the background.
    window.enter(.background)
    try #require(SavedCards.saves == 2)
    try window.tap("Done")
    try #require(SavedCards.saves == 3)
    window.enter(.inactive)
    try #require(SavedCards.saves == 3)
    Listing.ran(.c02, .c03, .c04)
  }

  @Test("An app's initializer runs before anything is shown")
  func initializers() throws {
    let stage = try Stagehand()
    SavedCards.Team.log = []
    let saving = SavedCards.SavingApp()
    try #require(SavedCards.Team.log == ["save"])
    _ = try stage.open(Root(content: saving.body.windowContent))
    _ = SavedCards.LoadingApp()
    try #require(SavedCards.Team.log == ["save", "load"])
    Listing.ran(.c07, .c09)
  }

  @Test("A team is written to a file and read from it")
  func team() throws {
    let directory = try documents()
    ChapterCard.log = []
    ChapterCard.Team.load()
    try #require(ChapterCard.log.count == 1, "There is no file yet, which is said.")
    ChapterCard.Team.save()
    let text = try String(contentsOf: directory.appending(path: "TeamData"), encoding: .utf8)
    try #require(text.hasPrefix("{\n") && text.contains("\"Libranner\""))
    ChapterCard.Team.load()
    try #require(ChapterCard.log.count == 2)
    try #require(ChapterCard.log[1].contains("Manda"))
    Listing.ran(.c05, .c06, .c08)
  }

  @Test("A card saves itself, and the app reads what it saved")
  func savedCard() throws {
    let directory = try documents()
    ChapterCard.log = []
    ChapterCard.PrintingCard().save()
    try #require(ChapterCard.log == ["Saving data"])

    var card = ChapterCard.Card()
    card.elements = [
      ChapterCard.ImageElement(imageFilename: "A", frame: Shapes.shapes[3]),
      ChapterCard.TextElement(), ChapterCard.ImageElement(imageFilename: "B"),
    ]
    card.save()
    let data = try Data(contentsOf: directory.appending(path: "\(card.id).rwcard"))
    let again = try JSONDecoder().decode(ChapterCard.Card.self, from: data)
    try #require(again.id == card.id && again.elements.count == 2)
    try #require((again.elements[0] as? ChapterCard.ImageElement)?.frame == Shapes.shapes[3])
    try #require(String(decoding: data, as: UTF8.self).contains("\"frame\":3"))
    let unnamed = try JSONDecoder().decode(
      ChapterCard.Card.self, from: Data("{\"id\":\"none\",\"imageElements\":[]}".utf8))
    try #require(unnamed.id != card.id && unnamed.elements.isEmpty)

    let kept = try JSON.Decoder().decode(Cards.Card.self, from: [UInt8](data))
    let images = kept.elements.compactMap { $0 as? Cards.ImageElement }
    try #require(kept.id == card.id && images.map(\.imageFilename) == ["A", "B"])
    try #require(images[0].frame == Shapes.shapes[3] && images[1].frame == nil)
    Listing.ran(.c01, .c13, .c14, .c15, .c16, .c17, .c19)
  }

  @Test("An angle is kept in degrees alone")
  func angle() throws {
    let chapters = try JSONEncoder().encode(ChapterCard.Angle(degrees: 30))
    try #require(String(decoding: chapters, as: UTF8.self) == #"{"degrees":30}"#)
    let ours = try JSONDecoder().decode(Angle.self, from: chapters)
    try #require(ours == Angle(degrees: 30) && abs(ours.radians - .pi / 6) < 1e-12)
    try #require(try JSONEncoder().encode(ours) == chapters)
    let again = try JSONDecoder().decode(ChapterCard.Angle.self, from: chapters)
    try #require(again == ChapterCard.Angle(degrees: 30))
    Listing.ran(.c10, .c11, .c12)
  }

  /// The directory of documents for the chapter's code, which asks the file manager for it.
  private func documents() throws -> URL {
    let directory = URL(filePath: try Stagehand().container.documents.string)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    FileManager.documentURL = directory
    return directory
  }

  @Test("Shapes are equal when they draw the same path")
  func shapes() throws {
    let shapes = [
      AnyShape(Circle()), AnyShape(Rectangle()), AnyShape(RoundedRectangle(cornerRadius: 8)),
    ]
    for (index, shape) in shapes.enumerated() {
      try #require(shapes.firstIndex { $0 == shape } == index)
    }
    try #require(AnyShape(RoundedRectangle(cornerRadius: 8)) == shapes[2])
    try #require(AnyShape(RoundedRectangle(cornerRadius: 9)) != shapes[2])
    Listing.ran(.c18)
  }

  @Test("A stack gains a bar, with an animation, and loses it again")
  func demo() throws {
    let window = try Stagehand().open(DemoView().accessibilityLabel("Split the bar"))
    func bars() -> Int { window.all { $0.attributes["class"] == "fill" }.count }
    try #require(bars() == 1)
    try window.tap("Split the bar")
    try #require(bars() == 2)
    try #require(window.updates.last?.animation != nil)
    try #require(window.updates.last?.patches.count == 1)
    try window.tap("Split the bar")
    try #require(bars() == 1)
    Listing.ran(.b01)
  }

  @Test("Two bars lie on each other, and then beside each other along the stack's center")
  func guides() throws {
    let window = try Stagehand().open(
      LinkedBarsView().accessibilityLabel("Move the bars apart"))
    func bars() -> [PageElement] { window.all { $0.style["position"] == "absolute" } }
    func stack() -> PageElement? { window.all { $0.style["position"] == "relative" }.first }
    try #require(bars().map { $0.style["left"] } == ["0px", "0px"])
    try #require(stack()?.size == CGSize(width: 64, height: 240))
    let identities = bars().map(\.id)

    try window.tap("Move the bars apart")
    try #require(bars().map { $0.style["left"] } == ["0px", "64px"])
    try #require(bars().map { $0.style["top"] } == ["0px", "0px"])
    try #require(stack()?.size == CGSize(width: 128, height: 240))
    // The bars are the same ones, so the page can move them, and is asked to.
    try #require(bars().map(\.id) == identities)
    try #require(window.updates.last?.animation != nil)
    Listing.ran(.b02)
  }
}

/// Shows content whose type is not known, as a window does.
struct Root: View {
  typealias Body = Never

  let content: any View
}

extension Root: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    scope.child(.content).resolve(content)
  }
}
