import Chemopen
import Testing

@testable import ChemopenDesktop

@Suite("Delivery")
struct DeliveryTests {
    @Test(
        "identifies the program that sent the files from each form of startup ID",
        arguments: [
            ("thunar/chemopen/17-0-host_TIME123", "thunar"), ("|usr|bin|thunar/chemopen/17-0-host_TIME123", "thunar"),
            ("pcmanfm-17-host-chemopen-0_TIME123", "pcmanfm"), ("pcmanfm-77-vm-/home/anna/probe-0_TIME0", "pcmanfm"),
            ("pcmanfm-77-my-vm-/usr/bin/chemopen-0_TIME0", "pcmanfm"), ("vm;1795442382;904215;-1_TIME79268934", ""),
            ("/usr/bin/gnome-files-17-host-chemopen-0_TIME0", "gnome-files"), ("host;1;2;999999999_TIME3", ""),
            ("17-host-chemopen-0_TIME1", ""), ("pcmanfm-17-host-chemopen-0", ""), ("_TIME", ""), ("", ""),
            ("9f3c2a7e-5d1b-4f0a-8c66-0123456789ab", ""),
        ])
    func senders(id: String, sender: String) {
        #expect(OpenContext(startID: id).sender == sender)
        #expect(OpenContext(token: id).sender == sender)
    }

    @Test("identifies the running process from a startup ID of KDE")
    func process() throws {
        let id = currentProcessID()
        let name = try #require(RunningProcess(id)).name
        #expect(OpenContext(startID: "host;1;2;\(id)_TIME3").sender == name)
    }

    @Test("survives a transfer over D-Bus", arguments: ["", "a", "it's\n\"two\" lines"], ["", "b-1_TIME2"])
    func overTheBus(note: String, id: String) {
        for token in ["", "c"] {
            let delivery = OpenContext(note: note, startID: id, token: token)
            #expect(OpenContext(platformData: delivery.platformData) == delivery)
        }
    }

    @Test("is passed to the program that shows the files, and replaces an older startup ID")
    func environment() {
        let block = ["A=1", "DESKTOP_STARTUP_ID=old", "XDG_ACTIVATION_TOKEN=old"].map { Array($0.utf8) }
        let words = { (delivery: OpenContext) in
            delivery.environment(over: block).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(words(OpenContext()) == ["A=1"])
        #expect(words(OpenContext(startID: "x")) == ["A=1", "DESKTOP_STARTUP_ID=x"])
        #expect(words(OpenContext(token: "y")) == ["A=1", "XDG_ACTIVATION_TOKEN=y"])
    }
}
