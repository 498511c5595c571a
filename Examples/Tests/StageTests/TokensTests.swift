import Foundation
import Testing

@testable import Stage

@Suite("Design tokens")
struct TokensTests {
  private let tokens = String(decoding: PackageResources.tokens_css, as: UTF8.self)
  private let page = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// The two colors of a token: in light and in dark.
  private func colors(_ name: String) throws -> [String] {
    let pattern = try Regex("--\(name): light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\);")
    let match = try #require(tokens.firstMatch(of: pattern), "there is no color \(name)")
    return [1, 2].map { String(match.output[$0].substring ?? "") }
  }

  private func luminance(_ hex: String) throws -> Double {
    let number = try #require(Int(hex, radix: 16))
    return zip([16, 8, 0], [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
      let component = Double(number >> part.0 & 255) / 255
      let linear = component <= 0.03928 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4)
      return sum + linear * part.1
    }
  }

  @Test(
    "Texts have a contrast of at least 4.5, what is drawn of 3, in light and dark",
    arguments: [
      ("primary", ["page", "surface", "control"], 4.5),
      ("secondary", ["page", "surface", "control", "line"], 4.5),
      ("accent", ["page", "surface", "control"], 4.5), ("on-accent", ["accent"], 4.5),
      ("red", ["page", "surface"], 4.5), ("orange", ["page", "surface"], 4.5),
      ("yellow", ["page", "surface"], 3), ("gray", ["page", "surface"], 3),
    ])
  func contrast(name: String, grounds: [String], least: Double) throws {
    for ground in grounds {
      for (color, behind) in zip(try colors(name), try colors(ground)) {
        let sorted = try [luminance(color), luminance(behind)].sorted()
        let contrast = (sorted[1] + 0.05) / (sorted[0] + 0.05)
        #expect(contrast >= least, "\(name) #\(color) on \(ground) #\(behind)")
      }
    }
  }

  @Test("The page's styles name no color, and only tokens that there are")
  func names() throws {
    #expect(page.firstMatch(of: /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/) == nil)
    // What the elements of a board say of themselves.
    let own: Set<Substring> = ["ratio", "unit", "w", "h", "x", "y", "r"]
    for match in page.matches(of: /var\(--([a-z0-9-]+)/) {
      let definition = "--\(match.output.1):"
      let isSet = tokens.contains(definition) || page.contains(definition)
      #expect(isSet || own.contains(match.output.1), "\(definition)")
    }
  }
}
