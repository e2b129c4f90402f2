/* The InChI of a structure, made by the InChI Trust's library from arrays of numbers. */
#ifndef CHEMOPEN_INCHI_H
#define CHEMOPEN_INCHI_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this was built with the library. */
int inchi_is_known(void);

/* Writes the version of the library that runs, as "1.03.00", into room for so many bytes; empty where it is not known. */
void inchi_version(char *version, int room);

/* Room for an InChIKey with its end. */
enum { inchi_key_room = 28 };

/* Writes the standard InChI of a structure and its key; 0 where that succeeds.
 *
 * atoms: five for each atom: its atomic number, charge, mass number (0 for that of nature), unpaired electrons, hydrogens
 * beside it. bonds: three for each bond: its atoms and its order, 1 to 3. stereo: seven for each configuration: 1 for an atom
 * and 2 for a double bond; the atom, or -1; four neighbours as InChI counts them; 1 odd or 2 even. All indices are sound. */
int inchi_of(
    int atom_count, const int *atoms, int bond_count, const int *bonds, int stereo_count, const int *stereo, char *inchi,
    int room, char *key);

#ifdef __cplusplus
}
#endif
#endif
