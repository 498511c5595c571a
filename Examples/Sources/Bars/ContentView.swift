import Stage

struct ContentView: View {
  @Environment(\.scenePhase) private var scenePhase
  @SceneStorage("phases") private var phases = ""

  var body: some View {
    VStack(spacing: 32) {
      HStack(spacing: 64) {
        VStack(spacing: 24) {
          DemoView()
            .accessibilityLabel("Split the bar")
          Text("A stack that gains a bar")
            .foregroundColor(.secondary)
        }
        VStack(spacing: 24) {
          LinkedBarsView()
            .accessibilityLabel("Move the bars apart")
          Text("Two bars along guides")
            .foregroundColor(.secondary)
        }
      }
      Text("This window has been \(phases)")
        .font(.caption)
        .foregroundColor(.secondary)
    }
    .padding(32)
    .onChange(of: scenePhase, initial: true) { _, phase in
      phases = (phases.split(separator: " ").suffix(5) + ["\(phase)"]).joined(separator: " ")
    }
  }
}
