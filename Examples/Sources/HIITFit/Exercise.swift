struct Exercise {
  let name: String
  let symbol: String
  let advice: String
}

extension Exercise {
  static let exercises = [
    Exercise(
      name: "Squat", symbol: "figure.strengthtraining.functional",
      advice: "Feet as wide as your shoulders, back straight, down until your thighs are level."),
    Exercise(
      name: "Step Up", symbol: "figure.stairs",
      advice: "One foot on the step, push yourself up, down again, then the other foot."),
    Exercise(
      name: "Burpee", symbol: "flame",
      advice: "Squat, kick your feet back, one push-up, feet forward, and jump."),
    Exercise(
      name: "Sun Salute", symbol: "sun.max",
      advice: "Reach up, fold forward, step back, and breathe all the way through."),
  ]
}
