#define _GNU_SOURCE
#include "CInChI.h"

#include <stdlib.h>
#include <string.h>

/* Package.swift detects whether the header of the library is installed. */
#ifdef HAS_INCHI

#include <dlfcn.h>
#include <inchi_api.h>

static const char symbols[][3] = {
    "",   "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl", "Ar", "K",
    "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",
    "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr",
    "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au",
    "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es",
    "Fm", "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
};

/* The library is loaded at run time, because its name depends on the version: a program that is linked with 1.03 of
 * Debian 12 would not start with 1.07 of Debian 13. Both have the same three functions and structures. */
static struct {
    __typeof__(GetStdINCHI) *inchi;
    __typeof__(GetStdINCHIKeyFromStdINCHI) *key;
    __typeof__(FreeStdINCHI) *release;
} library;

int inchi_is_known(void) {
    static const char *const names[] = {"libinchi.so.1.07", "libinchi.so.1", "libinchi.so"};
    /* Debian 12's library calls functions of libm and is not linked with it. */
    if (!library.inchi && !dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)) return 0;
    for (size_t index = 0; !library.inchi && index < sizeof names / sizeof *names; ++index) {
        void *loaded = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (!loaded) continue;
        library.key = (__typeof__(library.key))dlsym(loaded, "GetStdINCHIKeyFromStdINCHI");
        library.release = (__typeof__(library.release))dlsym(loaded, "FreeStdINCHI");
        if (library.key && library.release) library.inchi = (__typeof__(library.inchi))dlsym(loaded, "GetStdINCHI");
    }
    return library.inchi != NULL;
}

void inchi_version(char *version, int room) {
    Dl_info file;
    version[0] = 0;
    /* The library has no function for its version, but Debian's file name contains it. */
    if (!inchi_is_known() || !dladdr((void *)library.inchi, &file) || !file.dli_fname) return;
    char *path = realpath(file.dli_fname, NULL);
    const char *name = path ? strstr(path, ".so.") : NULL;
    if (name) {
        strncpy(version, name + 4, room - 1);
        version[room - 1] = 0;
    }
    free(path);
}

static int fill(inchi_Input *input, const int *atoms, int bond_count, const int *bonds, const int *stereo) {
    for (int index = 0; index < input->num_atoms; ++index) {
        const int *row = atoms + 8 * index;
        inchi_Atom *atom = input->atom + index;
        if (row[0] < 1 || row[0] >= (int)(sizeof symbols / sizeof *symbols)) return 1;
        strcpy(atom->elname, symbols[row[0]]);
        atom->charge = row[1];
        atom->isotopic_mass = row[2];
        atom->radical = row[3] == 1 ? INCHI_RADICAL_DOUBLET : row[3] == 2 ? INCHI_RADICAL_TRIPLET : INCHI_RADICAL_NONE;
        atom->num_iso_H[0] = row[4];
        atom->x = row[5] / 1e4;
        atom->y = row[6] / 1e4;
        atom->z = row[7] / 1e4;
    }
    for (int index = 0; index < bond_count; ++index) {
        const int *row = bonds + 4 * index;
        /* A bond is stored at only one of its atoms. */
        inchi_Atom *atom = input->atom + row[0];
        if (atom->num_bonds >= MAXVAL) return 1;
        atom->neighbor[atom->num_bonds] = row[1];
        atom->bond_stereo[atom->num_bonds] = row[3];
        atom->bond_type[atom->num_bonds++] = row[2];
    }
    for (int index = 0; index < input->num_stereo0D; ++index) {
        const int *row = stereo + 7 * index;
        inchi_Stereo0D *known = input->stereo0D + index;
        known->type = row[0] == 1   ? INCHI_StereoType_Tetrahedral
                      : row[0] == 2 ? INCHI_StereoType_DoubleBond
                                    : INCHI_StereoType_Allene;
        known->central_atom = row[1] < 0 ? NO_ATOM : row[1];
        for (int place = 0; place < 4; ++place) known->neighbor[place] = row[2 + place];
        known->parity = row[6] == 1 ? INCHI_PARITY_ODD : INCHI_PARITY_EVEN;
    }
    return 0;
}

int inchi_of(
    int atom_count, const int *atoms, int bond_count, const int *bonds, int stereo_count, const int *stereo, char *inchi,
    int room, char *key) {
    inchi_Input input = {0};
    inchi_Output output = {0};
    char options[] = "";
    int failure = 1;
    if (!inchi_is_known()) return failure;
    input.num_atoms = atom_count;
    input.num_stereo0D = stereo_count;
    input.szOptions = options;
    input.atom = calloc(atom_count, sizeof *input.atom);
    input.stereo0D = calloc(stereo_count + 1, sizeof *input.stereo0D);
    if (input.atom && input.stereo0D && !fill(&input, atoms, bond_count, bonds, stereo)) {
        int result = library.inchi(&input, &output);
        if ((result == inchi_Ret_OKAY || result == inchi_Ret_WARNING) && output.szInChI && (int)strlen(output.szInChI) < room) {
            strcpy(inchi, output.szInChI);
            failure = library.key(inchi, key) != INCHIKEY_OK;
        }
        library.release(&output);
    }
    free(input.atom);
    free(input.stereo0D);
    return failure;
}

#else

int inchi_is_known(void) { return 0; }

void inchi_version(char *version, int room) { version[0] = 0; }

int inchi_of(
    int atom_count, const int *atoms, int bond_count, const int *bonds, int stereo_count, const int *stereo, char *inchi,
    int room, char *key) {
    return 1;
}

#endif
