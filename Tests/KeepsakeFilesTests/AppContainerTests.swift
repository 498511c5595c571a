import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("App containers") struct AppContainerTests {
  @Test("XDG variables with absolute paths determine the directories") func xdgVariables() {
    let container = AppContainer(
      identifier: "com.example.App",
      environment: [
        "HOME": "/home/me", "XDG_CONFIG_HOME": "/config", "XDG_DATA_HOME": "/data",
        "XDG_STATE_HOME": "/state", "XDG_CACHE_HOME": "/cache",
      ])
    #expect(container.preferences == "/config/com.example.App")
    #expect(container.preferencesFile() == "/config/com.example.App/com.example.App.plist")
    #expect(container.documents == "/data/com.example.App/Documents")
    #expect(container.applicationSupport == "/data/com.example.App")
    #expect(container.savedState == "/state/com.example.App")
    #expect(container.caches == "/cache/com.example.App")
    #expect(container.temporary == "/cache/com.example.App/Temporary")
  }

  @Test(
    "The file of an app or a suite is never the file of all apps",
    arguments: [
      "GlobalPreferences", ".GlobalPreferences", "%2EGlobalPreferences",
      "KeepsakeGlobalPreferences",
      "keepsake", "Preferences",
    ])
  func distinctGlobalFile(name: String) {
    for container in [
      AppContainer(root: "/root", identifier: name),
      AppContainer(identifier: name, environment: ["HOME": "/home/me"]),
    ] {
      #expect(container.preferencesFile() != container.globalPreferences)
      #expect(container.preferencesFile(suite: name) != container.globalPreferences)
      #expect(container.preferencesFile(suite: "GlobalPreferences") != container.globalPreferences)
    }
  }

  @Test(
    "An XDG variable without an absolute path is ignored",
    arguments: ["relative", "", "./here", "~/config"])
  func relativeXDGVariables(value: String) {
    let variables = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    var environment = Dictionary(uniqueKeysWithValues: variables.map { ($0, value) })
    environment["HOME"] = "/home/me"
    let container = AppContainer(identifier: "app", environment: environment)
    #expect(container == AppContainer(identifier: "app", environment: ["HOME": "/home/me"]))
    #expect(container.preferences == "/home/me/.config/app")
    #expect(container.applicationSupport == "/home/me/.local/share/app")
    #expect(container.savedState == "/home/me/.local/state/app")
    #expect(container.caches == "/home/me/.cache/app")
  }

  @Test("A service of systemd has its state in the first directory that systemd names")
  func serviceDirectories() {
    var environment = [
      "HOME": "/home/me", "XDG_CONFIG_HOME": "/config", "XDG_CACHE_HOME": "/cache",
      "STATE_DIRECTORY": "/var/lib/app:/var/lib/other", "CONFIGURATION_DIRECTORY": "/etc/app",
    ]
    var container = AppContainer(identifier: "app", environment: environment)
    #expect(container.preferences == "/var/lib/app")
    #expect(container.preferencesFile() == "/var/lib/app/app.plist")
    #expect(container.preferencesFile(suite: "suite") == "/var/lib/app/suite.plist")
    #expect(container.globalPreferences == "/var/lib/app/.GlobalPreferences.plist")
    #expect(container.documents == "/var/lib/app/Documents")
    #expect(container.applicationSupport == "/var/lib/app/Application Support")
    #expect(container.savedState == "/var/lib/app/Saved Application State")
    #expect(container.managedPreferences == "/etc/app/app.plist")
    #expect(container.caches == "/cache/app")
    environment["CACHE_DIRECTORY"] = "/var/cache/app"
    environment["CONFIGURATION_DIRECTORY"] = "relative"
    environment["STATE_DIRECTORY"] = ""
    container = AppContainer(identifier: "app", environment: environment)
    #expect(container.caches == "/var/cache/app")
    #expect(container.preferences == "/config/app")
    #expect(container.managedPreferences == "/etc/xdg/app/app.plist")
  }

  @Test("Without HOME, the home directory is that of the user database")
  func homeOfUserDatabase() throws {
    let user = try #require(getpwuid(getuid()))
    let home = FilePath(platformString: user.pointee.pw_dir)
    let container = AppContainer(identifier: "app", environment: [:])
    #expect(container.preferences == home.appending(".config/app"))
  }

  @Test(
    "With a root, a suite's file is in the preferences directory for every identifier",
    arguments: ["Preferences", "Library", "Documents", "com.example.App"])
  func suitesBelowRoot(identifier: String) {
    let container = AppContainer(root: "/root", identifier: identifier)
    #expect(container.preferencesFile(suite: "suite") == "/root/Library/Preferences/suite.plist")
  }

  @Test("With a root, the directories are laid out as in an app's sandbox") func sandboxLayout() {
    let container = AppContainer(root: "/root", identifier: "com.example.App")
    #expect(container.documents == "/root/Documents")
    #expect(container.preferences == "/root/Library/Preferences")
    #expect(container.preferencesFile() == "/root/Library/Preferences/com.example.App.plist")
    #expect(container.preferencesFile(suite: "a/b") == "/root/Library/Preferences/a%2Fb.plist")
    #expect(container.applicationSupport == "/root/Library/Application Support")
    #expect(container.savedState == "/root/Library/Saved Application State")
    #expect(container.caches == "/root/Library/Caches")
    #expect(container.temporary == "/root/tmp")
  }

  @Test(
    "P10: No identifier makes a path that escapes the container",
    arguments: ["../escape", "..", ".", "", "/etc", "a/../../b"])
  func identifierCannotEscape(identifier: String) {
    let root: FilePath = "/root"
    let container = AppContainer(root: root, identifier: identifier)
    #expect(container.preferencesFile().lexicallyNormalized().starts(with: container.preferences))
    #expect(container.preferencesFile(suite: identifier).lexicallyNormalized().starts(with: root))
    let shared = AppContainer(identifier: identifier, environment: ["HOME": "/home/me"])
    for directory in [shared.preferences, shared.documents, shared.savedState, shared.caches] {
      #expect(directory.lexicallyNormalized().starts(with: "/home/me"))
      #expect(directory.lexicallyNormalized() == directory)
    }
    #expect(
      shared.preferencesFile(suite: identifier).lexicallyNormalized()
        .starts(with: "/home/me/.config"))
  }
}

