import Stage

@main
struct CardsApp: App {
  @StateObject private var store = CardStore()

  var body: some Scene {
    WindowGroup {
      CardsView()
        .environmentObject(store)
    }
  }
}
