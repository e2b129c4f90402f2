// A structure that is edited: atoms and bonds with the identity that the server gave them, and a history of its states.
// It knows enough chemistry to draw labels. The result is a list of edits, never a file.

const sketchModel = (() => {
  const valences = {
    H: [1], B: [3], C: [4], N: [3], O: [2], F: [1], Si: [4], P: [3, 5], S: [2, 4, 6], Cl: [1], As: [3, 5], Se: [2, 4, 6],
    Br: [1], I: [1],
  };
  const numbers = ["H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar", "K",
    "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",
    "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe", "Cs", "Ba", "La", "Ce", "Pr",
    "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au",
    "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U", "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es",
    "Fm", "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"];
  const isElement = (symbol) => numbers.includes(symbol);
  const orders = { single: 1, double: 2, triple: 3, quadruple: 4, quintuple: 5, sextuple: 6, aromatic: 1.5,
    single_or_double: 1, single_or_aromatic: 1, double_or_aromatic: 2, any: 1, zero: 0, dative: 0, hydrogen: 0 };

  const atomKeys = ["element", "label", "x", "y", "charge", "isotope", "radical", "hydrogens", "map"];
  const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const angle = (from, to) => Math.atan2(to.y - from.y, to.x - from.x);
  const step = (from, direction, length) => ({
    x: from.x + length * Math.cos(direction), y: from.y + length * Math.sin(direction),
  });
  // More decimals than a molfile has would only be lost.
  const rounded = (value) => Math.round(value * 1e4) / 1e4;

  function create(structure, isPlaced) {
    const base = {
      atoms: (structure.atoms || []).map((atom, place) => Object.freeze({
        id: place, element: atom.element || null, label: atom.label || null, x: atom.x || 0, y: atom.y || 0, z: atom.z || 0,
        charge: atom.charge || 0, isotope: atom.isotope || 0, radical: atom.radical || "none",
        hydrogens: atom.hydrogens ?? null, map: atom.map || 0, notes: atom.notes || [],
      })),
      bonds: (structure.bonds || []).map((bond, place) => Object.freeze({
        id: place, a: bond.from, b: bond.to, order: bond.order || "single", mark: bond.mark || "none", notes: bond.notes || [],
      })),
    };
    let current = {
      atoms: new Map(base.atoms.map((atom) => [atom.id, atom])), bonds: new Map(base.bonds.map((bond) => [bond.id, bond])),
    };
    let [nextAtom, nextBond] = [base.atoms.length, base.bonds.length];
    const [past, future] = [[], []];
    let draft = null;
    let around = null;
    const is3D = Boolean(structure.three_dimensional);

    // The bonds of each atom, computed once for each state.
    const neighborhood = () => {
      if (around && around.state === current) return around.map;
      const map = new Map([...current.atoms.keys()].map((id) => [id, []]));
      for (const bond of current.bonds.values()) {
        map.get(bond.a).push(bond);
        map.get(bond.b).push(bond);
      }
      around = { state: current, map };
      return map;
    };

    const model = {
      base, is3D, isPlaced: Boolean(isPlaced), past, future,
      get atoms() { return [...current.atoms.values()]; },
      get bonds() { return [...current.bonds.values()]; },
      atom: (id) => current.atoms.get(id),
      bond: (id) => current.bonds.get(id),
      bondsOf: (id) => neighborhood().get(id) || [],
      other: (bond, id) => (bond.a === id ? bond.b : bond.a),
      neighbors: (id) => model.bondsOf(id).map((bond) => current.atoms.get(model.other(bond, id))),
      between: (a, b) => model.bondsOf(a).find((bond) => model.other(bond, a) === b),
      get isEmpty() { return current.atoms.size === 0; },
      get isEdited() { return model.edits().length > 0; },
      get canUndo() { return past.length > 0; },
      get canRedo() { return future.length > 0; },

      /** Makes several changes that are undone together. Without a change, the history stays as it is. */
      change(make) {
        if (draft) return make();
        const before = current;
        draft = true;
        current = { atoms: new Map(before.atoms), bonds: new Map(before.bonds) };
        around = null;
        let result;
        try {
          result = make();
        } catch (error) {
          current = before;
          throw error;
        } finally {
          draft = null;
          around = null;
        }
        if (isSame(before, current)) { current = before; return result; }
        past.push(before);
        if (past.length > 500) past.shift();
        future.length = 0;
        return result;
      },
      undo() {
        if (past.length === 0) return false;
        future.push(current);
        current = past.pop();
        return true;
      },
      redo() {
        if (future.length === 0) return false;
        past.push(current);
        current = future.pop();
        return true;
      },
      /** Joins the latest change with the one before it, for a drag that consists of many steps. */
      joinLatest() { if (past.length > 1) past.splice(past.length - 1, 1); },

      setAtom(id, values) {
        const atom = current.atoms.get(id);
        if (!atom) return;
        model.change(() => { current.atoms.set(id, Object.freeze({ ...atom, ...values })); around = null; });
      },
      /** Replaces the symbol. An isotope, a radical and a fixed number of hydrogens belong to the old element. */
      setSymbol(id, symbol) {
        const own = isElement(symbol) ? { element: symbol, label: null } : { element: null, label: symbol };
        const atom = model.atom(id);
        if (!atom || atom.element === own.element && atom.label === own.label && !model.isQuery(atom)) return;
        model.setAtom(id, { ...own, isotope: 0, radical: "none", hydrogens: null, notes: [] });
      },
      charge(id, difference) {
        const atom = model.atom(id);
        if (!atom) return;
        const charge = Math.max(-15, Math.min(15, atom.charge + difference));
        if (charge !== atom.charge) model.setAtom(id, { charge, hydrogens: null });
      },
      addAtom(symbol, place, extra = {}) {
        const own = isElement(symbol) ? { element: symbol, label: null } : { element: null, label: symbol };
        const id = nextAtom++;
        const atom = { id, ...own, x: rounded(place.x), y: rounded(place.y), z: place.z || 0, charge: 0, isotope: 0,
          radical: "none", hydrogens: null, map: 0, notes: [], ...extra };
        model.change(() => { current.atoms.set(id, Object.freeze(atom)); around = null; });
        return id;
      },
      addBond(a, b, order = "single", mark = "none") {
        if (a === b || !model.atom(a) || !model.atom(b)) return null;
        const known = model.between(a, b);
        if (known) {
          model.setBond(known.id, { order, mark, ...(mark === "none" ? {} : { a, b }) });
          return known.id;
        }
        // A bond that was deleted before keeps its identity.
        const old = base.bonds.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
        const id = old ? old.id : nextBond++;
        model.change(() => {
          current.bonds.set(id, Object.freeze({ id, a, b, order, mark, notes: [] }));
          around = null;
          model.freeHydrogens([a, b]);
        });
        return id;
      },
      setBond(id, values) {
        const bond = model.bond(id);
        if (!bond) return;
        model.change(() => {
          current.bonds.set(id, Object.freeze({ ...bond, ...values }));
          around = null;
          if (values.order && values.order !== bond.order) model.freeHydrogens([bond.a, bond.b]);
        });
      },
      /** Lets the rule determine the hydrogens again, because a fixed number is wrong after the bonds have changed. */
      freeHydrogens(ids) {
        for (const id of ids) {
          if (model.atom(id) && model.atom(id).hydrogens !== null) model.setAtom(id, { hydrogens: null });
        }
      },
      remove(atomIds, bondIds) {
        model.change(() => {
          const gone = new Set(atomIds);
          for (const bond of model.bonds) {
            const isLoose = gone.has(bond.a) || gone.has(bond.b);
            if (!isLoose && !bondIds.includes(bond.id)) continue;
            current.bonds.delete(bond.id);
            model.freeHydrogens([bond.a, bond.b].filter((id) => !gone.has(id)));
          }
          for (const id of gone) current.atoms.delete(id);
          around = null;
        });
      },
      move(ids, dx, dy) {
        model.change(() => {
          for (const id of ids) {
            const atom = model.atom(id);
            if (atom) model.setAtom(id, { x: rounded(atom.x + dx), y: rounded(atom.y + dy) });
          }
        });
      },

      // Geometry

      /** The usual length of a bond: the median, because a drawing can have a few odd ones. */
      get bondLength() {
        const lengths = model.bonds.map((bond) => distance(model.atom(bond.a), model.atom(bond.b))).filter((one) => one > 0.01);
        lengths.sort((one, other) => one - other);
        return lengths.length > 0 ? lengths[lengths.length >> 1] : 1.5;
      },
      /** Returns the direction with the most space for another bond of an atom. */
      freeDirection(id) {
        const atom = model.atom(id);
        const taken = model.neighbors(id).map((one) => angle(atom, one)).sort((one, other) => one - other);
        if (taken.length === 0) return Math.PI / 6;
        if (taken.length === 1) {
          const isTriple = model.bondsOf(id)[0].order === "triple";
          if (isTriple) return taken[0] + Math.PI;
          // Continue a chain in a zigzag.
          const before = model.neighbors(id)[0];
          const next = model.neighbors(before.id).find((one) => one.id !== id);
          const turns = [taken[0] + 2 * Math.PI / 3, taken[0] - 2 * Math.PI / 3];
          if (!next) return Math.sin(turns[0]) >= Math.sin(turns[1]) ? turns[0] : turns[1];
          return distance(step(atom, turns[0], 1), next) > distance(step(atom, turns[1], 1), next) ? turns[0] : turns[1];
        }
        let best = 0;
        let widest = -1;
        taken.forEach((one, place) => {
          const gap = ((taken[(place + 1) % taken.length] - one + 2 * Math.PI) % (2 * Math.PI)) || 2 * Math.PI;
          if (gap > widest + 1e-6) [widest, best] = [gap, one + gap / 2];
        });
        return best;
      },
      near(place, radius, except = null) {
        let [found, least] = [null, radius];
        for (const atom of current.atoms.values()) {
          const far = distance(atom, place);
          if (far <= least && atom.id !== except) [found, least] = [atom, far];
        }
        return found;
      },
      nearBond(place, radius) {
        let [found, least] = [null, radius];
        for (const bond of current.bonds.values()) {
          const [one, other] = [model.atom(bond.a), model.atom(bond.b)];
          const length = distance(one, other) || 1;
          const along = ((place.x - one.x) * (other.x - one.x) + (place.y - one.y) * (other.y - one.y)) / length ** 2;
          if (along < 0.1 || along > 0.9) continue;
          const foot = { x: one.x + along * (other.x - one.x), y: one.y + along * (other.y - one.y) };
          const far = distance(foot, place);
          if (far <= least) [found, least] = [bond, far];
        }
        return found;
      },

      // Building

      /** Adds an atom with a bond to another one, or only the bond if there is already an atom. Returns the atom. */
      sprout(id, symbol = "C", order = "single", mark = "none", place = null) {
        return model.change(() => {
          const from = model.atom(id);
          const at = place || step(from, model.freeDirection(id), model.bondLength);
          const known = model.near(at, model.bondLength * 0.25, id);
          const to = known ? known.id : model.addAtom(symbol, { ...at, z: from.z });
          model.addBond(id, to, order, mark);
          return to;
        });
      },
      addChain(id, count, place) {
        return model.change(() => {
          let last = id ?? model.addAtom("C", place);
          for (let number = 0; number < count; number += 1) last = model.sprout(last);
          return last;
        });
      },
      /**
       * Adds a ring: fused to a bond, at an atom, or around a place. Where atoms already are, they become part of it.
       * Returns the IDs of its atoms.
       */
      addRing(size, { atom = null, bond = null, place = null }, isAromatic = false) {
        return model.change(() => {
          const length = model.bondLength;
          const radius = length / (2 * Math.sin(Math.PI / size));
          let center;
          let start;
          let turn = 2 * Math.PI / size;
          if (bond) {
            const [one, other] = [model.atom(bond.a), model.atom(bond.b)];
            const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
            const height = radius * Math.cos(Math.PI / size);
            const across = angle(one, other) + Math.PI / 2;
            const sides = [step(middle, across, height), step(middle, across + Math.PI, height)];
            const crowd = (side) => model.atoms.filter((atom) => atom.id !== one.id && atom.id !== other.id
              && distance(atom, side) < radius * 1.2).length;
            center = crowd(sides[0]) <= crowd(sides[1]) ? sides[0] : sides[1];
            start = angle(center, one);
            const second = angle(center, other);
            if (Math.abs(((second - start + 3 * Math.PI) % (2 * Math.PI)) - Math.PI - turn) > 0.3) turn = -turn;
          } else if (atom) {
            center = step(atom, model.freeDirection(atom.id), radius);
            start = angle(center, atom);
          } else {
            center = place;
            start = Math.PI / 2 + (size % 2 ? 0 : Math.PI / size);
          }
          const ids = [];
          for (let number = 0; number < size; number += 1) {
            let at = step(center, start + number * turn, radius);
            if (bond && number < 2) at = model.atom(number === 0 ? bond.a : bond.b);
            if (atom && number === 0) at = atom;
            const known = model.near(at, length * 0.3);
            ids.push(known && !ids.includes(known.id) ? known.id : model.addAtom("C", { ...at, z: (atom || {}).z || 0 }));
          }
          const order = (number, phase) => (isAromatic && number % 2 === phase ? "double" : "single");
          const overload = (phase) => {
            const extra = new Map(ids.map((id) => [id, 0]));
            ids.forEach((id, number) => {
              const next = ids[(number + 1) % size];
              const known = model.between(id, next);
              const added = known ? 0 : orders[order(number, phase)];
              extra.set(id, extra.get(id) + added);
              extra.set(next, extra.get(next) + added);
            });
            return ids.filter((id) => model.valence(id) + extra.get(id) > 4).length
              + ids.filter((id, number) => {
                const known = model.between(id, ids[(number + 1) % size]);
                return known && orders[known.order] !== orders[order(number, phase)];
              }).length;
          };
          const phase = isAromatic && overload(1) < overload(0) ? 1 : 0;
          ids.forEach((id, number) => {
            const next = ids[(number + 1) % size];
            if (!model.between(id, next)) model.addBond(id, next, order(number, phase));
          });
          return ids;
        });
      },
      /** Adds a structure from the server, centered at a place. Returns the IDs of its atoms. */
      insert(other, place) {
        return model.change(() => {
          const list = other.atoms || [];
          const [x, y] = ["x", "y"].map((key) => list.reduce((sum, atom) => sum + (atom[key] || 0), 0) / (list.length || 1));
          const ids = list.map((atom) => model.addAtom(atom.element || atom.label || "C",
            { x: place.x + (atom.x || 0) - x, y: place.y + (atom.y || 0) - y },
            { charge: atom.charge || 0, isotope: atom.isotope || 0, radical: atom.radical || "none",
              ...(atom.label ? { label: atom.label, element: atom.element || null } : {}) }));
          for (const bond of other.bonds || []) model.addBond(ids[bond.from], ids[bond.to], bond.order || "single", bond.mark || "none");
          return ids;
        });
      },
      /** Takes positions and wedges from a layout of the server, whose atoms and bonds are those of `edits()`. */
      arrange(structure) {
        const { atomIds, bondIds } = model.numbering();
        model.change(() => {
          structure.atoms.forEach((atom, place) => {
            if (atomIds[place] !== undefined) model.setAtom(atomIds[place], { x: rounded(atom.x || 0), y: rounded(atom.y || 0) });
          });
          structure.bonds.forEach((bond, place) => {
            if (bondIds[place] === undefined) return;
            const [a, b] = [atomIds[bond.from], atomIds[bond.to]];
            const own = model.bond(bondIds[place]);
            const mark = bond.mark || "none";
            if (own.mark !== mark || mark !== "none" && own.a !== a) model.setBond(own.id, { a, b, mark });
          });
        });
      },
      /** Cycles the order of a bond, as clicks on it do. */
      cycle(id) {
        const bond = model.bond(id);
        const next = { single: "double", double: "triple" }[bond.order] || "single";
        model.setBond(id, { order: next, mark: "none" });
      },
      /** Sets a wedge, or turns it around if the bond already has it. */
      wedge(id, mark) {
        const bond = model.bond(id);
        if (mark === "either" && bond.order === "double") {
          model.setBond(id, { mark: bond.mark === "either" ? "none" : "either" });
        } else if (bond.mark === mark) {
          model.setBond(id, mark === "either" ? { mark: "none" } : { a: bond.b, b: bond.a });
        } else {
          // The narrow end is at the atom with more bonds, which is more likely a center.
          const isTurned = bond.mark === "none" && model.bondsOf(bond.b).length > model.bondsOf(bond.a).length;
          model.setBond(id, { order: "single", mark, ...(isTurned ? { a: bond.b, b: bond.a } : {}) });
        }
      },

      // Labels

      isQuery: (atom) => atom.notes.some((note) => "elements" in note || "element_list" in note),
      valence(id) {
        return Math.ceil(model.bondsOf(id).reduce((sum, bond) => sum + (orders[bond.order] ?? 1), 0) - 1e-9);
      },
      hydrogens(id) {
        const atom = model.atom(id);
        if (atom.hydrogens !== null) return atom.hydrogens;
        const own = valences[atom.element];
        if (!own || atom.label) return 0;
        const isAcceptor = ["B", "C", "Si"].includes(atom.element);
        const shift = isAcceptor ? -Math.abs(atom.charge) + (atom.element === "B" && atom.charge < 0 ? 2 * -atom.charge : 0)
          : atom.charge;
        const electrons = { none: 0, doublet: 1, singlet: 2, triplet: 2 }[atom.radical] ?? Number(atom.radical) ?? 0;
        const used = model.valence(id) + electrons;
        const total = own.map((one) => one + shift).find((one) => one >= used);
        return total === undefined ? 0 : total - used;
      },
      symbol: (atom) => atom.label || atom.element || "*",
      /** Whether the atom is drawn with its symbol, and not only as the end of its bonds. */
      isLabeled(id) {
        const atom = model.atom(id);
        return atom.element !== "C" || Boolean(atom.label) || atom.charge !== 0 || atom.isotope !== 0 || atom.radical !== "none"
          || atom.map !== 0 || model.bondsOf(id).length === 0 || model.isQuery(atom);
      },

      // The result

      /** The IDs of the atoms and bonds in the order of the edited structure. */
      numbering() {
        const present = (list, map) => list.map((one) => one.id).filter((id) => map.has(id));
        const added = (map, count) => [...map.keys()].filter((id) => id >= count).sort((one, other) => one - other);
        return {
          atomIds: [...present(base.atoms, current.atoms), ...added(current.atoms, base.atoms.length)],
          bondIds: [...present(base.bonds, current.bonds), ...added(current.bonds, base.bonds.length)],
        };
      },
      /** Returns the difference to the structure of the server as edits of single atoms and bonds. */
      edits() {
        const edits = [];
        const { atomIds, bondIds } = model.numbering();
        const added = atomIds.filter((id) => id >= base.atoms.length);
        const index = (id) => (id < base.atoms.length ? id : base.atoms.length + added.indexOf(id));
        // The layout of a structure without coordinates is only shown.
        const keys = model.isPlaced ? atomKeys.filter((key) => key !== "x" && key !== "y") : atomKeys;
        for (const old of base.atoms) {
          const now = current.atoms.get(old.id);
          if (!now) { edits.push({ op: "delete_atom", atom: old.id }); continue; }
          if (now === old) continue;
          const changed = keys.filter((key) => now[key] !== old[key]);
          if (old.notes !== now.notes && !changed.includes("element") && !changed.includes("label")) changed.push("element");
          if (changed.length > 0) edits.push({ op: "set_atom", atom: old.id, ...valuesOf(now, changed) });
        }
        for (const id of added) {
          const atom = current.atoms.get(id);
          const said = keys.filter((key) => !(atom[key] === null || atom[key] === 0 || atom[key] === "none") || key === "x" || key === "y");
          edits.push({ op: "add_atom", ...valuesOf(atom, said), ...(is3D && atom.z ? { z: atom.z } : {}) });
        }
        for (const old of base.bonds) {
          const now = current.bonds.get(old.id);
          if (!now) {
            if (current.atoms.has(old.a) && current.atoms.has(old.b)) edits.push({ op: "delete_bond", bond: old.id });
            continue;
          }
          const edit = { op: "set_bond", bond: old.id };
          if (now.order !== old.order) edit.order = now.order;
          // Without coordinates, wedges have no meaning.
          if (now.mark !== old.mark && !model.isPlaced) edit.mark = now.mark;
          // The direction of a bond is visible only if it has a wedge or is dative.
          if (now.a !== old.a && (now.mark !== "none" && !model.isPlaced || now.order === "dative")) edit.turn = true;
          if (Object.keys(edit).length > 2) edits.push(edit);
        }
        for (const id of bondIds.filter((one) => one >= base.bonds.length)) {
          const bond = current.bonds.get(id);
          const edit = { op: "add_bond", from: index(bond.a), to: index(bond.b) };
          if (bond.order !== "single") edit.order = bond.order;
          if (bond.mark !== "none" && !model.isPlaced) edit.mark = bond.mark;
          edits.push(edit);
        }
        return edits;
      },
    };

    function valuesOf(atom, keys) {
      const values = {};
      for (const key of keys) {
        if (key === "element" || key === "label") {
          if (atom.element && !(key === "label" && atom.label)) values.element = atom.element;
          else values.label = model.symbol(atom);
        } else if (key === "hydrogens") values.hydrogens = atom.hydrogens === null ? "auto" : atom.hydrogens;
        else if (key === "radical") values.radical = typeof atom.radical === "string" ? atom.radical : "doublet";
        else values[key] = atom[key];
      }
      return values;
    }

    function isSame(one, other) {
      const same = (a, b) => a.size === b.size && [...a].every(([id, value]) => {
        const now = b.get(id);
        return now === value || now && Object.keys(value).every((key) => value[key] === now[key]);
      });
      return same(one.atoms, other.atoms) && same(one.bonds, other.bonds);
    }
    return model;
  }

  /** Returns a SMARTS pattern of a drawn query. Rings drawn with alternating double bonds match aromatic rings. */
  function smarts(model) {
    const number = (symbol) => "#" + (numbers.indexOf(symbol) + 1);
    const aromatic = aromaticBonds(model);
    const atomText = (atom) => {
      const list = atom.notes.map((note) => note.elements || note.element_list).find(Boolean);
      const charge = atom.charge === 0 ? "" : (atom.charge > 0 ? "+" : "-") + Math.abs(atom.charge);
      if (list) {
        const symbols = list.symbols.map(number);
        return list.excluding ? `[${symbols.map((one) => "!" + one).join(";")}]` : `[${symbols.join(",")}]`;
      }
      const wild = { A: "!#1", Q: "!#6;!#1", X: "F,Cl,Br,I", "*": "*" }[model.symbol(atom)];
      if (wild) return `[${wild}]`;
      if (!atom.element) return "[*]";
      return `[${atom.isotope || ""}${number(atom.element)}${charge}]`;
    };
    const texts = { single: "-", double: "=", triple: "#", aromatic: ":", any: "~", single_or_double: "-,=",
      single_or_aromatic: "-,:", double_or_aromatic: "=,:" };
    const bondText = (bond) => (aromatic.has(bond.id) ? ":" : texts[bond.order] || "~");
    const closures = new Map(model.atoms.map((atom) => [atom.id, []]));
    const seen = new Set();
    const tree = new Map(model.atoms.map((atom) => [atom.id, []]));
    const used = new Set();
    let ring = 0;
    const roots = [];
    for (const root of model.atoms) {
      if (seen.has(root.id)) continue;
      roots.push(root.id);
      seen.add(root.id);
      const stack = [{ id: root.id, bonds: model.bondsOf(root.id), at: 0 }];
      while (stack.length > 0) {
        const top = stack[stack.length - 1];
        if (top.at >= top.bonds.length) { stack.pop(); continue; }
        const bond = top.bonds[top.at];
        top.at += 1;
        if (used.has(bond.id)) continue;
        used.add(bond.id);
        const to = model.other(bond, top.id);
        if (seen.has(to)) {
          ring += 1;
          const digit = ring > 9 ? "%" + ring : String(ring);
          closures.get(to).push(digit);
          closures.get(top.id).push(bondText(bond) + digit);
        } else {
          seen.add(to);
          tree.get(top.id).push({ bond, to });
          stack.push({ id: to, bonds: model.bondsOf(to), at: 0 });
        }
      }
    }
    const written = new Map();
    const order = [];
    const pending = [...roots];
    while (pending.length > 0) {
      const id = pending.pop();
      order.push(id);
      for (const branch of tree.get(id)) pending.push(branch.to);
    }
    for (const id of order.reverse()) {
      const branches = tree.get(id).map(({ bond, to }) => bondText(bond) + written.get(to));
      const last = branches.pop() || "";
      written.set(id, atomText(model.atom(id)) + closures.get(id).join("") + branches.map((one) => `(${one})`).join("") + last);
    }
    return roots.map((id) => written.get(id)).join(".");
  }

  /** Returns the IDs of the bonds in rings of six atoms whose bonds alternate. */
  function aromaticBonds(model) {
    const found = new Set();
    const walk = (path, bonds) => {
      const id = path[path.length - 1];
      for (const bond of model.bondsOf(id)) {
        const to = model.other(bond, id);
        if (path.length === 6 && to === path[0]) {
          const ring = [...bonds, bond];
          const kinds = ring.map((one) => one.order);
          const isAlternating = kinds.every((kind, place) =>
            kind === ((kinds[0] === "double") === (place % 2 === 0) ? "double" : "single"));
          if (isAlternating) for (const one of ring) found.add(one.id);
        } else if (path.length < 6 && !path.includes(to) && ["single", "double"].includes(bond.order)) {
          walk([...path, to], [...bonds, bond]);
        }
      }
    };
    for (const atom of model.atoms) if (model.bondsOf(atom.id).some((bond) => bond.order === "double")) walk([atom.id], []);
    return found;
  }

  return { create, smarts, isElement, distance, angle, step, rounded };
})();
