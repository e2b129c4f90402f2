/* Places on paper for the atoms of a structure, made by coordgen, which has no interface for C of its own. */
#ifndef CHEMOPEN_COORDGEN_H
#define CHEMOPEN_COORDGEN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this was built with coordgen. */
int coordgen_is_known(void);

/* Places atoms; 0 where that succeeds. Bonds are of unit length.
 *
 * elements, charges: one for each atom. bonds: six for each bond: its atoms, its order, an atom beside its first end, one
 * beside its second, and whether these are on one side (1), on opposite sides (2), or that is not known (0). places: x and y
 * for each atom, which this fills. All indices are sound. */
int coordgen_place(int atom_count, const int *elements, const int *charges, int bond_count, const int *bonds, double *places);

#ifdef __cplusplus
}
#endif
#endif
