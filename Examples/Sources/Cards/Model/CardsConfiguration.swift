import Stage

/// What the person who installs the app decides.
struct CardsConfiguration: Decodable, Sendable {
  let listTitle: String
  let largestImageMegabytes: Double

  /// The file that comes with the app.
  static var file: String { Bundle.module.bundleURL.appending(path: "config.plist").path }
}
