import Stage

@main
struct CardsApp: App {
  @StateObject private var store = CardStore.opened()

  static var pageFiles: KeyValuePairs<String, [UInt8]> {
    [
      "board.css": PackageResources.board_css, "board.js": PackageResources.board_js,
      "uploads.js": PackageResources.uploads_js,
    ]
  }

  var configuration: EnvironmentConfiguration? { store.configuration.source }

  var body: some Scene {
    WindowGroup {
      CardsView()
        .environmentObject(store)
    }
  }
}

extension CardStore {
  /// The cards of this app, without which there is nothing to show.
  fileprivate static func opened() -> CardStore {
    do {
      return try CardStore(
        configuration: .opened(CardsConfiguration.file, environment: "Production"))
    } catch {
      print("The cards cannot be kept: \(error)")
      exit(1)
    }
  }
}
