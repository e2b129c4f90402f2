"""The credentials that `chemopen login` stores, and those in netrc."""

from __future__ import annotations

import base64
import ctypes
import netrc
import os
import stat
from typing import Optional

_Names = ctypes.c_char_p


class _Attribute(ctypes.Structure):
    _fields_ = [("name", _Names), ("kind", ctypes.c_int)]


class _Schema(ctypes.Structure):
    """SecretSchema of libsecret."""

    _fields_ = [
        ("name", _Names), ("flags", ctypes.c_int), ("attributes", _Attribute * 32), ("reserved", ctypes.c_int),
        ("more", ctypes.c_void_p * 7),
    ]


def _has_bus() -> bool:
    # Looking for the keyring must not start a bus.
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    folder = os.environ.get("XDG_RUNTIME_DIR")
    return bool(folder) and os.path.exists(os.path.join(folder or "", "bus"))


def _secret(origin: str) -> Optional[str]:
    """Returns the credential of a server in the session's keyring, or None."""
    if not _has_bus():
        return None
    try:
        library = ctypes.CDLL("libsecret-1.so.0")
    except OSError:
        return None
    schema = _Schema(b"org.chemopen.Credential")
    schema.attributes[0] = _Attribute(b"source", 0)
    schema.attributes[1] = _Attribute(b"kind", 0)
    failure = ctypes.c_void_p()
    find, free = library.secret_password_lookup_sync, library.secret_password_free
    find.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    found = find(
        ctypes.byref(schema), ctypes.c_void_p(), ctypes.byref(failure), _Names(b"source"), _Names(origin.encode()),
        _Names(b"kind"), _Names(b"credential"), ctypes.c_void_p())
    if not found:
        return None
    try:
        return ctypes.string_at(found).decode()
    finally:
        free(found)


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _of_netrc(host: str) -> Optional[str]:
    path = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    try:
        if stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            return None
        found = netrc.netrc(path).authenticators(host)
    except (OSError, netrc.NetrcParseError):
        return None
    if not found or not found[2]:
        return None
    return f"Bearer {found[2]}" if found[0] == "bearer" else _basic(found[0] or "", found[2])


def credential_of(origin: str, host: str) -> Optional[str]:
    """Returns the header `Authorization` for a server from the keyring or netrc, or None."""
    parts = (_secret(origin) or "").split("\n", 2)
    if parts[0] == "bearer" and len(parts) == 2:
        return f"Bearer {parts[1]}"
    if parts[0] == "basic" and len(parts) == 3:
        return _basic(parts[1], parts[2])
    return _of_netrc(host)
