import ChemopenCLI
import ChemopenFormats
import XYZFormat

// The chemopen program with an additional format.
Program.run(among: FormatRegistry.standard.adding(.xyz))
