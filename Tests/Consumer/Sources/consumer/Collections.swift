import Chemopen

// An import of Chemopen must not change the meaning of `Collection`.

extension Collection where Element == Int {
    var total: Int { reduce(0, +) }
}

func total(of numbers: some Collection<Int>) -> Int { numbers.total }
