import ArgumentParser
import KeepsakeConsole

extension SettingType: ExpressibleByArgument {}
