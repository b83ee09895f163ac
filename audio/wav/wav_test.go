package wav

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The files and expect.json are libsndfile's: see testdata/gen_wav.py. The
// tolerance is one float32 rounding of a value up to 1.
func TestDecodeAgreesWithLibsndfile(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "expect.json"))
	require.NoError(t, err)
	var want map[string]struct {
		Rate, Channels int
		Mono           []float64
	}
	require.NoError(t, json.Unmarshal(raw, &want))
	require.Len(t, want, 11)
	for name, w := range want {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			require.Equal(t, w.Rate, got.Rate)
			require.Equal(t, w.Channels, got.Channels)
			require.Len(t, got.Samples, len(w.Mono))
			for i, v := range w.Mono {
				if d := math.Abs(float64(got.Samples[i]) - v); d > 6e-8 {
					t.Fatalf("sample %d: %v, libsndfile has %v", i, got.Samples[i], v)
				}
			}
		})
	}
}

// g711.json is Python's audioop over all 256 bytes; the match is exact.
func TestG711AgreesWithAudioop(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "g711.json"))
	require.NoError(t, err)
	var want struct{ Alaw, Ulaw []float64 }
	require.NoError(t, json.Unmarshal(raw, &want))
	var a, mu []float64
	for i := range 256 {
		a, mu = append(a, aLaw[i]*32768), append(mu, muLaw[i]*32768)
	}
	if diff := cmp.Diff(want.Alaw, a); diff != "" {
		t.Error("alaw", diff)
	}
	if diff := cmp.Diff(want.Ulaw, mu); diff != "" {
		t.Error("ulaw", diff)
	}
}

