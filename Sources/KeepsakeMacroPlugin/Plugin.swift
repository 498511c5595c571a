#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    StorableMacro.self, StoredAttribute.self,
    ObservableSettingsMacro.self, SettingsAttribute.self, SettingMacro.self,
    SceneSettingMacro.self, SecretSettingMacro.self, ObservedMacro.self,
  ]
}
#else
/// A program, because a package without the trait `Macros` has this target, too.
@main
struct Plugin {
  static func main() {}
}
#endif
