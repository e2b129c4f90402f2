"""Generates an SD file like that of an assay: drawn molecules with numbers, categories, dates and remarks."""

import math
import random

RINGS = {
    "benzene": ("CCCCCC", "212121"), "pyridine": ("NCCCCC", "212121"), "pyrimidine": ("NCNCCC", "212121"),
    "thiophene": ("SCCCC", "12121"), "cyclohexane": ("CCCCCC", "111111"), "piperidine": ("NCCCCC", "111111"),
}
CHAINS = ["C", "CC", "OC", "NC", "CN", "C=OC", "C=ON", "S", "CCC", "C=OCC"]
ENDS = ["C", "O", "N", "F", "Cl", "Br"]
REMARKS = ["", "", "", "precipitates in buffer", "hygroscopic", "repeat with fresh stock, plate 12 edge effect"]


class Drawing:
    def __init__(self):
        self.atoms, self.bonds = [], []

    def atom(self, symbol, x, y):
        self.atoms.append((symbol, x, y))
        return len(self.atoms)

    def ring(self, name, x, y, turn):
        symbols, orders = RINGS[name]
        count = len(symbols)
        radius = 0.75 / math.sin(math.pi / count)
        places = [self.atom(symbol, x + radius * math.cos(turn + 2 * math.pi * n / count),
                            y + radius * math.sin(turn + 2 * math.pi * n / count)) for n, symbol in enumerate(symbols)]
        for n, order in enumerate(orders):
            self.bonds.append((places[n], places[(n + 1) % count], int(order)))
        return places, radius

    def molblock(self, title, height=False):
        lines = [title, "  Chemopen-test", "", f"{len(self.atoms):3d}{len(self.bonds):3d}  0  0  0  0  0  0  0  0999 V2000"]
        for number, (symbol, x, y) in enumerate(self.atoms):
            z = math.sin(number) if height else 0
            lines.append(f"{x:10.4f}{y:10.4f}{z:10.4f} {symbol:<3} 0  0  0  0  0  0  0  0  0  0  0  0")
        lines += [f"{a:3d}{b:3d}{order:3d}  0" for a, b, order in self.bonds]
        return "\n".join(lines + ["M  END"]) + "\n"


def molecule(chance):
    """Returns a drawing of one or two rings with a chain, and whether it contains pyridine."""
    made = Drawing()
    name = chance.choice(list(RINGS))
    places, radius = made.ring(name, 0, 0, 0)
    # The carbon of the ring that is opposite to its first atom.
    last, x, y, up = places[len(places) // 2], -radius - 0.2, 0.0, 1
    (_, x, y) = made.atoms[last - 1]
    for symbol in chance.choice(CHAINS).replace("C=O", "K"):
        x, y, up = x - 1.3, y + 0.75 * up, -up
        here = made.atom("C" if symbol == "K" else symbol, x, y)
        made.bonds.append((last, here, 1))
        if symbol == "K":
            made.bonds.append((here, made.atom("O", x, y - 1.5 * up), 2))
        last = here
    if chance.random() < 0.5:
        other = chance.choice([one for one in RINGS if one != "piperidine"])
        count = len(RINGS[other][0])
        size = 0.75 / math.sin(math.pi / count)
        # The ring is attached at another atom than its first one.
        turn = -2 * math.pi * (count // 2) / count
        ring, _ = made.ring(other, x - 1.5 - size, y, turn)
        made.bonds.append((last, ring[count // 2], 1))
        name += " " + other
    else:
        made.bonds.append((last, made.atom(chance.choice(ENDS), x - 1.3, y + 0.75 * up), 1))
    return made, "pyridine" in name.split()


def write(path, count=1200, seed=1, solid=(7,), extra=0):
    """Writes the file and returns its records as dictionaries."""
    chance = random.Random(seed)
    rows = []
    with open(path, "w") as file:
        for number in range(1, count + 1):
            made, has_pyridine = molecule(chance)
            value = min(11, max(3, chance.gauss(6, 1.1)))
            row = {
                "Compound ID": f"KIN-{999 + number}", "Batch": f"{999 + number}-{chance.randint(1, 3):02d}",
                "pIC50": f"{value:.2f}", "IC50 nM": f"{10 ** (9 - value):.3g}",
                "Solubility uM": ">200" if chance.random() < 0.1 else "" if chance.random() < 0.05 else str(chance.randint(1, 199)),
                "cLogP": f"{chance.gauss(3, 1):.2f}", "Series": chance.choices(["A", "B", "fragment", "C"], [5, 3, 2, 2])[0],
                "Registered": f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
                "Operator": f"op-{chance.randint(1, 4)}", "Remark": chance.choice(REMARKS),
            }
            for column in range(extra):
                row[f"Column {column + 1}"] = f"{chance.random() * (column + 1):.3f}"
            file.write(made.molblock(row["Compound ID"], height=number in solid))
            for name, text in row.items():
                if text:
                    file.write(f"> <{name}>\n{text}\n\n")
            file.write("$$$$\n")
            rows.append(row | {"pyridine": has_pyridine, "record": number})
    return rows
