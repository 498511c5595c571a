import ArgumentParser
import KeepsakeCommands

/// The command `keepsake`, about any app.
@main struct KeepsakeTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keepsake",
    abstract: "List, change, check and back up what an app keeps, while it runs or not.",
    discussion: """
      APP identifies an app among all apps, such as com.example.HIITFit. A running app receives \
      every change immediately. Reading creates and changes nothing. The exit codes are those of \
      sysexits(3): 64 wrong usage, 65 wrong or damaged data, 66 something does not exist, 69 \
      something is unavailable, 73 to 75 it cannot be written, 77 the permissions do not suffice, 78 a wrong configuration.
      """,
    version: version,
    subcommands: AppCommands.ofAnyApp)
}
