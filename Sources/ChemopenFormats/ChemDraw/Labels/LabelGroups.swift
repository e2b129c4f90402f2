/// The groups and compounds that chemists abbreviate, with their structures in SMILES.
enum LabelGroups {
    /// Returns the structure of a group. `*` is the neighbor; a group can have two bonds to it.
    static func group(_ name: String) -> String? { groups[name] ?? formulas[name] }

    /// Whether a name consists of element symbols and can also be read as single atoms: `NO`.
    static func isFormula(_ name: String) -> Bool { formulas[name] != nil }

    /// Returns the structure of a compound whose name can be a complete label.
    static func compound(_ name: String) -> String? { compounds[name] }

    /// The number of letters in the longest group name.
    static let longest = 6

    private static let groups: [String: String] = [
        "Me": "*C", "Et": "*CC", "Pr": "*CCC", "nPr": "*CCC", "n-Pr": "*CCC", "iPr": "*C(C)C", "i-Pr": "*C(C)C",
        "cPr": "*C1CC1", "c-Pr": "*C1CC1", "Bu": "*CCCC", "nBu": "*CCCC", "n-Bu": "*CCCC", "iBu": "*CC(C)C",
        "i-Bu": "*CC(C)C", "sBu": "*C(C)CC", "s-Bu": "*C(C)CC", "tBu": "*C(C)(C)C", "t-Bu": "*C(C)(C)C",
        "nHex": "*CCCCCC", "n-Hex": "*CCCCCC", "Cy": "*C1CCCCC1", "c-Hex": "*C1CCCCC1", "cHex": "*C1CCCCC1",
        "Ph": "*c1ccccc1", "Bn": "*Cc1ccccc1", "Bz": "*C(=O)c1ccccc1", "Tol": "*c1ccc(C)cc1", "pTol": "*c1ccc(C)cc1",
        "p-Tol": "*c1ccc(C)cc1", "Mes": "*c1c(C)cc(C)cc1C", "allyl": "*CC=C", "Allyl": "*CC=C", "vinyl": "*C=C",
        "Vinyl": "*C=C", "Ac": "*C(C)=O", "Piv": "*C(=O)C(C)(C)C", "TFA": "*C(=O)C(F)(F)F",
        "Boc": "*C(=O)OC(C)(C)C", "BOC": "*C(=O)OC(C)(C)C", "Cbz": "*C(=O)OCc1ccccc1", "CBz": "*C(=O)OCc1ccccc1",
        "Fmoc": "*C(=O)OCC1c2ccccc2-c2ccccc12", "FMOC": "*C(=O)OCC1c2ccccc2-c2ccccc12", "Alloc": "*C(=O)OCC=C",
        "Troc": "*C(=O)OCC(Cl)(Cl)Cl", "Teoc": "*C(=O)OCC[Si](C)(C)C", "Ts": "*S(=O)(=O)c1ccc(C)cc1",
        "Tos": "*S(=O)(=O)c1ccc(C)cc1", "Ms": "*S(C)(=O)=O", "Tf": "*S(=O)(=O)C(F)(F)F", "TMS": "*[Si](C)(C)C",
        "TES": "*[Si](CC)(CC)CC", "TIPS": "*[Si](C(C)C)(C(C)C)C(C)C", "TBS": "*[Si](C)(C)C(C)(C)C",
        "TBDMS": "*[Si](C)(C)C(C)(C)C", "TBDPS": "*[Si](c1ccccc1)(c1ccccc1)C(C)(C)C", "MOM": "*COC",
        "MEM": "*COCCOC", "SEM": "*COCC[Si](C)(C)C", "BOM": "*COCc1ccccc1", "THP": "*C1CCCCO1",
        "PMB": "*Cc1ccc(OC)cc1", "Tr": "*C(c1ccccc1)(c1ccccc1)c1ccccc1", "Trt": "*C(c1ccccc1)(c1ccccc1)c1ccccc1",
        "DMT": "*C(c1ccccc1)(c1ccc(OC)cc1)c1ccc(OC)cc1", "DMTr": "*C(c1ccccc1)(c1ccc(OC)cc1)c1ccc(OC)cc1",
        "MMT": "*C(c1ccccc1)(c1ccccc1)c1ccc(OC)cc1", "Mmt": "*C(c1ccccc1)(c1ccccc1)c1ccc(OC)cc1",
        "Mtt": "*C(c1ccccc1)(c1ccccc1)c1ccc(C)cc1", "Pbf": "*S(=O)(=O)c1c(C)c(C)c2OC(C)(C)Cc2c1C",
        "Phth": "*1C(=O)c2ccccc2C1=O", "Su": "*N1C(=O)CCC1=O", "Bt": "*n1nnc2ccccc12",
        "pin": "*1OC(C)(C)C(C)(C)O1", "Pin": "*1OC(C)(C)C(C)(C)O1",
    ]

