import Stage

/// Prints where documents are; what it prints is kept for the test.
@MainActor
enum PrintedDirectories {
  static var printed: [[URL]] = []

  static func print(_ urls: [URL]) {
    printed.append(urls)
  }

  struct ContentView: View {
    var body: some View { Text("Content") }
  }

  struct HIITFitApp: App {
    var body: some Scene {
      WindowGroup {
        ContentView()
          .onAppear {
            print(
              FileManager.default.urls(
                for: .documentDirectory,
                in: .userDomainMask))
          }
      }
    }
  }
}
