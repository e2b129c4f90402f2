import ChemopenModel

extension Molecule {
    /// The molecule in the terms in which most formats state one: what SketchEl's text says in fields stands where the
    /// model has a place for it. Others stay as they are.
    package func inSharedTerms(expandingAbbreviations isExpanding: Bool) -> Molecule {
        MDLTerms.terms(of: self, expandingAbbreviations: isExpanding).molecule
    }
}
