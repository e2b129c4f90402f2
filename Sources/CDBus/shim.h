#include <dbus/dbus.h>

/* Macros that are casts cannot be used from Swift. */
enum {
    chemopen_type_array = DBUS_TYPE_ARRAY,
    chemopen_type_byte = DBUS_TYPE_BYTE,
    chemopen_type_entry = DBUS_TYPE_DICT_ENTRY,
    chemopen_type_int32 = DBUS_TYPE_INT32,
    chemopen_type_string = DBUS_TYPE_STRING,
    chemopen_type_uint32 = DBUS_TYPE_UINT32,
    chemopen_type_variant = DBUS_TYPE_VARIANT
};
