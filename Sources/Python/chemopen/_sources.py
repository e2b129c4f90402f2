"""Files to read: paths, patterns of paths, addresses, content in memory, and open files."""

from __future__ import annotations

import glob
import os
from typing import Any, Iterable, Iterator, Optional, Sequence, Union, cast

from . import _library as c
from ._fetching import fetch, is_address
from ._library import Content, PathLike, Source

#: One or more files. A pattern such as "data/*.sdf" matches several.
Sources = Union[Source, Iterable[Source]]


class Memory:
    """The content of a file, with a name for messages."""

    def __init__(self, content: bytes, name: str) -> None:
        self.content, self.name = content, name


def memory_of(source: Any) -> Optional[Memory]:
    """Returns the content of bytes or of an open file; None if the source is neither."""
    if isinstance(source, Content):
        return Memory(bytes(source), "memory")
    if not hasattr(source, "read"):
        return None
    content = source.read()
    if isinstance(content, str):
        raise TypeError("the file object returns text; open the file in binary mode, as in open(path, \"rb\")")
    if not isinstance(content, Content):
        raise TypeError(f"the file object returns {type(content).__name__} instead of bytes")
    name = getattr(source, "name", "stream")
    return Memory(bytes(content), name if isinstance(name, str) else "stream")


def is_path(source: Any) -> bool:
    """Return whether the source is a path."""
    return isinstance(source, (str, os.PathLike))


def paths_of(path: PathLike) -> list[PathLike]:
    """Returns the files that match a pattern in alphabetical order, or the path itself if it is not a pattern.

    An address is downloaded.
    """
    text = os.fsdecode(path)
    if is_address(path):
        return [fetch(text)]
    if not glob.has_magic(text) or os.path.lexists(text):
        return [path]
    return list(sorted(glob.glob(text, recursive=True))) or [path]


def all_of(sources: Sources) -> list[Union[PathLike, Memory]]:
    """Returns each file of one or several sources."""
    if is_path(sources):
        return list(paths_of(cast(PathLike, sources)))
    memory = memory_of(sources)
    if memory is not None:
        return [memory]
    if not isinstance(sources, Iterable):
        raise TypeError(f"expected a path, bytes, an open file, or several of them, not {type(sources).__name__}")
    found: list[Union[PathLike, Memory]] = []
    for source in sources:
        if is_path(source):
            found += paths_of(cast(PathLike, source))
            continue
        memory = memory_of(source)
        if memory is None:
            raise TypeError(f"expected a path, bytes or an open file, not {type(source).__name__}")
        found.append(memory)
    return found


def written_to(folder: str, sources: Sequence[Union[PathLike, Memory]]) -> Iterator[bytes]:
    """Returns the path of each source. Content in memory is written to files in a directory."""
    for number, source in enumerate(sources):
        if not isinstance(source, Memory):
            yield c.path_bytes(source)
            continue
        path = os.path.join(folder, str(number), os.path.basename(source.name.rstrip("/")) or "memory")
        os.mkdir(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(source.content)
        yield c.path_bytes(path)
