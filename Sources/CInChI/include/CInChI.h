/* An interface for the InChI Trust's library, which computes the InChI of a structure. */
#ifndef CHEMOPEN_INCHI_H
#define CHEMOPEN_INCHI_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the InChI library can be loaded, and this was built with its header. */
int inchi_is_known(void);

/* Writes the version of the loaded library, such as "1.03.00", to a buffer of `room` bytes; empty if it is unknown. */
void inchi_version(char *version, int room);

/* The size of a buffer for an InChIKey with its terminating null. */
enum { inchi_key_room = 28 };

/* Writes the standard InChI of a structure and its key. Returns 0 on success.
 *
 * atoms: eight numbers for each atom: atomic number, charge, mass number (0 for natural abundance), unpaired electrons,
 *     implicit hydrogens, and the position in ten thousandths.
 * bonds: four numbers for each bond: its two atoms, its order, 1 to 3, and its mark, as in a V2000 molfile.
 * stereo: seven numbers for each configuration: 1 for an atom, 2 for a double bond or 3 for an allene; the atom, or -1;
 *     four neighbors in the order of InChI; 1 for odd or 2 for even. The library uses them only if all positions are 0.
 *
 * The caller must ensure that all indices are valid. */
int inchi_of(
    int atom_count, const int *atoms, int bond_count, const int *bonds, int stereo_count, const int *stereo, char *inchi,
    int room, char *key);

#ifdef __cplusplus
}
#endif
#endif
