"""Calls the Python package at random, with invalid arguments: hostile.py SEQUENCES SEED FILE...

Each call must return, or raise an error of Python or of the package. A crash ends the process with a signal. Some sequences
run in two threads or in a forked process.
"""

import ctypes
import faulthandler
import io
import os
import pickle
import random
import sys
import tempfile
import threading
import warnings

import chemopen

faulthandler.enable()
warnings.simplefilter("ignore")
count, seed, files = int(sys.argv[1]), int(sys.argv[2]), [os.path.abspath(path) for path in sys.argv[3:]]
dice = random.Random(seed)
# Strings may be used as paths of output files.
folder = tempfile.mkdtemp()
os.chdir(folder)
EXPECTED = (
    chemopen.ChemopenError, ValueError, TypeError, OSError, LookupError, OverflowError, ctypes.ArgumentError, StopIteration,
    AttributeError, MemoryError, RecursionError, NotImplementedError)
WORDS = ["", "sdf", "mol", "smi", "rxn", "ds", "csv", "nonsense", "title", "ID", "molblock", "smiles,rxnblock", "record", "integer",
         "list", "ID < 5", "mass > 1", "inchikey exists", "\0", "a\0b", "\udc80", "ä" * 300, "$$$$\nM  END", "raise", "skip", "keep"]


class Odd:
    """A file object with unexpected return values."""

    made = 0

    def __init__(self, content):
        self.content, self.other = content, None
        Odd.made += 1

    def read(self, size=-1):
        deed = dice.randrange(12)
        if deed == 0:
            return dice.choice([None, -1, "text", b"x" * (size + 1), [1], memoryview(b"12345678").cast("I"), object()])
        if deed == 1:
            raise dice.choice([KeyError("odd"), OSError("odd"), RecursionError("odd")])
        if deed == 2 and self.other is not None:
            anything(self.other)
        size = dice.randrange(1, max(2, min(size, 5000)))
        taken, self.content = self.content[:size], self.content[size:]
        return dice.choice([bytes, bytearray, memoryview])(taken)


class OddOutput(Odd):
    """A file object to write to, with unexpected return values."""

    def write(self, content):
        deed = dice.randrange(8)
        if deed == 0:
            raise dice.choice([KeyError("odd"), OSError("odd"), RecursionError("odd")])
        if deed == 1 and things:
            anything(dice.choice(things))
        return dice.choice([None, 0, -1, 1, len(content), len(content) + 1, 2**70, "text", 1.5, True])


def number():
    return dice.choice([0, 1, -1, 2, 7, 1000, 2**31, 2**63, 2**64, -2**63, 1.5, float("nan"), None, "1", True])


def value():
    return dice.choice([lambda: dice.choice(WORDS), number, lambda: dice.choice(files), lambda: b"bytes", lambda: [dice.choice(WORDS)],
                        lambda: dice.choice(things or [None]), lambda: {dice.choice(WORDS): dice.choice(WORDS)}, lambda: (0, 100)])()


def source():
    draw = dice.randrange(10)
    if draw < 5:
        return dice.choice(files)
    if draw == 5:
        return value()
    with open(dice.choice(files), "rb") as file:
        content = file.read(60_000)
    return io.BytesIO(content) if draw < 8 else Odd(content)


def some(names, kind=None):
    return {name: dice.choice([kind or value, value])() for name in names if dice.random() < 0.25}


def new_reader():
    given = source()
    reader = chemopen.Reader(given, **some(["format", "range", "structures", "errors"]))
    if isinstance(given, Odd):
        given.other = reader
    return reader


def new_scan():
    paths = dice.choice(files) if dice.random() < 0.7 else [dice.choice(files), source()]
    return chemopen.scan(paths, **some(["columns", "where", "structure", "types", "format", "range", "batch_bytes"]))


def copy_of_file():
    path = os.path.join(folder, f"copy-{dice.randrange(5)}")
    with open(dice.choice(files), "rb") as file, open(path, "wb") as copy:
        copy.write(file.read(60_000))
    return path


def convert():
    output = os.path.join(folder, f"{dice.randrange(5)}.{dice.choice(['sdf', 'mol', 'ds', 'smi', 'jsonl', 'x'])}")
    return chemopen.convert(
        source() if dice.random() < 0.8 else [dice.choice(files)], output,
        **some(["to", "format", "records", "where", "version", "errors", "threads", "replace", "rewrite", "expand"]),
        progress=dice.choice([None, lambda state: dice.random() > 0.1, lambda state: anything(None) or True]))


