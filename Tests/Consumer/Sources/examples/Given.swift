import Chemopen

// The declarations for the examples in the documentation, as input for Tests/Consumer/examples.
//
/// var record = Record(Molecule())
/// var records = [Record]()
/// var molecule = Molecule()
/// var ethanol = Molecule()
/// var ethanal = Molecule()
/// var stream = try readUnknown(path: "a.sdf")
/// var one = Record()
/// var other = Record()
/// var bytes = [UInt8]()
/// var paths = [LocalPath]()
/// var count = 0
/// var header = SheetHeader()
/// var experiments = [Experiment]()
/// var picture = Picture(of: Molecule(), style: Picture.Style())
/// var pictures = [Picture]()
/// var names = [String]()
/// var handler = try Handler(id: "x", name: "X", command: ["x"], opening: [])
/// var plain = Format.molfile
/// var report = WriteReport()
/// var collection = try RecordCollection("library.sdf")
/// var changes = ChangeSet()
/// let address = UInt32(0x7F00_0001)
/// let client = try BrowseClient("https://chem.example.org")
/// let now = 0
enum Given {}

/// Closes the connection of a descriptor.
func shutDown(_ descriptor: Int32) {}

/// Writes a record in any format.
func write(_ record: Record, to bytes: inout [UInt8]) {}

/// Returns the end of the last complete record.
func endOfLastRecord(in bytes: borrowing Span<UInt8>, _ window: Range<Int>) -> Int { window.upperBound }