// le packs numbers and strings as a little-endian file.
func le(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		if s, ok := p.(string); ok {
			p = []byte(s)
		}
		if err := binary.Write(&b, binary.LittleEndian, p); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

type (
	u16 = uint16
	u32 = uint32
)

// fmt16 is a mono 16-bit format chunk at 16 kHz; riff the header before it.
func fmt16() []byte {
	return le("fmt ", u32(16), u16(1), u16(1), u32(16000), u32(32000), u16(2), u16(16))
}
func riff(size u32) []byte { return le("RIFF", size, "WAVE") }

// pcm is a finished file with three samples: 0.5, -1, 0.
func pcm() []byte {
	return le(riff(42), fmt16(), "data", u32(6), int16(16384), int16(-32768), int16(0))
}

func TestDecodeHeadersOfManyWriters(t *testing.T) {
	samples := le(int16(16384), int16(-32768), int16(0))
	three := []float32{0.5, -1, 0}
	tests := []struct {
		name string
		file []byte
		want []float32
	}{
		{"finished", pcm(), three},
		{"ffmpeg to a pipe", le(riff(0xFFFFFFFF), fmt16(), "data", u32(0xFFFFFFFF), samples), three},
		{"sox to a pipe", le(riff(0x7FFFF024), fmt16(), "data", u32(0x7FFFF000), samples), three},
		{"size 0, header never finished", le(riff(0), fmt16(), "data", u32(0), samples), three},
		{"size 0, header of an empty file", le(riff(36), fmt16(), "data", u32(0), samples), three},
		{"pipe cut inside a frame", le(riff(0), fmt16(), "data", u32(0), samples, "x"), three},
		{"really empty, then tags", le(riff(48), fmt16(), "data", u32(0), "LIST", u32(4), "INFO"), nil},
		{"odd chunk with a pad byte before", le(riff(0), "LIST", u32(3), "abc\x00", fmt16(), "data", u32(6), samples), three},
		{"tags after the samples", le(pcm(), "LIST", u32(4), "INFO"), three},
		{"half a frame at the end", le(riff(43), fmt16(), "data", u32(7), samples, "x"), three},
		{
			"20 bits in the high bits of 24", le(riff(0), "fmt ", u32(16), u16(1), u16(1), u32(16000), u32(48000), u16(3), u16(20),
				"data", u32(3), []byte{0, 0, 0xC0}),
			[]float32{-0.5},
		},
		{
			"RF64", le("RF64", u32(0xFFFFFFFF), "WAVE", "ds64", u32(28), uint64(80), uint64(6), uint64(3), u32(0),
				fmt16(), "data", u32(0xFFFFFFFF), samples, "LIST", u32(0)),
			three,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clip, err := Decode(iotest.OneByteReader(bytes.NewReader(tt.file)))
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, clip.Samples, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// badFiles names each fault; it feeds the fuzz target too.
func badFiles() []badFile {
	head := func(tag, ch u16, rate u32, align, bits u16) []byte {
		return le(riff(0), "fmt ", u32(16), tag, ch, rate, u32(0), align, bits, "data", u32(0))
	}
	f32 := le(riff(0), "fmt ", u32(16), u16(3), u16(1), u32(8000), u32(0), u16(4), u16(32), "data", u32(8), float32(0))
	ext := func(size u32, tail []byte) []byte {
		return le(riff(0), "fmt ", size, u16(0xFFFE), u16(1), u32(8000), u32(0), u16(2), u16(16), tail)
	}
	return []badFile{
		{"header_empty", nil, CodeNotRIFF, 0},
		{"header_mp3", []byte("ID3\x04 some other file"), CodeNotRIFF, 0},
		{"header_big_endian", le("RIFX", u32(0), "WAVE"), CodeNotRIFF, 0},
		{"header_avi", le("RIFF", u32(0), "AVI "), CodeNotRIFF, 8},
		{"header_cut", []byte("RIFF\x00\x00"), CodeTruncated, 0},
		{"chunk_none", riff(4), CodeTruncated, 12},
		{"chunk_header_cut", le(riff(4), "fmt"), CodeTruncated, 12},
		{"chunk_skipped_claims_4GiB", le(riff(0), "LIST", u32(0xFFFFFFFE), "x"), CodeTruncated, 20},
		{"chunk_data_first", le(riff(0), "data", u32(2), u16(0)), CodeChunk, 12},
		{"chunk_two_formats", le(riff(0), fmt16(), fmt16()), CodeChunk, 36},
		{"chunk_ds64_short", le("RF64", u32(0), "WAVE", "ds64", u32(4), u32(0)), CodeChunk, 20},
		{"chunk_ds64_huge", le("RF64", u32(0), "WAVE", "ds64", u32(16), ^uint64(0), ^uint64(0)), CodeChunk, 28},
		{"fmt_short", le(riff(0), "fmt ", u32(14), make([]byte, 14)), CodeChunk, 20},
		{"fmt_claims_4GiB", le(riff(0), "fmt ", u32(0xFFFFFFFF), u16(1)), CodeChunk, 20},
		{"fmt_cut", le(riff(0), "fmt ", u32(16), u16(1)), CodeTruncated, 20},
		{"fmt_no_channels", head(1, 0, 8000, 0, 16), CodeFormat, 22},
		{"fmt_many_channels", head(1, 65535, 8000, 65535, 8), CodeFormat, 22},
		{"fmt_rate_zero", head(1, 1, 0, 2, 16), CodeFormat, 24},
		{"fmt_rate_huge", head(1, 1, 0xFFFFFFFF, 2, 16), CodeFormat, 24},
		{"fmt_bits_zero", head(1, 1, 8000, 0, 0), CodeFormat, 34},
		{"fmt_bits_64_integer", head(1, 1, 8000, 8, 64), CodeFormat, 34},
		{"fmt_float16", head(3, 1, 8000, 2, 16), CodeFormat, 34},
		{"fmt_alaw_16", head(6, 1, 8000, 2, 16), CodeFormat, 34},
		{"fmt_align_zero", head(1, 2, 8000, 0, 16), CodeFormat, 32},
		{"fmt_mp3_codec", head(0x55, 2, 8000, 1, 0), CodeFormat, 20},
		{"fmt_adpcm_codec", head(2, 1, 8000, 256, 4), CodeFormat, 20},
		{"fmt_extensible_short", ext(18, []byte{0, 0}), CodeFormat, 20},
		{"fmt_extensible_guid", ext(40, make([]byte, 24)), CodeFormat, 44},
		{"data_cut", pcm()[:46], CodeTruncated, 46},
		{"data_none", pcm()[:44], CodeTruncated, 44},
		{"data_claims_1GiB", le(riff(1<<30+36), fmt16(), "data", u32(1<<30), u16(0)), CodeTruncated, 46},
		{"data_nan", le(f32, math.Float32bits(float32(math.NaN()))), CodeNotFinite, 48},
		{"data_inf", le(f32, math.Float32bits(float32(math.Inf(1)))), CodeNotFinite, 48},
	}
}

type badFile struct {
	name   string
	file   []byte
	code   errs.Code
	offset int64
}

func TestDecodeBadFiles(t *testing.T) {
	for _, tt := range badFiles() {
		t.Run(tt.name, func(t *testing.T) {
			clip, err := Decode(bytes.NewReader(tt.file))
			require.Nil(t, clip)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.code, e.Code, err.Error())
			require.True(t, e.HasOffset, err.Error())
			require.Equal(t, tt.offset, e.Offset, err.Error())
			require.NotEmpty(t, e.Do)
		})
	}
}

func TestDecodeEveryTruncationIsAnError(t *testing.T) {
	whole := pcm()
	for n := range whole {
		_, err := Decode(bytes.NewReader(whole[:n]))
		require.Contains(t, []errs.Code{CodeNotRIFF, CodeTruncated}, errs.CodeOf(err), "%d bytes", n)
	}
}

func TestDecodeALyingLengthDoesNotAllocate(t *testing.T) {
	file := le(riff(0x7FFEF024), fmt16(), "data", u32(0x7FFEF000), u16(0))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Decode(bytes.NewReader(file))
	runtime.ReadMemStats(&after)
	require.Equal(t, CodeTruncated, errs.CodeOf(err))
	// One 64 KiB buffer and small objects; the claim is 2 GiB.
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func TestDecodePassesOnReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	for n := range len(pcm()) {
		_, err := Decode(io.MultiReader(bytes.NewReader(pcm()[:n]), iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken, "%d bytes", n)
	}
	_, err := DecodeFile(filepath.Join(t.TempDir(), "none.wav"))
	require.Equal(t, CodeRead, errs.CodeOf(err))
	require.ErrorContains(t, err, "none.wav")
}

func FuzzDecode(f *testing.F) {
	for _, b := range badFiles() {
		f.Add(b.file)
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.wav"))
	if err != nil || len(names) != 11 {
		f.Fatal("the seed files are missing", names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		clip, err := Decode(bytes.NewReader(file))
		switch {
		case err != nil && errs.CodeOf(err) == "":
			t.Fatalf("an error without a code: %v", err)
		case err != nil:
			return
		case clip.Rate < 1 || clip.Channels < 1 || len(clip.Samples) > len(file):
			t.Fatalf("impossible clip: rate %d, channels %d, %d samples of %d bytes", clip.Rate, clip.Channels, len(clip.Samples), len(file))
		}
		for i, v := range clip.Samples {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("sample %d is %v", i, v)
			}
		}
	})
}
