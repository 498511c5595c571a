import Foundation
import Keepsake
import KeepsakeTestSupport
import Testing

@Suite("The README") struct ReadmeTests {
  @Test("has snippets that are compiled here, beside those of a manifest") func snippets() throws {
    let missing = try linesOfSnippets(in: "README.md", missingFrom: #filePath)
    #expect(
      missing.filter {
        !$0.hasPrefix(".p") && !$0.hasPrefix("// and, in a target")
          && !$0.hasPrefix("// or, of a checkout")
      } == [])
  }

  struct RatingView {
    @AppStorage("rating") var rating = 0  // in a view, a class, a function: anywhere
  }

  @Test("does what its first snippet says") func firstSnippet() async throws {
    try await SettingsStore.withStandard(SettingsStore.inMemory()) {
      let store = SettingsStore.standard
      try store.set("Squat", for: SettingsKey("exercise", default: ""))
      try await store.synchronize()  // survives a power cut; kill -9 it survives already
      RatingView().rating = 4
      for await rating in store.values(of: SettingsKey("rating", default: 0)) {
        print(rating)  // other processes' changes, too
        #expect(rating == 4)
        break
      }
      #expect(store[SettingsKey("exercise", default: "")] == "Squat")
    }
  }

  struct NamedView {
    @Keepsake.AppStorage("rating") var rating = 0
    @SettingStorage("rating") var same = 0
  }

  @Test("is right about the names beside another AppStorage") func otherNames() {
    SettingsStore.withStandard(SettingsStore.inMemory()) {
      let view = NamedView()
      view.rating = 5
      #expect(view.same == 5)
    }
  }
}
