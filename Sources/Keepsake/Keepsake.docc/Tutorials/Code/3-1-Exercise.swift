struct Exercise: Identifiable {
  let id: Int
  let name: String
  let advice: String

  static let all = [
    Exercise(id: 0, name: "Squat", advice: "Feet as wide as your shoulders, back straight."),
    Exercise(id: 1, name: "Step Up", advice: "One foot on the step, push, down, the other foot."),
    Exercise(id: 2, name: "Burpee", advice: "Squat, feet back, one push-up, feet forward, jump."),
  ]
}
