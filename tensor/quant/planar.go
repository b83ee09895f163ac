package quant

import (
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodePlanar is the code of block arithmetic asked of rows with their fields
// apart.
const CodePlanar errs.Code = "QUANT_PLANAR"

const planarSuffix = "/planar"

// Plane is a field of a block, and how rows with their fields apart store it.
type Plane struct {
	Name   string
	Offset int64 // in the block
	Bytes  int64 // in the block
	Stored int64 // in the plane, for each block
}

// planar holds the encodings that can have their fields apart. A program that
// multiplies by packed weights wants it so: a plane is an array of its own type
// with no stride, which compiles to one loop over whole vectors where a block of
// 18 or 34 bytes does not.
//
// In the encoding "Q4_K/planar" a row is one plane after the other, first the
// scales, then the codes, each with the fields of all blocks of the row in
// order; rows follow each other without gaps. A field has the bytes that it has
// in the block. One is changed: the 12 bytes in which Q4_K and Q5_K pack eight
// scales and eight minima of 6 bits become two planes of eight bytes, sc and mn,
// since unpacking them costs a program more than 4 bytes in 144. Both ways keep
// every bit.
var planar = map[Encoding][]Plane{
	"Q4_0": {{"d", 0, 2, 2}, {"qs", 2, 16, 16}},
	"Q4_1": {{"d", 0, 2, 2}, {"m", 2, 2, 2}, {"qs", 4, 16, 16}},
	"Q5_0": {{"d", 0, 2, 2}, {"qh", 2, 4, 4}, {"qs", 6, 16, 16}},
	"Q5_1": {{"d", 0, 2, 2}, {"m", 2, 2, 2}, {"qh", 4, 4, 4}, {"qs", 8, 16, 16}},
	"Q8_0": {{"d", 0, 2, 2}, {"qs", 2, 32, 32}},
	"Q4_K": {{"d", 0, 2, 2}, {"dmin", 2, 2, 2}, {scalesField, 4, 12, 16}, {"qs", 16, 128, 128}},
	"Q5_K": {{"d", 0, 2, 2}, {"dmin", 2, 2, 2}, {scalesField, 4, 12, 16}, {"qh", 16, 32, 32}, {"qs", 48, 128, 128}},
	"Q6_K": {{"d", 208, 2, 2}, {"scales", 192, 16, 16}, {"ql", 0, 128, 128}, {"qh", 128, 64, 64}},
}

// scalesField names the field of Q4_K and Q5_K that becomes two planes.
const scalesField = "sc+mn"

// Planar returns the encoding in which the rows of e have their fields apart;
// false where there is none.
func (e Encoding) Planar() (Encoding, bool) {
	_, ok := planar[e]
	return e + planarSuffix, ok
}

// Blocks returns the encoding of the same blocks with their fields together, and
// whether e has them apart: ("Q4_K", true) for "Q4_K/planar", (e, false) else.
func (e Encoding) Blocks() (Encoding, bool) {
	base, ok := strings.CutSuffix(string(e), planarSuffix)
	if _, known := planar[Encoding(base)]; ok && known {
		return Encoding(base), true
	}
	return e, false
}

// Planes lists the planes of a row of a planar encoding; nil for others. sc and
// mn are planes of their own, both at the offset of the field that holds them.
func (e Encoding) Planes() []Plane {
	base, ok := e.Blocks()
	if !ok {
		return nil
	}
	var list []Plane
	for _, p := range planar[base] {
		if p.Name == scalesField {
			list = append(list, Plane{"sc", p.Offset, p.Bytes, 8}, Plane{"mn", p.Offset, p.Bytes, 8})
			continue
		}
		list = append(list, p)
	}
	return list
}

// planarSize returns the bytes of whole rows with so many elements in all.
func (e Encoding) planarSize(elements int64) (int64, error) {
	base, _ := e.Blocks()
	b := byName[base]
	var stored int64
	for _, p := range planar[base] {
		stored += p.Stored
	}
	row := Block{Encoding: e, Elements: b.Elements, Bytes: stored}
	return row.Size(elements)
}

// Split writes the rows of src, blocks of e.Blocks(), to dst with their fields
// apart. e is planar, rows have columns elements. The slices must not overlap.
func Split(e Encoding, columns int64, dst, src []byte) error {
	return repack(e, columns, src, dst, func(row, planes []byte, p Plane, block, at int64) error {
		field, place := row[block:block+p.Bytes], planes[at:at+p.Stored]
		copy(place, field)
		return nil
	}, func(row, planes []byte, block, sc, mn int64) error {
		splitScales(planes[sc:sc+8], planes[mn:mn+8], row[block:block+12])
		return nil
	})
}

// Join is the inverse of Split: src has the fields apart, dst gets the blocks.
// QUANT_BAD_VALUE is a scale or a minimum of more than 6 bits.
func Join(e Encoding, columns int64, dst, src []byte) error {
	return repack(e, columns, dst, src, func(row, planes []byte, p Plane, block, at int64) error {
		copy(row[block:block+p.Bytes], planes[at:at+p.Stored])
		return nil
	}, func(row, planes []byte, block, sc, mn int64) error {
		return joinScales(row[block:block+12], planes[sc:sc+8], planes[mn:mn+8])
	})
}

// repack walks all fields of all blocks: rows has them together, planes apart.
func repack(e Encoding, columns int64, rows, planes []byte,
	field func(row, planes []byte, p Plane, block, at int64) error,
	scales func(row, planes []byte, block, sc, mn int64) error,
) error {
	base, ok := e.Blocks()
	if !ok {
		return errs.New(CodeUnknown, "rows of encoding %s have no planes", e).Hint("use Q8_0/planar or Q4_K/planar")
	}
	b := byName[base]
	rowBytes, err := b.Size(columns)
	if err != nil {
		return err
	}
	planeBytes, err := e.planarSize(columns)
	if err != nil {
		return err
	}
	if rowBytes == 0 || int64(len(rows))%rowBytes != 0 || int64(len(planes)) != int64(len(rows))/rowBytes*planeBytes {
		if len(rows) == 0 && len(planes) == 0 {
			return nil
		}
		return errs.New(CodeBadLength, "%d bytes of %s and %d of %s are not the same rows of %d elements", len(rows), base, len(planes), e, columns)
	}
	n := columns / b.Elements
	for ; len(rows) > 0; rows, planes = rows[rowBytes:], planes[planeBytes:] {
		at := int64(0)
		for _, p := range planar[base] {
			for i := range n {
				block := i*b.Bytes + p.Offset
				if p.Name == scalesField {
					err = scales(rows, planes, block, at+8*i, at+8*(n+i))
				} else {
					err = field(rows, planes, p, block, at+i*p.Stored)
				}
				if err != nil {
					return err
				}
			}
			at += n * p.Stored
		}
	}
	return nil
}

// splitScales takes apart the 12 bytes of ggml's K types. Bytes 0-3 hold the
// low six bits of scales 0-3 and, above, the high two of scales 4-7; bytes 4-7
// the same of the minima; bytes 8-11 the low four bits of scales and minima 4-7.
func splitScales(sc, mn, q []byte) {
	for j := range 4 {
		sc[j], mn[j] = q[j]&63, q[j+4]&63
		sc[j+4] = q[j+8]&15 | q[j]>>6<<4
		mn[j+4] = q[j+8]>>4 | q[j+4]>>6<<4
	}
}

func joinScales(q, sc, mn []byte) error {
	for j := range 4 {
		if (sc[j]|sc[j+4]|mn[j]|mn[j+4])>>6 != 0 {
			return errs.New(CodeBadValue, "a scale or a minimum has more than 6 bits").
				Hint("the rows are damaged or of another encoding")
		}
		q[j] = sc[j] | sc[j+4]>>4<<6
		q[j+4] = mn[j] | mn[j+4]>>4<<6
		q[j+8] = sc[j+4]&15 | mn[j+4]<<4
	}
	return nil
}
