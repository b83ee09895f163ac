// Package threefry is the random function Threefry-2x32 with 20 rounds of Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): it
// maps a key and a counter to 64 pseudorandom bits, with only additions, rotations and
// exclusive ors. A draw therefore depends only on its index, not on the draws before
// it, and a compiled program draws the same numbers (lang/nn).
//
// # Errors
//
// This package never fails.
//
// # Determinism
//
// The words depend on key and counter only, on every machine.
package threefry

import "math/bits"

// Parity is the constant of the key schedule.
const Parity = 0x1BD11BDA

// Rotations are the bits by which rounds rotate: round r uses Rotations[r%8].
var Rotations = [8]int{13, 15, 26, 6, 17, 29, 16, 24}

// Rounds is the number of rounds; the key is injected after every four of them.
const Rounds = 20

// Words returns the two words of a counter under a key.
func Words(key, counter [2]uint32) [2]uint32 {
	schedule := [3]uint32{key[0], key[1], key[0] ^ key[1] ^ Parity}
	x0, x1 := counter[0]+schedule[0], counter[1]+schedule[1]
	for r := range Rounds {
		x0 += x1
		x1 = bits.RotateLeft32(x1, Rotations[r%8]) ^ x0
		if r%4 == 3 {
			s := uint32(r/4 + 1)
			x0 += schedule[s%3]
			x1 += schedule[(s+1)%3] + s
		}
	}
	return [2]uint32{x0, x1}
}

// Key returns the key of a 64-bit seed: its low and its high half.
func Key(seed uint64) [2]uint32 { return [2]uint32{uint32(seed), uint32(seed >> 32)} }
