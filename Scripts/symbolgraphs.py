"""What is public, as the compiler tells it: shared by print-api and build-docs."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def builds(options):
    """The builds that have all modules together; without any given, the package is built."""
    if options.build:
        return [build.absolute() for build in options.build]
    subprocess.run(["swift", "build", "--enable-all-traits"], cwd=ROOT, check=True, stdout=sys.stderr)
    return [ROOT / ".build/debug"]


# What the system's libraries are needed for, which the examples do without.
ON_SYSTEM_LIBRARIES = {"KeepsakeDirectories", "KeepsakePostgres"}


def builds_with(module, builds):
    """Those of the builds that have a module. An optimized one spells some types otherwise, and only counts for those
    modules that the others do not have in full."""
    found = [build for build in builds if (build / f"Modules/{module}.swiftmodule").exists()
             and (build.name != "release" or module in ON_SYSTEM_LIBRARIES)]
    return found or sys.exit(f"{module} is in none of these builds")


def products():
    """The modules of the products, in the order of the manifest."""
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = []
    for product in json.loads(text)["products"]:
        if "library" in product["type"]:
            names += [name for name in product["targets"] if name not in names]
    return names


def imports(build):
    """The compiler's arguments with which the modules of a build can be imported."""
    arguments = ["-I", build / "Modules"]
    for path in [path for path in build.glob("*.build/module.modulemap") if "-tool." not in str(path)]:
        arguments += ["-Xcc", f"-fmodule-map-file={path}"]
    for library, name in [("CDBus", "dbus-1"), ("CPostgres", "libpq")]:
        arguments += ["-I", ROOT / "Sources" / library]
        flags = subprocess.run(["pkg-config", "--cflags-only-I", name], capture_output=True, text=True).stdout
        arguments += flags.split()
    for headers in build.parent.glob("checkouts/*/Sources/*/include"):
        arguments += ["-I", headers]
    return arguments


def extract(module, build, directory):
    """Writes the symbol graphs of a module's public declarations, from a build, into a directory."""
    target = json.loads(subprocess.run(
        ["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
    arguments = ["-module-name", module, "-target", target["target"]["triple"], *imports(build)]
    subprocess.run(
        ["swift", "symbolgraph-extract", *arguments, "-minimum-access-level", "public",
         "-skip-synthesized-members", "-output-dir", directory], check=True)
