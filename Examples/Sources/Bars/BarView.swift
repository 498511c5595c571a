import Stage

struct BarView: View {
  var body: some View {
    RoundedRectangle(cornerRadius: 16)
      .fill(.yellow)
      .frame(width: 64, height: 240)
  }
}
