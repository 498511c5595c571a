import Testing

@testable import Stage

@Suite("Tasks of views")
@MainActor
struct TaskTests {
  private struct Host: View {
    @State private var tab = 0
    @State private var value = 0
    let log: @MainActor (String) -> Void

    var body: some View {
      // Fixed, as the state itself has the value of the moment.
      let value = value
      Button("Next \(value)") { self.value += 1 }
      TabView(selection: $tab) {
        Text("Value \(value)")
          .task(id: value / 2) {
            log("begin \(value)")
            try? await Task.sleep(for: .seconds(1000))
            log("end \(value)")
          }
          .tabItem { Text("X") }
          .tag(0)
        Text("y").tabItem { Text("Y") }.tag(1)
      }
    }
  }

  @Test("A task runs while its view is shown, and again for each new value")
  func tasks() async throws {
    var log: [String] = []
    let window = try Stagehand().open(Host { log.append($0) })
    try await eventually { log == ["begin 0"] }
    // Neither another evaluation nor the same value begins it again.
    try window.tap("Next 0")
    try window.tap("Next 1")
    try await eventually { Set(log.dropFirst()) == ["end 0", "begin 2"] }
    try window.tap("Y")
    try await eventually { log.last == "end 2" }
    try window.tap("X")
    try await eventually { log.last == "begin 2" }
    window.close()
    try await eventually { log.last == "end 2" }
    #expect(log.count == 6)
  }
}
