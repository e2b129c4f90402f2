#include <dbus/dbus.h>

/* Macros that are casts cannot be used from Swift. */
enum { chemopen_type_array = DBUS_TYPE_ARRAY, chemopen_type_string = DBUS_TYPE_STRING };
