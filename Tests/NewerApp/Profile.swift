/// The settings of the newer version, which has added properties and a case.
struct Profile: Codable {
  struct Item: Codable {
    var id: Int
    var text: String
    var isDone: Bool?
  }

  struct Goal: Codable { var weekly = 3 }

  var name = ""
  var tags: [String: Int] = [:]
  var items: [Item] = []
  var theme = "dark"
  var goal = Goal()
}

enum Level: String { case low, high, extreme }
