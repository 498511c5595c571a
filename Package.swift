// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "keepsake",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // With what it exports: who uses it is built anew when one of these changes.
    .library(
      name: "Keepsake",
      targets: [
        "Keepsake", "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeScenes",
        "KeepsakeSettings",
      ]),
    .library(name: "KeepsakeCoding", targets: ["KeepsakeCoding"]),
    .library(name: "KeepsakeConfiguration", targets: ["KeepsakeConfiguration"]),
    .library(name: "KeepsakeFiles", targets: ["KeepsakeFiles"]),
    .library(name: "KeepsakeConsole", targets: ["KeepsakeConsole"]),
    .library(name: "KeepsakeSecrets", targets: ["KeepsakeSecrets"]),
    .library(name: "KeepsakeTesting", targets: ["KeepsakeTesting"]),
    .executable(name: "keepsake", targets: ["keepsake-tool"]),
  ],
  traits: [
    .trait(
      name: "DateFormatter",
      description: """
        Dates in the format of a DateFormatter. It takes all of Foundation, whose loading makes a \
        program on Linux start some 5 ms later; without it FoundationEssentials is enough.
        """),
    .default(enabledTraits: ["DateFormatter"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0",
      traits: ["CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // 2: bytes and folders, nothing of keys or values.
    .target(name: "CSystemCalls"),
    .target(
      name: "KeepsakeFiles",
      dependencies: ["CSystemCalls", .product(name: "SystemPackage", package: "swift-system")]),

    // 3: values and bytes, nothing of files.
    .target(name: "KeepsakeCoding"),

    // 4: what an app keeps.
    .target(
      name: "KeepsakeSettings",
      dependencies: [
        "KeepsakeFiles", "KeepsakeCoding",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(name: "KeepsakeScenes", dependencies: ["KeepsakeSettings"]),
    .target(
      name: "KeepsakeDocuments",
      dependencies: [
        "KeepsakeFiles", "KeepsakeCoding",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    .target(
      name: "KeepsakeConfiguration",
      dependencies: [
        "KeepsakeFiles", "KeepsakeCoding",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "Yams", package: "Yams"),
      ]),
    .target(
      name: "KeepsakeSecrets",
      dependencies: [
        "KeepsakeFiles", "KeepsakeCoding",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    // 5: one import for all of it.
    .target(
      name: "Keepsake",
      dependencies: ["KeepsakeCoding", "KeepsakeSettings", "KeepsakeScenes", "KeepsakeDocuments"]),

    .target(
      name: "KeepsakeConsole",
      dependencies: [
        "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeDocuments", "KeepsakeFiles",
        "KeepsakeScenes", "KeepsakeSettings",
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "keepsake-tool",
      dependencies: [
        "Keepsake", "KeepsakeConfiguration", "KeepsakeConsole",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Sources/KeepsakeTool"),

    // Beside: what a test of an app, or of this package, needs.
    .target(
      name: "KeepsakeTesting",
      dependencies: [
        "KeepsakeFiles", "KeepsakeSettings",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    // A process that the tests start, talk to and kill, and what they share.
    .target(
      name: "KeepsakeTestSupport",
      dependencies: ["KeepsakeFiles", .product(name: "SystemPackage", package: "swift-system")],
      path: "Tests/Support"),
    .executableTarget(
      name: "keepsake-settings-worker",
      dependencies: [
        "KeepsakeFiles", "KeepsakeSettings", "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/SettingsWorker"),
    .executableTarget(
      name: "keepsake-documents-worker",
      dependencies: [
        "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/DocumentsWorker"),

    .testTarget(
      name: "KeepsakeFilesTests",
      dependencies: [
        "KeepsakeFiles", "KeepsakeTesting", "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeCodingTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeTestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ],
      resources: [.copy("Listings/Fixtures")]),
    .testTarget(
      name: "KeepsakeSettingsTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeFiles", "KeepsakeSettings", "KeepsakeTesting",
        "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeScenesTests",
      dependencies: [
        "KeepsakeFiles", "KeepsakeScenes", "KeepsakeSettings",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeDocumentsTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeTesting",
        "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeConfigurationTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeFiles", "KeepsakeTesting",
        "KeepsakeTestSupport",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeSecretsTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeDocuments", "KeepsakeFiles", "KeepsakeSecrets",
        "KeepsakeTesting", "KeepsakeTestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeConsoleTests",
      dependencies: [
        "KeepsakeCoding", "KeepsakeConfiguration", "KeepsakeConsole", "KeepsakeFiles",
        "KeepsakeScenes", "KeepsakeSettings", "KeepsakeTestSupport",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeToolTests",
      dependencies: [
        "KeepsakeConfiguration", "KeepsakeFiles", "KeepsakeSettings", "KeepsakeTestSupport",
        "keepsake-tool",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "KeepsakeTestingTests",
      dependencies: [
        "KeepsakeFiles", "KeepsakeTesting",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CSystemCalls" {
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
