import Stage

/// A thousand rows, with which the speed of Stage is measured.
@main
struct RowsApp: App {
  var body: some Scene {
    WindowGroup {
      RowsView()
    }
  }
}
