// Package release writes what a release consists of, and checks one: the programs of each
// platform, a tar and an image for each model, and what says of them where they come from.
//
//	skainet-linux-amd64           a program, one for each platform
//	MODEL.tar                     as the rule model_tar writes it
//	MODEL.oci.tar                 the same as an image of the Open Container Initiative
//	sbom.spdx.json                what it is made of, as SPDX 2.3
//	provenance.intoto.json        what it is made from, by hash, as SLSA 1.0
//	SHA256SUMS                    of all of them
//
// # Errors
//
// RELEASE_INPUT for an input that no release can have, RELEASE_SUM for a file that is not what
// another one says of it, RELEASE_SOURCE for a release of other sources than a checkout's;
// FILE_OPEN, FILE_WRITE.
//
// # Untrusted input
//
// Verify reads documents of up to 64 MiB, and of a tar no more than it holds.
//
// # Determinism
//
// The files depend only on the inputs: no time, user, path or machine is in them.
package release

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Codes of this package.
const (
	CodeInput  errs.Code = "RELEASE_INPUT"  // smallest input: two files of one name
	CodeSum    errs.Code = "RELEASE_SUM"    // smallest input: a release with a byte changed
	CodeSource errs.Code = "RELEASE_SOURCE" // smallest input: a release beside a checkout with another go.mod
)

// The documents of a release.
const (
	Sums       = "SHA256SUMS"
	SBOM       = "sbom.spdx.json"
	Provenance = "provenance.intoto.json"
	imageEnd   = ".oci.tar"
)

// Source is a file of the checkout that says what the release is made from.
type Source struct {
	Name string // its path in the checkout, with slashes
	Path string // where it is now
}

// Options are what Write is given.
type Options struct {
	Version string            // of the module, "0.1.0"
	Files   map[string]string // the release's files: from the name to the path
	Models  []string          // names of Files that are tars of models
	Sources []Source
	Parity  map[string]string // results of parity tests: from the name to the path
	Out     string            // an existing folder
}

var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// check returns an error for names that would not be files of one folder.
func (o *Options) check() error {
	if !plain.MatchString(o.Version) {
		return errs.New(CodeInput, "%q is not a version", o.Version).Hint("give that of MODULE.bazel")
	}
	for name := range o.Files {
		if !plain.MatchString(name) || slices.Contains([]string{Sums, SBOM, Provenance}, name) {
			return errs.New(CodeInput, "a file of a release cannot be called %q", name).Hint("use letters, digits and -._ alone, and no name of the release's own documents")
		}
	}
	for _, m := range o.Models {
		image := imageOf(m)
		if o.Files[m] == "" || image == m {
			return errs.New(CodeInput, "the model %q is no .tar of the release's files", m)
		}
		if o.Files[image] != "" {
			return errs.New(CodeInput, "the file %q has the name of a model's image", image)
		}
	}
	return nil
}

// imageOf returns the name of a model's image.
func imageOf(tar string) string {
	if name, ok := strings.CutSuffix(tar, ".tar"); ok {
		return name + imageEnd
	}
	return tar
}

// Write writes a release to a folder.
func Write(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	sums := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(o.Files)) {
		sum, err := copyFile(o.Files[name], filepath.Join(o.Out, name))
		if err != nil {
			return err
		}
		sums[name] = sum
	}
	for _, model := range o.Models {
		name := imageOf(model)
		at := filepath.Join(o.Out, name)
		made, err := writeImage(o.Files[model], at, strings.TrimSuffix(model, ".tar"), o.Version)
		if err != nil {
			return err
		}
		if !made {
			continue
		}
		if sums[name], err = sumOf(at); err != nil {
			return err
		}
	}
	bom, err := o.sbom(sums)
	if err != nil {
		return err
	}
	origin, err := o.provenance(sums)
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{SBOM: bom, Provenance: origin} {
		if err := atomicfile.WriteFile(filepath.Join(o.Out, name), data); err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&list, "%s  %s\n", sums[name], name)
	}
	return atomicfile.WriteFile(filepath.Join(o.Out, Sums), list.Bytes())
}

// copyFile copies a file and returns its sum. The mode is that of a program, if it is one.
func copyFile(from, to string) (sum string, err error) {
	in, st, err := regular.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	if err := atomicfile.Write(to, func(w io.Writer) error {
		_, err := io.Copy(io.MultiWriter(w, h), in)
		return err
	}); err != nil {
		return "", err
	}
	if st.Mode()&0o111 != 0 && !strings.HasSuffix(to, ".tar") {
		if err := os.Chmod(to, 0o755); err != nil {
			return "", errs.Wrap(atomicfile.CodeWrite, err, "the file cannot be made a program").In(to)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sumOf returns the sha256 of a file.
func sumOf(path string) (string, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", regular.Failed(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// document returns a value as JSON that people can read.
func document(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, errs.Wrap(CodeInput, err, "a document cannot be written")
	}
	return b.Bytes(), nil
}

// parseSums reads a list of sums: from the name to the sum.
func parseSums(file string, data []byte) (map[string]string, error) {
	sums := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if _, err := hex.DecodeString(sum); err != nil || !ok || len(sum) != 2*sha256.Size || !plain.MatchString(name) {
			return nil, errs.New(CodeSum, "the line %q is no sum of a file", lines.Text()).In(file)
		}
		sums[name] = sum
	}
	return sums, nil
}
