#if Commands
import ArgumentParser
import KeepsakeConfiguration
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSecrets
import KeepsakeSettings
import SystemPackage

extension ExitCode {
  /// The input is wrong: a value of another type, a damaged file (EX_DATAERR).
  static let wrongData = ExitCode(65)
  /// What was asked for does not exist (EX_NOINPUT).
  static let missing = ExitCode(66)
  /// Something that is needed cannot be used now (EX_UNAVAILABLE).
  static let unavailable = ExitCode(69)
  /// A file cannot be created (EX_CANTCREAT).
  static let notCreated = ExitCode(73)
  /// Reading or writing failed (EX_IOERR).
  static let ioError = ExitCode(74)
  /// It may succeed when tried again (EX_TEMPFAIL).
  static let tryAgain = ExitCode(75)
  /// The permissions do not suffice (EX_NOPERM).
  static let notPermitted = ExitCode(77)
  /// The app's configuration is wrong (EX_CONFIG).
  static let wrongConfiguration = ExitCode(78)
  /// Nobody reads the output any more: the code of a process that SIGPIPE ended.
  static let closedOutput = ExitCode(141)
}

/// An error of a command, with its exit code.
struct CommandError: Error, CustomStringConvertible {
  let exitCode: ExitCode
  let message: String

  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  var description: String { message }

  /// The exit code that belongs to any error.
  init(_ error: any Error) {
    if let error = error as? CommandError {
      self = error
      return
    }
    self.init(Self.code(of: error), "\(error)")
  }

  private static func code(of error: any Error) -> ExitCode {
    switch error {
    case let error as SettingsError:
      switch error.code {
      case .conflict: .tryAgain
      case .wrongType, .invalid, .unencodable, .damaged, .incomplete, .newerVersion: .wrongData
      default: error.cause.map { code(of: $0) } ?? .ioError
      }
    case let error as DocumentError:
      switch error.code {
      case .notFound: .missing
      case .conflict: .tryAgain
      case .notWritten, .notDurable, .unavailable: error.cause.map { code(of: $0) } ?? .ioError
      default: .wrongData
      }
    case let error as FileError: code(of: error.code)
    case let error as Errno: code(of: error)
    default: traitCode(of: error)
    }
  }

  private static func traitCode(of error: any Error) -> ExitCode {
    #if Secrets
    if let error = error as? SecretError {
      return switch error.code {
      case .keyUnavailable, .wrongKey, .exposed: .notPermitted
      case .damaged, .newerFormat, .rolledBack, .unencodable, .wrongType: .wrongData
      default: error.cause.map { code(of: $0) } ?? .unavailable
      }
    }
    #endif
    #if Configuration
    if let error = error as? ConfigurationError {
      return switch error.code {
      case .missing, .unknownKey: .missing
      case .unavailable, .notWritten: error.cause.map { code(of: $0) } ?? .ioError
      default: .wrongConfiguration
      }
    }
    if error is ConfigurationErrors { return .wrongConfiguration }
    #endif
    return .failure
  }

  private static func code(of errno: Errno) -> ExitCode {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory: .missing
    case .permissionDenied, .notPermitted: .notPermitted
    case .readOnlyFileSystem: .notCreated
    case .resourceBusy, .resourceTemporarilyUnavailable: .tryAgain
    default: .ioError
    }
  }
}
#endif
