import Stage

@main
struct SideMirrorApp: App {
  static var pageFiles: KeyValuePairs<String, [UInt8]> {
    ["mirror.css": PackageResources.mirror_css]
  }

  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
