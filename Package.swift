// swift-tools-version: 6.3
import CompilerPluginSupport
import PackageDescription

// MARK: Modules of other packages

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let configuration: Target.Dependency = .product(
  name: "Configuration", package: "swift-configuration",
  condition: .when(traits: ["Configuration"]))
let configurationTesting: Target.Dependency = .product(
  name: "ConfigurationTesting", package: "swift-configuration",
  condition: .when(traits: ["Configuration"]))
let yams: Target.Dependency = .product(
  name: "Yams", package: "Yams", condition: .when(traits: ["Configuration"]))
let crypto: Target.Dependency = .product(
  name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Secrets"]))
let cryptoExtras: Target.Dependency = .product(
  name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Secrets"]))
let jwtKit: Target.Dependency = .product(
  name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["Identity"]))
func swiftSyntax(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}
let asyncHTTPClient: Target.Dependency = .product(
  name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Etcd"]))
let nioSSL: Target.Dependency = .product(
  name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Etcd"]))
let postgres: Target.Dependency = .target(
  name: "CPostgres", condition: .when(traits: ["Postgres"]))
let dbus: Target.Dependency = .target(name: "CDBus", condition: .when(traits: ["Portal"]))
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["Commands"]))
func nio(_ name: String, for trait: String = "Console") -> Target.Dependency {
  .product(name: name, package: "swift-nio", condition: .when(traits: [trait]))
}

let package = Package(
  name: "keepsake",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // With the modules it re-exports: a dependent is then built again when one of them changes.
    .library(
      name: "Keepsake",
      targets: [
        "Keepsake", "KeepsakeCoding", "KeepsakeDateFormatter", "KeepsakeDocuments", "KeepsakeFiles",
        "KeepsakeScenes", "KeepsakeSettings",
      ]),
    .library(name: "KeepsakeCoding", targets: ["KeepsakeCoding"]),
    .library(name: "KeepsakeDateFormatter", targets: ["KeepsakeDateFormatter"]),
    .library(name: "KeepsakeDirectories", targets: ["KeepsakeDirectories"]),
    .library(name: "KeepsakeFiles", targets: ["KeepsakeFiles"]),
    .library(name: "KeepsakeSettings", targets: ["KeepsakeSettings"]),
    .library(name: "KeepsakeScenes", targets: ["KeepsakeScenes"]),
    .library(name: "KeepsakeDocuments", targets: ["KeepsakeDocuments"]),
    .library(name: "KeepsakeConfiguration", targets: ["KeepsakeConfiguration"]),
    .library(name: "KeepsakeSecrets", targets: ["KeepsakeSecrets"]),
    .library(name: "KeepsakeIdentity", targets: ["KeepsakeIdentity"]),
    .library(name: "KeepsakeSync", targets: ["KeepsakeSync"]),
    .library(name: "KeepsakeEtcd", targets: ["KeepsakeEtcd"]),
    .library(name: "KeepsakePostgres", targets: ["KeepsakePostgres"]),
    .library(name: "KeepsakeLoopback", targets: ["KeepsakeLoopback"]),
    .library(name: "KeepsakeMacros", targets: ["KeepsakeMacros"]),
    .library(name: "KeepsakeConsole", targets: ["KeepsakeConsole"]),
    .library(name: "KeepsakeCommands", targets: ["KeepsakeCommands"]),
    .library(name: "KeepsakeTesting", targets: ["KeepsakeTesting"]),
  ],
  // A dependency that only a disabled trait uses is not fetched. None is on by default: a package
  // that names one trait would switch the default ones off without noticing.
  traits: [
    .trait(
      name: "Configuration",
      description: "KeepsakeConfiguration, on swift-configuration and Yams."),
    .trait(name: "Secrets", description: "KeepsakeSecrets, on swift-crypto."),
    .trait(
      name: "Identity", description: "KeepsakeIdentity, on jwt-kit and swift-crypto.",
      enabledTraits: ["Secrets"]),
    .trait(
      name: "Console", description: "KeepsakeConsole and KeepsakeLoopback, on swift-nio.",
      enabledTraits: ["Configuration"]),
    .trait(name: "Commands", description: "KeepsakeCommands, on swift-argument-parser."),
    .trait(name: "Etcd", description: "KeepsakeEtcd, on async-http-client."),
    .trait(name: "Macros", description: "KeepsakeMacros, on swift-syntax."),
    .trait(
      name: "Portal",
      description: "The desktop's dialog in KeepsakeDirectories, on libdbus (Linux)."),
    .trait(name: "Postgres", description: "KeepsakePostgres, on libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0",
      traits: ["CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
  ],
  targets: [
    // 1: one of each mechanism that the modules above share.
    .target(name: "KeepsakeBase"),

    // 2: bytes and directories, nothing of keys or values.
    .target(name: "CSystemCalls"),
    .target(name: "KeepsakeFiles", dependencies: ["CSystemCalls", "KeepsakeBase", systemPackage]),

    // 3: values and bytes, nothing of files.
    .target(name: "KeepsakeCoding", dependencies: ["KeepsakeBase"]),
    .target(name: "KeepsakeDateFormatter", dependencies: ["KeepsakeCoding"]),

    // 4: what an app keeps.
    .target(
      name: "KeepsakeSettings",
      dependencies: ["KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", logging, systemPackage]),
    .target(
      name: "KeepsakeScenes",
      dependencies: ["KeepsakeBase", "KeepsakeFiles", "KeepsakeSettings", systemPackage]),
    // What generates the code that reads and writes a type, and settings as properties.
    .macro(
      name: "KeepsakeMacroPlugin",
      dependencies: [
        swiftSyntax("SwiftCompilerPlugin"), swiftSyntax("SwiftDiagnostics"),
        swiftSyntax("SwiftParser"), swiftSyntax("SwiftSyntax"), swiftSyntax("SwiftSyntaxBuilder"),
        swiftSyntax("SwiftSyntaxMacros"),
      ]),
    .target(
      name: "KeepsakeMacros",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeScenes", "KeepsakeSettings",
        .target(name: "KeepsakeMacroPlugin", condition: .when(traits: ["Macros"])),
      ]),

    .target(
      name: "KeepsakeDocuments",
      dependencies: ["KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", logging, systemPackage]),
    .target(
      name: "KeepsakeConfiguration",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings", configuration,
        logging, systemPackage, yams,
      ]),
    // What machines share through an engine, and the engines.
    .target(
      name: "KeepsakeSync",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeSettings",
        systemPackage,
      ]),
    .target(
      name: "KeepsakeEtcd",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeSync", asyncHTTPClient,
        nio("NIOCore", for: "Etcd"), nio("NIOHTTP1", for: "Etcd"), nio("NIOPosix", for: "Etcd"),
        nioSSL, systemPackage,
      ]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "KeepsakePostgres", dependencies: ["KeepsakeBase", "KeepsakeSync", postgres]),
    .target(
      name: "KeepsakeSecrets",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", crypto, cryptoExtras, systemPackage,
      ]),

    .target(
      name: "KeepsakeIdentity",
      dependencies: ["KeepsakeBase", "KeepsakeCoding", "KeepsakeSecrets", crypto, jwtKit]),

    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .target(
      name: "KeepsakeDirectories",
      dependencies: ["KeepsakeBase", "KeepsakeFiles", dbus, systemPackage]),

    // 5: one import for the modules that need no trait, and the console above all of them.
    .target(
      name: "Keepsake",
      dependencies: [
        "KeepsakeCoding", "KeepsakeDateFormatter", "KeepsakeDocuments", "KeepsakeFiles",
        "KeepsakeScenes", "KeepsakeSettings",
      ]),
    .target(
      name: "KeepsakeLoopback",
      dependencies: [
        "KeepsakeBase", "KeepsakeFiles", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"),
        nio("NIOWebSocket"), systemPackage,
      ]),
    .target(
      name: "KeepsakeConsole",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeDocuments",
        "KeepsakeFiles", "KeepsakeLoopback", "KeepsakeScenes", "KeepsakeSettings", "KeepsakeSync",
        systemPackage,
      ],
      resources: [.embedInCode("Page")]),

    .target(
      name: "KeepsakeCommands",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeConsole",
        "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeScenes", "KeepsakeSecrets",
        "KeepsakeSettings", argumentParser, systemPackage,
      ]),

    // Beside them: what tests of an app need, and tests of this package.
    .target(
      name: "KeepsakeTesting",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeSync",
        systemPackage,
      ]),

    // Processes that the tests start, talk to and kill, and what tests share.
    .target(
      name: "KeepsakeTestSupport",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings", "KeepsakeSync",
        systemPackage,
      ],
      path: "Tests/Support"),
    .executableTarget(
      name: "keepsake-settings-worker",
      dependencies: [
        "KeepsakeBase", "KeepsakeEtcd", "KeepsakeFiles", "KeepsakePostgres", "KeepsakeSettings",
        "KeepsakeSync", "KeepsakeTestSupport", systemPackage,
      ],
      path: "Tests/SettingsWorker"),
    .executableTarget(
      name: "keepsake-documents-worker",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeTestSupport", systemPackage,
      ],
      path: "Tests/DocumentsWorker"),

    // One program with two versions of its settings.
    .executableTarget(
      name: "keepsake-older-app",
      dependencies: ["KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings", systemPackage],
      path: "Tests/OlderApp"),
    .executableTarget(
      name: "keepsake-newer-app",
      dependencies: ["KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings", systemPackage],
      path: "Tests/NewerApp"),

    .testTarget(name: "KeepsakeBaseTests", dependencies: ["KeepsakeBase"]),
    .testTarget(
      name: "KeepsakeSyncTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeConsole", "KeepsakeDocuments", "KeepsakeFiles",
        "KeepsakeSettings", "KeepsakeSync", "KeepsakeTestSupport", "KeepsakeTesting", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeEtcdTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeConfiguration", "KeepsakeEtcd", "KeepsakeScenes",
        "KeepsakeSync", "KeepsakeTestSupport", "KeepsakeTesting", configuration,
      ]),
    .testTarget(
      name: "KeepsakePostgresTests",
      dependencies: [
        "KeepsakePostgres", "KeepsakeSettings", "KeepsakeSync", "KeepsakeTestSupport",
        "KeepsakeTesting",
      ]),
    .testTarget(
      name: "KeepsakeFilesTests",
      dependencies: ["KeepsakeBase", "KeepsakeFiles", "KeepsakeTestSupport", systemPackage]),
    .testTarget(
      name: "KeepsakeDirectoriesTests",
      dependencies: [
        "Keepsake", "KeepsakeBase", "KeepsakeDirectories", "KeepsakeFiles", "KeepsakeTestSupport",
        dbus, systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeCodingTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeDateFormatter", "KeepsakeTestSupport", crypto,
      ],
      resources: [.copy("Listings/Fixtures")]),
    .testTarget(
      name: "KeepsakeTests", dependencies: ["Keepsake", "KeepsakeTestSupport", systemPackage]),
    .testTarget(
      name: "KeepsakeMacrosTests",
      dependencies: [
        "KeepsakeConfiguration", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeMacros",
        "KeepsakeSecrets", "KeepsakeTesting", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeSettingsTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings",
        "KeepsakeTestSupport", "KeepsakeTesting", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeScenesTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeFiles", "KeepsakeScenes", "KeepsakeSettings",
        "KeepsakeTestSupport", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeDocumentsTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles",
        "KeepsakeTestSupport", "KeepsakeTesting", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeConfigurationTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeFiles",
        "KeepsakeSettings", "KeepsakeTestSupport", "KeepsakeTesting", configuration,
        configurationTesting, systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeSecretsTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeSecrets",
        "KeepsakeTestSupport", "KeepsakeTesting", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeIdentityTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeFiles", "KeepsakeIdentity", "KeepsakeSecrets",
        "KeepsakeTestSupport", "KeepsakeTesting", crypto, cryptoExtras, systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeLoopbackTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeFiles", "KeepsakeLoopback", "KeepsakeTestSupport", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeConsoleTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeConsole",
        "KeepsakeFiles", "KeepsakeLoopback", "KeepsakeScenes", "KeepsakeSettings",
        "KeepsakeTestSupport", systemPackage,
      ]),
    .testTarget(
      name: "KeepsakeTestingTests",
      dependencies: [
        "KeepsakeBase", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeSettings", "KeepsakeSync",
        "KeepsakeTestSupport", "KeepsakeTesting", systemPackage,
      ]),
  ],
  swiftLanguageModes: [.v6]
)

let withoutSwift = ["CDBus", "CPostgres", "CSystemCalls"]
for target in package.targets where !withoutSwift.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      // A warning is an error here; in a package that depends on this one it is not.
      .treatAllWarnings(as: .error),
      // SE-0335: `any` is written where a value is boxed.
      .enableUpcomingFeature("ExistentialAny"),
      // SE-0444: a member is seen only where its module is imported.
      .enableUpcomingFeature("MemberImportVisibility"),
      // SE-0409: what the public surface exposes is imported as public, and seen to be.
      .enableUpcomingFeature("InternalImportsByDefault"),
      // SE-0461: a nonisolated async function runs where its caller runs.
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      // SE-0470: a conformance is isolated as its type is.
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
