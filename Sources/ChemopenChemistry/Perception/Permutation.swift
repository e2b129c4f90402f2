/// Returns whether an even number of swaps sorts the numbers, which must be distinct.
func isEvenPermutation(_ numbers: [Int32]) -> Bool {
    var inversions = 0
    for (place, number) in numbers.enumerated() {
        for other in numbers[(place + 1)...] where other < number { inversions += 1 }
    }
    return inversions % 2 == 0
}
