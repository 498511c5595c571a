import Stage

@main
struct WorkingDirectoryApp: App {
  static var pageFiles: KeyValuePairs<String, [UInt8]> {
    ["drops.js": PackageResources.drops_js, "names.css": PackageResources.names_css]
  }

  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
