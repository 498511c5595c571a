import Stage

@main
struct CardsApp: App {
  @StateObject private var store = CardStore()

  init() {
    print("Cards are kept in \(AppContainer.main.documents)")
  }

  var body: some Scene {
    WindowGroup {
      CardsView()
        .environmentObject(store)
    }
  }
}
