public import ArgumentParser
@_spi(Tool) public import KeepsakeConsole

extension SettingType: @retroactive ExpressibleByArgument {}
