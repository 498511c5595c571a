import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

/// The settings of an older and a newer version of an app, which take turns.
@Suite("Two versions of an app with one store") struct TwoVersionsTests {
  private struct Old: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var text: String
    }
    var name = ""
    var tags: [String: Int] = [:]
    var items: [Item] = []
  }

  private struct New: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var text: String
      var isDone: Bool?
    }
    struct Goal: Codable, Equatable { var weekly = 3 }
    var name = ""
    var tags: [String: Int] = [:]
    var items: [Item] = []
    var theme = "dark"
    var goal = Goal()
  }

  private enum OldLevel: String { case low, high }
  private enum NewLevel: String, CaseIterable { case low, high, extreme }

  private let oldKey = SettingsKey("profile", default: Old())
  private let newKey = SettingsKey("profile", default: New())
  private let oldLevel = SettingsKey("level", default: OldLevel.low)
  private let newLevel = SettingsKey("level", default: NewLevel.low)

  private func edit(_ model: inout New, _ step: Int, isNew: Bool, _ random: inout SeededRandom) {
    switch Int.random(in: 0..<(isNew ? 8 : 5), using: &random) {
    case 0: model.name = "name \(step)"
    case 1: model.tags["\(step % 7)"] = step
    case 2: model.tags["\(step % 5)"] = nil
    case 3: model.items.insert(New.Item(id: step, text: "\(step)"), at: model.items.count / 2)
    case 4:
      if let index = model.items.indices.randomElement(using: &random) {
        if step.isMultiple(of: 2) {
          model.items[index].text += "."
        } else {
          model.items.remove(at: index)
        }
      }
    case 5: model.theme = "theme \(step)"
    case 6: model.goal.weekly = step
    default:
      if let index = model.items.indices.randomElement(using: &random) {
        model.items[index].isDone = step.isMultiple(of: 3)
      }
    }
  }

  private func older(_ new: New) -> Old {
    Old(
      name: new.name, tags: new.tags, items: new.items.map { Old.Item(id: $0.id, text: $0.text) })
  }

  @Test("lose nothing in a thousand random edits", arguments: 1...3 as ClosedRange<UInt64>)
  func edits(seed: UInt64) throws {
    try withHome { home in
      var random = SeededRandom(seed: seed)
      var model = New()
      var extremes = 0
      var old = try home.open()
      var new = try home.open()
      try new.set(model, for: newKey)
      for step in 1...1000 {
        // Sometimes both have it open, sometimes one starts again.
        if Int.random(in: 0..<10, using: &random) == 0 { old = try home.open() }
        if Int.random(in: 0..<10, using: &random) == 0 { new = try home.open() }
        let isNew = Bool.random(using: &random)
        edit(&model, step, isNew: isNew, &random)
        if isNew {
          try new.transaction { [model] in $0[newKey] = model }
          try #require(new[newKey] == model)
        } else {
          try old.set(older(model), for: oldKey)
          try #require(old[oldKey] == older(model))
        }
        if step.isMultiple(of: 100) {
          try new.set(.extreme, for: newLevel)
          old = try home.open()
          try old.set(.high, for: oldLevel)
          extremes += 1
        }
        try new.transaction { try #require($0[newKey] == model, "step \(step)") }
      }
      let preserved = try home.open().preservedValues()
      #expect(preserved.map(\.value) == ["extreme"] && preserved.map(\.key) == ["level"])
    }
  }
}
