/* A C interface for coordgen, which computes 2D coordinates for the atoms of a structure. */
#ifndef CHEMOPEN_COORDGEN_H
#define CHEMOPEN_COORDGEN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether this library was built with coordgen. */
int coordgen_is_known(void);

/* Computes coordinates with a bond length of 1. Returns 0 on success.
 *
 * elements, charges: one number for each atom.
 * bonds: six numbers for each bond: its two atoms, its order, a neighbor of the first atom, a neighbor of the second
 *     one, and the position of these neighbors: same side (1), opposite sides (2) or unspecified (0).
 * places: the output, x and y for each atom.
 *
 * The caller must ensure that all indices are valid. */
int coordgen_place(int atom_count, const int *elements, const int *charges, int bond_count, const int *bonds, double *places);

#ifdef __cplusplus
}
#endif
#endif
