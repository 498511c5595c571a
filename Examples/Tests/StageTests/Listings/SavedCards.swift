import Stage

/// The save points of the cards.
@MainActor
enum SavedCards {
  static var saves = 0

  @MainActor
  struct Card {
    func save() {
      saves += 1
    }
  }

  /// Opens and closes a card's detail.
  struct CardsView: View {
    @State private var isOpen = false
    @State private var count = 0

    var body: some View {
      Button(isOpen ? "Done" : "Open") { isOpen.toggle() }
      Button("Count \(count)") { count += 1 }
      if isOpen {
        CardDetailView(card: Card())
      }
    }
  }

  struct CardDetailView: View {
    @Environment(\.scenePhase) private var scenePhase
    let card: Card

    var body: some View {
      Text("Card")
        .onDisappear {
          card.save()
        }
        .onChange(of: scenePhase) { newScenePhase in
          if newScenePhase == .inactive {
            card.save()
          }
        }
    }
  }

  /// The team of the chapter, and where it goes when an app begins.
  @MainActor
  enum Team {
    static var log: [String] = []

    static func save() { log.append("save") }
    static func load() { log.append("load") }
  }

  struct SavingApp: App {
    init() {
      Team.save()
    }

    var body: some Scene {
      WindowGroup { Text("Cards") }
    }
  }

  struct LoadingApp: App {
    init() {
      Team.load()
    }

    var body: some Scene {
      WindowGroup { Text("Cards") }
    }
  }
}
