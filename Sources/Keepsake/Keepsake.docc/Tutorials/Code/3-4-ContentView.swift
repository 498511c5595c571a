import Stage

struct ContentView: View {
  @SceneStorage("selectedTab") private var selectedTab = 0

  var body: some View {
    TabView(selection: $selectedTab) {
      ForEach(Exercise.all) { exercise in
        ExerciseView(exercise: exercise)
          .tabItem { Text(exercise.name) }
          .tag(exercise.id)
      }
    }
  }
}
