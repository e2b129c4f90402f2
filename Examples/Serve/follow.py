"""Prints the changes of a server's collections as they occur: follow.py ADDRESS [COUNT]

The token is in the environment variable TOKEN, or in the keyring (chemopen login). COUNT ends the program."""

import itertools
import os
import sys

import chemopen


def follow(address: str, count: int) -> None:
    with chemopen.BrowseClient(address, token=os.environ.get("TOKEN")) as client:
        names = ", ".join(category.title for category in client.categories())
        changes = client.follow()
        print(f"following {names}", flush=True)
        for event in itertools.islice(changes, count):
            place = f" in {event.category.title}" if event.category else ""
            print(f"{event.kind}: {event.entity.title}{place}", flush=True)


if __name__ == "__main__":
    follow(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize)