MAKERS = [
    new_reader, new_reader, new_reader, new_scan, new_scan, chemopen.Record, convert,
    lambda: chemopen.Pattern(dice.choice(["C", "[OH]", "c1ccccc1", "C(", value()])),
    lambda: chemopen.Molecule(dice.choice([["C", "Xx", 8], value()]), dice.choice([[], [(0, 1)], [(0, 9)], value()]), **some(["title"])),
    lambda: chemopen.Reaction(dice.choice([["CCO"], [], value()]), ["CC=O"], **some(["arrow", "conditions", "title"])),
    lambda: chemopen.write(value() if dice.random() < 0.5 else new_scan(), dice.choice([io.BytesIO(), OddOutput(b""), value()]),
                          **some(["to", "title", "structure"])),
    lambda: chemopen.diff(dice.choice(files), dice.choice([dice.choice(files), value()]), **some(["key", "tolerance", "format"])),
    lambda: chemopen.Collection(dice.choice([copy_of_file, value])()), lambda: chemopen.history(value(), **some(["record", "most"])),
    lambda: list(chemopen.grep(dice.choice(["C", "[OH]"]), source())),
    lambda: pickle.loads(pickle.dumps(dice.choice(things or [chemopen.Record()]))),
    lambda: chemopen.Record.parse(dice.choice(["CCO", "C1CC", b"", value()]), **some(["format"])),
    lambda: chemopen.Writer(os.path.join(folder, "w." + dice.choice(["sdf", "ds", "mol", "x"])), replace=True, **some(["to", "version"])),
    lambda: chemopen.identify(value()), lambda: chemopen.partitions(dice.choice(files), dice.choice([0, 1, 5, -3])),
    lambda: chemopen.losses(dice.choice(files), dice.choice(WORDS)), lambda: chemopen.depict(source(), number(), number()),
]
things = []


def anything(thing):
    """Makes one call with an object, or one that creates an object."""
    if thing is None or dice.random() < 0.15:
        made = dice.choice(MAKERS)()
        if made is not None:
            things.append(made)
        return
    if isinstance(thing, chemopen.Reader) and dice.random() < 0.6:
        things.append(next(thing))
        return
    if isinstance(thing, chemopen.Pattern) and dice.random() < 0.6:
        dice.choice([thing.finds, thing.matches])(dice.choice([one for one in things if isinstance(one, chemopen.Record)] or [None]))
        return
    if isinstance(thing, chemopen.Scan) and dice.random() < 0.5:
        things.append(thing.__arrow_c_stream__())
        return
    if isinstance(thing, chemopen.Writer) and dice.random() < 0.6:
        thing.write(dice.choice([one for one in things if isinstance(one, chemopen.Record)] or [None]))
        return
    name = dice.choice([name for name in dir(thing) if not name.startswith("_")] or ["__repr__"])
    member = getattr(thing, name)
    if callable(member):
        member = member(*[value() for _ in range(dice.randrange(3))])
    elif dice.random() < 0.1:
        setattr(thing, name, value())
    if hasattr(member, "__len__") and hasattr(member, "__getitem__") and not isinstance(member, (str, bytes)):
        for place in dice.sample([0, -1, 5, 10**6], 2):
            member[place]
    # Objects of other packages are not tested.
    if dice.random() < 0.2 and type(member).__module__.split(".")[0] in ("builtins", "chemopen"):
        things.append(member)


def play():
    for _ in range(dice.randrange(4, 30)):
        try:
            anything(dice.choice(things) if things and dice.random() < 0.85 else None)
        except EXPECTED:
            pass
        while len(things) > 12:
            things.pop(dice.randrange(len(things)))


def play_in_child():
    """Plays in a forked process with the objects of this one."""
    child = os.fork()
    if child == 0:
        try:
            play()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert not os.WIFSIGNALED(status), f"signal {os.WTERMSIG(status)} in a forked process"


for _ in range(count):
    if dice.random() < 0.01 and things:
        play_in_child()
    if dice.random() < 0.02:
        thread = threading.Thread(target=play)
        thread.start()
        play()
        thread.join()
    else:
        play()
    # Some objects stay for the next sequence.
    if dice.random() < 0.7:
        things.clear()
print(f"{count} sequences of calls with {Odd.made} hostile file objects, none of which crashed")
