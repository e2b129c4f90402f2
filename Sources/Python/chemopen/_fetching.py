"""Files on servers, downloaded into the cache."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_void_p
from typing import Any, Callable, Optional

from . import _library as c
from ._library import lib


class Fetched(os.PathLike[str]):
    """A downloaded file. It is a path for all functions of Python and of this package.

    Do not change the file: it is in the cache. If the cache is encrypted, the file exists only as long as this object.
    """

    def __init__(self, handle: c_void_p, address: str) -> None:
        self._handle, self._address = handle, address
        copy = c.Copy(ctypes.sizeof(c.Copy))
        lib.chemopen_fetched_copy(handle, byref(copy))
        self._path = os.fsdecode(copy.path)
        #: The MIME type that the server sent; may be empty.
        self.type = copy.type.decode("utf-8", "replace")
        #: A note such as "offline, as of 2026-11-23 20:55"; may be empty.
        self.note = copy.note.decode("utf-8", "replace")

    def __fspath__(self) -> str:
        return self._path

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process fetches the file itself.
        return fetch, (self._address,)

    def __repr__(self) -> str:
        return f"Fetched({self._path!r})"

    def close(self) -> None:
        """Deletes the decrypted copy, if there is one."""
        lib.chemopen_fetched_close(byref(self._handle))

    def __enter__(self) -> Fetched:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # The library can be gone when Python exits.
        if lib is not None and self._handle:
            self.close()


def is_address(source: Any) -> bool:
    """Returns whether a source is an address, and not the name of an existing file."""
    return isinstance(source, str) and source.lower().startswith(("https://", "http://")) and not os.path.lexists(source)


def fetch(
    address: str, *, offline: bool = False, encrypt: bool = False,
    progress: Optional[Callable[[int, int], Optional[bool]]] = None,
) -> Fetched:
    """Downloads a file into the cache that the `chemopen` commands use, or checks that the cached copy is current.

        with chemopen.fetch("https://example.org/sets/kinases.sdf.gz") as file:
            print(open(file, "rb").read(2))

    Interrupted downloads resume, and the cached copy is used if the network is down. The credential comes from the keyring
    (`chemopen login`) or netrc. `offline` uses only the cache, and `encrypt` encrypts it. `progress` gets the number of
    bytes and the size or 0; if it returns False, `Cancelled` is raised.

    Raises `ChemopenOSError` if there is neither a response nor a cached copy, or if the program `chemopen-fetch`, which uses
    the network, is not installed.
    """
    failures: list[BaseException] = []

    def hear(_: Any, told: Any) -> int:
        """Receives the progress from the library."""
        try:
            answer = progress(told.contents.done, told.contents.size) if progress else None
        except BaseException as failure:
            failures.append(failure)
            return 1
        return 1 if answer is False else 0

    # Without a function of the caller, it still runs, so that Ctrl-C ends the download.
    options = c.FetchOptions(
        ctypes.sizeof(c.FetchOptions), int(offline), int(encrypt), c.ProgressFunction(hear), None)
    handle = c_void_p()
    status = lib.chemopen_fetch(byref(handle), c.name_bytes(address, "an address"), byref(options))
    if status == c.OK:
        return Fetched(handle, address)
    error = c.error_of("fetched", handle, status)
    lib.chemopen_fetched_close(byref(handle))
    if failures:
        raise failures[0]
    raise ValueError(str(error)) if status == c.MISUSE else error
