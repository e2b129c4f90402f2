import ChemopenCLI

@main
enum Main {
    static func main() {
        Program.run()
    }
}