@Suite("App launches") struct AppLaunchTests {
  @Test("A launch is compared with the version of the previous launch") func launchKinds() throws {
    try withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "app")
      let launches: [(String, AppContainer.Launch)] = [
        ("1.9", .first), ("1.9", .same), ("1.10", .updated(from: "1.9")), ("1.10.0", .same),
        ("1.2", .downgraded(from: "1.10")), ("2", .updated(from: "1.2")), ("2.0", .same),
        ("2.0-beta", .updated(from: "2")),
      ]
      for (version, launch) in launches {
        let found = try container.launch(version: version)
        #expect(found == launch, "\(version)")
      }
    }
  }

  @Test("A launch whose body throws is reported again") func failedLaunch() throws {
    struct Failure: Error {}
    try withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "app")
      #expect(throws: Failure.self) {
        try container.launch(version: "1") { launch in
          #expect(launch == .first)
          throw Failure()
        }
      }
      let first = try container.launch(version: "1")
      #expect(first == .first)
      #expect(throws: Failure.self) { try container.launch(version: "2") { _ in throw Failure() } }
      let second = try container.launch(version: "2")
      #expect(second == .updated(from: "1"))
    }
  }

  @Test("Bundled files are copied unless the user has a file of that name")
  func copyDefaults() throws {
    try withTemporaryDirectory { root in
      let files = LocalFileSystem()
      let source = root.appending("bundle")
      try files.createDirectories(source.appending("more"))
      for name in ["a", "b", "more/c"] {
        try files.replaceFile(at: source.appending(name), with: Array("new".utf8))
      }
      let documents = AppContainer(root: root.appending("app"), identifier: "app").documents
      try files.createDirectories(documents)
      try files.replaceFile(at: documents.appending("b"), with: Array("mine".utf8))
      let container = AppContainer(root: root.appending("app"), identifier: "app")
      try container.copyDefaults(from: source, to: documents)
      #expect(try files.readFile(at: documents.appending("a")) == Array("new".utf8))
      #expect(try files.readFile(at: documents.appending("b")) == Array("mine".utf8))
      #expect(try files.readFile(at: documents.appending("more/c")) == Array("new".utf8))
    }
  }
}
