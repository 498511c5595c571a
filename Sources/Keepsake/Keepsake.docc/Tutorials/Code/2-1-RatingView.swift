import Stage

struct RatingView: View {
  @State private var rating = 0

  var body: some View {
    HStack {
      ForEach(1..<6) { number in
        Image(systemName: "flame")
          .foregroundColor(number > rating ? .gray : .red)
          .onTapGesture { rating = number }
          .accessibilityLabel("Rate \(number) of 5")
      }
    }
    .font(.largeTitle)
  }
}
