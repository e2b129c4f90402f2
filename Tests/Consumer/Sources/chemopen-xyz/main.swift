import ChemopenCLI
import ChemopenFormats
import XYZFormat

// The program chemopen, with a format more.
Program.run(among: FormatRegistry.standard.adding(.xyz))
