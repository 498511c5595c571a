import Stage

struct ContentView: View {
  @SceneStorage("selectedTab") private var selectedTab = 9

  var body: some View {
    TabView(selection: $selectedTab) {
      WelcomeView(selectedTab: $selectedTab)
        .tabItem { Label("Welcome", systemImage: "house") }
        .tag(9)
      ForEach(0..<Exercise.exercises.count) { index in
        let exercise = Exercise.exercises[index]
        ExerciseView(selectedTab: $selectedTab, index: index)
          .tabItem { Label(exercise.name, systemImage: exercise.symbol) }
          .tag(index)
      }
    }
  }
}
