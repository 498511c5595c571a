import Stage

/// Chooses another window and shows it, live.
struct MirrorView: View {
  @Environment(\.openScenes) private var openScenes
  @Environment(\.sceneID) private var sceneID
  @State private var settings = MirrorSettings()

  private static let scales = [0.5, 0.75, 1]

  private var others: [OpenScenes.OpenScene] {
    openScenes.scenes.filter { $0.id != sceneID }
  }

  /// The scene that was chosen last in this window, or in any, if it exists.
  private var selected: String? {
    [settings.mirrored, settings.lastMirrored].first { id in others.contains { $0.id == id } }
  }

  private func choose(_ id: String) {
    settings.mirrored = id
    settings.lastMirrored = id
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
        Button(settings.isMirroring ? "Stop" : "Start") {
          if let selected { choose(selected) }
          settings.isMirroring.toggle()
        }
        .keyboardShortcut("m")
        .disabled(selected == nil)
        Button("Return") {}
          .keyboardShortcut("b", takesFocus: true)
          .help("Brings the keyboard back from the mirrored window: control-B")
        ForEach(Self.scales, id: \.self) { value in
          Button("\(Int(value * 100)) %") { settings.scale = value }
            .accessibilityAddTraits(value == settings.scale ? [.isToggle, .isSelected] : .isToggle)
        }
        Button("Pointer hint") { settings.showsHint.toggle() }
          .accessibilityAddTraits(settings.showsHint ? [.isToggle, .isSelected] : .isToggle)
        ColorPicker("Color", selection: hint)
      }
      if settings.isMirroring, let selected {
        SceneMirror(
          selected, scale: settings.scale, hint: settings.showsHint ? hint.wrappedValue : nil)
      }
    }
    .padding(16)
    .onChange(of: selected, initial: true) { _, selected in
      // The mirrored scene has ended: no other takes its place without being asked for.
      if selected != settings.mirrored { settings.isMirroring = false }
    }
  }

  private var hint: Binding<Color> {
    let text = Bindable(settings).hintColor
    return Binding(
      get: { Color(hex: text.wrappedValue) ?? Color(red: 1, green: 1, blue: 0) },
      set: { color in color.hex.map { text.wrappedValue = $0 } })
  }
}
