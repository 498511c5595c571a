#if Commands
import ArgumentParser

/// A command whose errors end the process with a code of sysexits(3).
protocol AppCommand: AsyncParsableCommand {
  /// Does what the command is for.
  func perform(_ output: Output) async throws
}

extension AppCommand {
  mutating func run() async throws {
    StandardStreams.reserve()
    let output = Output()
    do {
      try await perform(output)
    } catch let error as CleanExit {
      throw error
    } catch let error as ExitCode {
      throw error
    } catch let error as ValidationError {
      throw error
    } catch {
      let failure = CommandError(error)
      if failure.exitCode != .closedOutput { output.warn("Error: \(failure.message)") }
      throw failure.exitCode
    }
  }
}
#endif
