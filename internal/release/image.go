package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// The media types of the image format, and its own file.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	layoutFile   = `{"imageLayoutVersion":"1.0.0"}`
)

// home is the folder of an image's files.
const home = "model"

// runner is the program of a model's tar that runs it.
const runner = "run"

// layer is a part of a model's tar.
type layer struct {
	comment string
	level   int // of compression; weights would not get smaller
	has     func(name string) bool
}

// layers are the parts that change least first: the weights, the runner, and the program with
// what describes it, which has kilobytes.
var layers = []layer{
	{"weights", gzip.NoCompression, isWeights},
	{"runner", gzip.BestCompression, func(name string) bool { return name == runner }},
	{"program", gzip.BestCompression, func(name string) bool { return !isWeights(name) && name != runner }},
}

func isWeights(name string) bool { return strings.HasSuffix(name, ".irpa") }

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	Variant      string `json:"variant,omitempty"`
}

type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Config        descriptor   `json:"config"`
	Layers        []descriptor `json:"layers"`
}

type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

type config struct {
	platform
	Config struct {
		Entrypoint []string
		WorkingDir string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
	History []history `json:"history"`
}

type history struct {
	CreatedBy string `json:"created_by"`
}

// machines are the processors of runners, as the image format calls them.
var machines = map[elf.Machine]platform{
	elf.EM_X86_64:  {Architecture: "amd64", OS: "linux"},
	elf.EM_AARCH64: {Architecture: "arm64", OS: "linux", Variant: "v8"},
	elf.EM_ARM:     {Architecture: "arm", OS: "linux", Variant: "v7"},
	elf.EM_RISCV:   {Architecture: "riscv64", OS: "linux"},
}

// writeImage writes the image of a model's tar. Of a tar without a runner for Linux there is
// none: made is false.
func writeImage(model, out, name, version string) (made bool, err error) {
	words, machine, err := examine(model)
	if err != nil || machine == nil {
		return false, err
	}
	var c config
	c.platform = *machine
	c.Config.Entrypoint, c.Config.WorkingDir = words, "/"+home
	c.RootFS.Type = "layers"
	m := manifest{SchemaVersion: 2, MediaType: manifestType}
	var parts []layer
	for _, l := range layers {
		stored, plain := &counter{hash: sha256.New()}, sha256.New()
		n, err := l.write(stored, plain, model)
		if err != nil {
			return false, err
		}
		if n == 0 {
			continue
		}
		m.Layers = append(m.Layers, descriptor{
			MediaType: layerType, Digest: digestOf(stored.hash), Size: stored.n, Annotations: map[string]string{"org.opencontainers.image.title": l.comment},
		})
		c.RootFS.DiffIDs = append(c.RootFS.DiffIDs, digestOf(plain))
		c.History = append(c.History, history{l.comment})
		parts = append(parts, l)
	}
	settings, err := document(c)
	if err != nil {
		return false, err
	}
	m.Config = blob(configType, settings)
	list, err := document(m)
	if err != nil {
		return false, err
	}
	d := blob(manifestType, list)
	d.Platform = machine
	d.Annotations = map[string]string{"org.opencontainers.image.ref.name": name + ":" + version}
	all, err := document(index{2, indexType, []descriptor{d}})
	if err != nil {
		return false, err
	}
	return true, atomicfile.Write(out, func(w io.Writer) error {
		t := tar.NewWriter(w)
		for _, f := range []struct {
			name string
			data []byte
		}{{"oci-layout", []byte(layoutFile)}, {"index.json", all}, {place(d), list}, {place(m.Config), settings}} {
			if err := put(t, f.name, 0o644, int64(len(f.data)), bytes.NewReader(f.data)); err != nil {
				return err
			}
		}
		for i, l := range m.Layers {
			if err := t.WriteHeader(header(place(l), 0o644, l.Size)); err != nil {
				return err
			}
			if _, err := parts[i].write(t, io.Discard, model); err != nil {
				return err
			}
		}
		return t.Close()
	})
}

func blob(mediaType string, data []byte) descriptor {
	sum := sha256.Sum256(data)
	return descriptor{MediaType: mediaType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(data))}
}

// place returns the file of a blob.
func place(d descriptor) string { return "blobs/" + strings.Replace(d.Digest, ":", "/", 1) }

func header(name string, mode, size int64) *tar.Header {
	return &tar.Header{Name: name, Mode: mode, Size: size, ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
}

func put(t *tar.Writer, name string, mode, size int64, from io.Reader) error {
	if err := t.WriteHeader(header(name, mode, size)); err != nil {
		return err
	}
	_, err := io.Copy(t, from)
	return err
}

// write writes the files of a model's tar that are in the layer, compressed, and as they are,
// and returns how many.
func (l *layer) write(stored, plain io.Writer, model string) (n int, err error) {
	z, err := gzip.NewWriterLevel(stored, l.level)
	if err != nil {
		return 0, err
	}
	t := tar.NewWriter(io.MultiWriter(z, plain))
	err = each(model, func(name string, h *tar.Header, r io.Reader) error {
		if !l.has(name) {
			return nil
		}
		n++
		return put(t, home+"/"+name, h.Mode, h.Size, r)
	})
	if err == nil {
		err = t.Close()
	}
	if err == nil {
		err = z.Close()
	}
	return n, err
}

// each calls f with the files of a model's tar, which are in one folder.
func each(model string, f func(name string, h *tar.Header, r io.Reader) error) error {
	file, _, err := regular.Open(model)
	if err != nil {
		return err
	}
	defer file.Close()
	t := tar.NewReader(file)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errs.Wrap(CodeInput, err, "the file is no whole tar").In(model)
		}
		name := path.Base(h.Name)
		if h.Typeflag != tar.TypeReg || !plain.MatchString(name) {
			return errs.New(CodeInput, "the member %q is no file that a model's tar has", h.Name).In(model)
		}
		if err := f(name, h, t); err != nil {
			return err
		}
	}
}

var shard = regexp.MustCompile(`-[0-9]{5}-of-[0-9]{5}$`)

// examine returns the words that run a model's tar, and what its runner is for; nil if it has
// none, or one that is not for Linux.
func examine(model string) (words []string, machine *platform, err error) {
	var archives []string
	program := ""
	err = each(model, func(name string, _ *tar.Header, r io.Reader) error {
		switch {
		case isWeights(name):
			scope := shard.ReplaceAllString(strings.TrimSuffix(name, ".irpa"), "")
			archives = append(archives, "--archive="+scope+"="+name)
		case strings.HasPrefix(name, "program."):
			program = name
		case name == runner:
			machine = machineOf(r)
		}
		return nil
	})
	if err != nil || machine == nil {
		return nil, nil, err
	}
	if program == "" {
		return nil, nil, errs.New(CodeInput, "the model has a runner and no program").In(model)
	}
	slices.Sort(archives)
	return append([]string{"./" + runner, program, "--contract=contract.json"}, archives...), machine, nil
}

// machineOf returns what a program is for; nil if it is not for Linux.
func machineOf(r io.Reader) *platform {
	head := make([]byte, 20)
	if n, _ := io.ReadFull(r, head); n < len(head) || string(head[:4]) != elf.ELFMAG || head[elf.EI_DATA] != byte(elf.ELFDATA2LSB) {
		return nil
	}
	if p, ok := machines[elf.Machine(binary.LittleEndian.Uint16(head[18:]))]; ok {
		return &p
	}
	return nil
}

// counter counts and hashes what is written to it.
type counter struct {
	hash hash.Hash
	n    int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return c.hash.Write(b)
}

func digestOf(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }
