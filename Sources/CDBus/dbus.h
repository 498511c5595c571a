/// libdbus, the reference implementation of D-Bus (Debian: libdbus-1-dev).
#include <dbus/dbus.h>
