import Stage

struct RatingView: View {
  var exercise = "Squat"
  @AppStorage("ratings") private var ratings: [String: Int] = [:]

  private var rating: Int { ratings[exercise] ?? 0 }

  var body: some View {
    HStack {
      ForEach(1..<6) { number in
        Image(systemName: "flame")
          .foregroundColor(number > rating ? .gray : .red)
          .onTapGesture { ratings[exercise] = number }
          .accessibilityLabel("Rate \(number) of 5")
      }
    }
    .font(.largeTitle)
  }
}
