/// The settings of the older version.
struct Profile: Codable {
  struct Item: Codable {
    var id: Int
    var text: String
  }

  var name = ""
  var tags: [String: Int] = [:]
  var items: [Item] = []
}

enum Level: String { case low, high }
