import ArgumentParser
import Keepsake
import KeepsakeCommands
import KeepsakeSecrets

@main struct ExampleTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    subcommands: [Greet.self] + AppCommands.ofThisApp)

  static func main() async {
    AppContainer.main = AppContainer(identifier: "com.example.Greeter")
    AppCommands.secretsKey = .keyFile(AppContainer.main.applicationSupport.appending("app.key"))
    await main(nil)
  }
}

struct Greet: ParsableCommand {
  func run() {
    @AppStorage("name") var name = "World"
    print("Hello, \(name)!")
  }
}
