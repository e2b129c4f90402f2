#include "CCoordgen.h"

// Package.swift detects whether coordgen is installed. Compiling and linking must agree.
#ifdef HAS_COORDGEN

#include <coordgen/sketcherMinimizer.h>

#include <cmath>
#include <vector>

namespace {

/// The length of bonds in coordgen.
const double bond_length = 50;

int place(int atom_count, const int *elements, const int *charges, int bond_count, const int *bonds, double *places) {
    sketcherMinimizer minimizer(SKETCHER_STANDARD_PRECISION);
    minimizer.setTreatNonterminalBondsToMetalAsZOBs(false);
    // The minimizer takes ownership of the molecule with its atoms and bonds.
    auto *molecule = new sketcherMinimizerMolecule();
    std::vector<sketcherMinimizerAtom *> atoms;
    for (int index = 0; index < atom_count; ++index) {
        auto *atom = molecule->addNewAtom();
        atom->setAtomicNumber(elements[index]);
        atom->charge = charges[index];
        atoms.push_back(atom);
    }
    std::vector<sketcherMinimizerBond *> made;
    for (int index = 0; index < bond_count; ++index) {
        const int *row = bonds + 6 * index;
        auto *bond = molecule->addNewBond(atoms[row[0]], atoms[row[1]]);
        bond->setBondOrder(row[2]);
        made.push_back(bond);
    }
    sketcherMinimizerMolecule::assignBondsAndNeighbors(molecule->_atoms, molecule->_bonds);
    for (int index = 0; index < bond_count; ++index) {
        const int *row = bonds + 6 * index;
        if (row[5] == 0) continue;
        sketcherMinimizerBondStereoInfo stereo;
        stereo.atom1 = atoms[row[3]];
        stereo.atom2 = atoms[row[4]];
        stereo.stereo =
            row[5] == 1 ? sketcherMinimizerBondStereoInfo::cis : sketcherMinimizerBondStereoInfo::trans;
        made[index]->setStereoChemistry(stereo);
        made[index]->setAbsoluteStereoFromStereoInfo();
    }
    minimizer.initialize(molecule);
    minimizer.runGenerateCoordinates();
    for (int index = 0; index < atom_count; ++index) {
        const auto &point = atoms[index]->getCoordinates();
        places[2 * index] = point.x() / bond_length;
        places[2 * index + 1] = -point.y() / bond_length;
        if (!std::isfinite(places[2 * index]) || !std::isfinite(places[2 * index + 1])) return 1;
    }
    return 0;
}

}  // namespace

int coordgen_is_known(void) { return 1; }

int coordgen_place(
    int atom_count, const int *elements, const int *charges, int bond_count, const int *bonds, double *places) {
    try {
        return place(atom_count, elements, charges, bond_count, bonds, places);
    } catch (...) {
        return 1;
    }
}

#else

int coordgen_is_known(void) { return 0; }

int coordgen_place(int, const int *, const int *, int, const int *, double *) { return 1; }

#endif
