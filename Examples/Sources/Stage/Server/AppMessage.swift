import Foundation

/// What the app tells a page.
enum AppMessage: Encodable {
  /// All that a window shows, the session to come back to, the run of the app, and the page's last event
  /// that it performed.
  case scene(session: String, run: String, elements: [PageElement], received: Int)
  /// What has changed, with the page's last event that was performed before.
  case update(patches: [Patch], animation: Animation?, received: Int)
  /// The page's last event that was performed; also the answer to a page that asks whether the app runs.
  case answer(received: Int)

  var json: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}