    private static let formulas: [String: String] = [
        "CN": "*C#N", "NO2": "*[N+](=O)[O-]", "O2N": "*[N+](=O)[O-]", "N3": "*N=[N+]=[N-]", "NO": "*N=O",
        "NCO": "*N=C=O", "NCS": "*N=C=S",
        "N2+": "*[N+]#N", "C2H5": "*CC", "C6H5": "*c1ccccc1", "C6H11": "*C1CCCCC1",
        "C6F5": "*c1c(F)c(F)c(F)c(F)c1F", "PO3H2": "*P(=O)(O)O", "PO3Et2": "*P(=O)(OCC)OCC",
        "PO3Me2": "*P(=O)(OC)OC",
    ]

    private static let compounds: [String: String] = [
        "TEA": "CCN(CC)CC", "DIPEA": "CCN(C(C)C)C(C)C", "DIEA": "CCN(C(C)C)C(C)C", "DMF": "CN(C)C=O",
        "DMA": "CN(C)C(C)=O", "DMSO": "CS(C)=O", "NMP": "CN1CCCC1=O", "THF": "C1CCOC1", "DCM": "ClCCl",
        "DCE": "ClCCCl", "DME": "COCCOC", "TFA": "OC(=O)C(F)(F)F", "DMAP": "CN(C)c1ccncc1",
        "DBU": "C1CCC2=NCCCN2CC1", "DABCO": "C1CN2CCN1CC2", "DCC": "C1CCCCC1N=C=NC1CCCCC1",
        "DIC": "CC(C)N=C=NC(C)C", "HOBt": "On1nnc2ccccc12", "mCPBA": "OOC(=O)c1cccc(Cl)c1",
        "m-CPBA": "OOC(=O)c1cccc(Cl)c1", "NBS": "BrN1C(=O)CCC1=O", "NCS": "ClN1C(=O)CCC1=O",
        "NIS": "IN1C(=O)CCC1=O", "AIBN": "CC(C)(C#N)N=NC(C)(C)C#N", "DEAD": "CCOC(=O)N=NC(=O)OCC",
        "DIAD": "CC(C)OC(=O)N=NC(=O)OC(C)C", "DDQ": "N#CC1=C(C#N)C(=O)C(Cl)=C(Cl)C1=O",
        "LDA": "[Li]N(C(C)C)C(C)C", "TBAF": "[F-].CCCC[N+](CCCC)(CCCC)CCCC", "pyridine": "c1ccncc1",
        "Pyridine": "c1ccncc1", "toluene": "Cc1ccccc1", "Toluene": "Cc1ccccc1", "benzene": "c1ccccc1",
        "Benzene": "c1ccccc1", "water": "O", "Water": "O", "acetone": "CC(C)=O", "Acetone": "CC(C)=O",
        "dioxane": "C1COCCO1", "Dioxane": "C1COCCO1", "dimethylformamide": "CN(C)C=O", "methanol": "CO",
        "ethanol": "CCO", "H2": "[H][H]", "O2": "O=O", "N2": "N#N", "Cl2": "ClCl", "Br2": "BrBr", "I2": "II",
        "CO2": "O=C=O", "H2SO4": "OS(O)(=O)=O", "HNO3": "O[N+]([O-])=O", "H3PO4": "OP(O)(O)=O",
        "K2CO3": "[K+].[K+].[O-]C([O-])=O", "Na2CO3": "[Na+].[Na+].[O-]C([O-])=O",
        "Cs2CO3": "[Cs+].[Cs+].[O-]C([O-])=O", "NaHCO3": "[Na+].OC([O-])=O", "Na2SO4": "[Na+].[Na+].[O-]S([O-])(=O)=O",
        "MgSO4": "[Mg+2].[O-]S([O-])(=O)=O", "K3PO4": "[K+].[K+].[K+].[O-]P([O-])([O-])=O",
        "NaBH4": "[Na+].[BH4-]", "LiBH4": "[Li+].[BH4-]", "LiAlH4": "[Li+].[AlH4-]", "NH4Cl": "[NH4+].[Cl-]",
        "NaOAc": "[Na+].CC([O-])=O", "KOAc": "[K+].CC([O-])=O", "NaCl": "[Na+].[Cl-]", "KOH": "[K+].[OH-]",
        "NaOH": "[Na+].[OH-]", "LiOH": "[Li+].[OH-]", "NaOMe": "[Na+].C[O-]", "NaOEt": "[Na+].CC[O-]",
        "KOtBu": "[K+].CC(C)(C)[O-]", "tBuOK": "[K+].CC(C)(C)[O-]", "PF6-": "F[P-](F)(F)(F)(F)F",
    ]
}
