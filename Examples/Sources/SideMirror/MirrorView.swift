import Stage

/// Chooses another window and shows it, live.
struct MirrorView: View {
  @Environment(\.openScenes) private var openScenes
  @Environment(\.sceneID) private var sceneID
  @AppStorage("lastMirrored") private var lastMirrored = ""
  @AppStorage("scale") private var scale = 0.5
  @AppStorage("showsHint") private var showsHint = true
  @AppStorage("hintColor") private var hintColor = "#f2b705"
  @SceneStorage("mirrored") private var mirrored = ""
  @SceneStorage("isMirroring") private var isMirroring = false

  private static let scales = [0.5, 0.75, 1]

  private var others: [OpenScenes.OpenScene] {
    openScenes.scenes.filter { $0.id != sceneID }
  }

  /// The scene that was chosen last in this window, or in any, if it exists.
  private var selected: String? {
    [mirrored, lastMirrored].first { id in others.contains { $0.id == id } }
  }

  private func choose(_ id: String) {
    mirrored = id
    lastMirrored = id
  }

  var body: some View {
    VStack(spacing: 16) {
      HStack(spacing: 8) {
        ForEach(others) { scene in
          Button(scene.title) { choose(scene.id) }
            .accessibilityAddTraits(scene.id == selected ? [.isToggle, .isSelected] : .isToggle)
        }
        if others.isEmpty {
          Text("Open another window to mirror it.")
        }
      }
      HStack(spacing: 8) {
        Button(isMirroring ? "Stop" : "Start") {
          if let selected { choose(selected) }
          isMirroring.toggle()
        }
        .keyboardShortcut("m")
        .disabled(selected == nil)
        Button("Return") {}
          .keyboardShortcut("b", takesFocus: true)
          .help("Brings the keyboard back from the mirrored window: control-B")
        ForEach(Self.scales, id: \.self) { value in
          Button("\(Int(value * 100)) %") { scale = value }
            .accessibilityAddTraits(value == scale ? [.isToggle, .isSelected] : .isToggle)
        }
        Button("Pointer hint") { showsHint.toggle() }
          .accessibilityAddTraits(showsHint ? [.isToggle, .isSelected] : .isToggle)
        ColorPicker("Color", selection: hint)
      }
      if isMirroring, let selected {
        SceneMirror(selected, scale: scale, hint: showsHint ? hint.wrappedValue : nil)
      }
    }
    .padding(16)
    .onChange(of: selected, initial: true) { _, selected in
      // The mirrored scene has ended: no other takes its place without being asked for.
      if selected != mirrored { isMirroring = false }
    }
  }

  private var hint: Binding<Color> {
    let text = $hintColor
    return Binding(
      get: { Color(hex: text.wrappedValue) ?? Color(red: 1, green: 1, blue: 0) },
      set: { color in color.hex.map { text.wrappedValue = $0 } })
  }
}
