package release

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Verify checks the release in a folder: that every file is the one that SHA256SUMS, the SBOM and
// the provenance speak of, and that what a model's tar and its image say of their own members
// is so. With a checkout it checks also that the release was made from its files. It returns the
// names that it checked, sorted.
func Verify(folder, checkout string) ([]string, error) {
	list := filepath.Join(folder, Sums)
	data, err := regular.Read(list, regular.MaxDocument)
	if err != nil {
		return nil, err
	}
	sums, err := parseSums(list, data)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(sums))
	for _, name := range names {
		at := filepath.Join(folder, name)
		got, err := sumOf(at)
		if err != nil {
			return nil, err
		}
		if got != sums[name] {
			return nil, changed(at, Sums, got, sums[name])
		}
		switch {
		case strings.HasSuffix(name, imageEnd):
			err = verifyImage(at)
		case strings.HasSuffix(name, ".tar"):
			err = verifyModel(at)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := others(folder, sums); err != nil {
		return nil, err
	}
	files := maps.Clone(sums)
	delete(files, SBOM)
	delete(files, Provenance)
	if err := verifySBOM(filepath.Join(folder, SBOM), files); err != nil {
		return nil, err
	}
	return names, verifyProvenance(filepath.Join(folder, Provenance), files, checkout)
}

func changed(file, by, got, want string) error {
	return errs.New(CodeSum, "sha256 is %s, and %s says %s", got, by, want).In(file).Hint("the file is damaged or is not the release's: fetch it again")
}

// others is an error for a file that nothing speaks of.
func others(folder string, sums map[string]string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return regular.Failed(folder, err)
	}
	for _, f := range files {
		if f.Name() != Sums && sums[f.Name()] == "" {
			return errs.New(CodeSum, "%s does not speak of the file", Sums).In(filepath.Join(folder, f.Name())).Hint("it is not of the release: remove it")
		}
	}
	return nil
}

// same compares what a document says with the sums of the files.
func same(file string, got, want map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch {
		case got[name] == "":
			return errs.New(CodeSum, "it does not speak of %s", name).In(file)
		case got[name] != want[name]:
			return errs.New(CodeSum, "it says that %s has sha256 %s, and it has %s", name, got[name], want[name]).In(file)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == "" {
			return errs.New(CodeSum, "it speaks of %s, which %s does not have", name, Sums).In(file)
		}
	}
	return nil
}

// parse reads a document.
func parse(file string, into any) error {
	data, err := regular.Read(file, regular.MaxDocument)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return errs.Wrap(CodeSum, err, "it cannot be read").In(file)
	}
	return nil
}

func verifySBOM(file string, sums map[string]string) error {
	var d spdx
	if err := parse(file, &d); err != nil {
		return err
	}
	got := map[string]string{}
	for _, p := range d.Packages {
		if strings.HasPrefix(p.ID, id("File", "")) && len(p.Checksums) == 1 {
			got[p.File] = p.Checksums[0].Value
		}
	}
	return same(file, got, sums)
}

func verifyProvenance(file string, sums map[string]string, checkout string) error {
	var s statement
	if err := parse(file, &s); err != nil {
		return err
	}
	if s.Type != statementType || s.PredicateType != predicateType || s.Predicate.Definition.Type != buildType {
		return errs.New(CodeSum, "it is no provenance of this kind of release").In(file)
	}
	got := map[string]string{}
	for _, r := range s.Subject {
		got[r.Name] = r.Digest["sha256"]
	}
	if err := same(file, got, sums); err != nil || checkout == "" {
		return err
	}
	checked := 0
	for _, d := range s.Predicate.Definition.Dependencies {
		name, ok := strings.CutPrefix(d.URI, sourceScheme)
		if !ok {
			continue
		}
		if !filepath.IsLocal(name) {
			return errs.New(CodeSum, "the source %q is no file of a checkout", name).In(file)
		}
		at := filepath.Join(checkout, filepath.FromSlash(name))
		sum, err := sumOf(at)
		if err != nil {
			return err
		}
		if sum != d.Digest["sha256"] {
			return errs.New(CodeSource, "sha256 is %s, and the release was made from %s", sum, d.Digest["sha256"]).In(at).
				Hint("check out the commit of the release's tag")
		}
		checked++
	}
	if checked == 0 {
		return errs.New(CodeSource, "it names no file of a checkout").In(file)
	}
	return nil
}

// verifyModel compares the members of a model's tar with the sums in it.
func verifyModel(file string) error {
	got := map[string]string{}
	var list []byte
	err := each(file, func(name string, _ *tar.Header, r io.Reader) error {
		h := sha256.New()
		to := io.Writer(h)
		if name == Sums {
			var err error
			list, err = io.ReadAll(io.LimitReader(r, regular.MaxDocument))
			return err
		}
		if _, err := io.Copy(to, r); err != nil {
			return errs.Wrap(CodeSum, err, "the member %q cannot be read", name).In(file)
		}
		got[name] = hex.EncodeToString(h.Sum(nil))
		return nil
	})
	if err != nil {
		return err
	}
	want, err := parseSums(file, list)
	if err != nil {
		return err
	}
	return same(file, got, want)
}

// verifyImage compares the blobs of an image with their names, and looks for those that its
// documents name.
func verifyImage(file string) error {
	f, _, err := regular.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	blobs, small := map[string]bool{}, map[string][]byte{}
	t := tar.NewReader(f)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errs.Wrap(CodeSum, err, "the image is no whole tar").In(file)
		}
		sum := sha256.New()
		to := io.Writer(sum)
		var keep strings.Builder
		if h.Size <= maxDocument {
			to = io.MultiWriter(sum, &keep)
		}
		if _, err := io.Copy(to, t); err != nil {
			return errs.Wrap(CodeSum, err, "the member %q cannot be read", h.Name).In(file)
		}
		got := hex.EncodeToString(sum.Sum(nil))
		if name, ok := strings.CutPrefix(h.Name, "blobs/sha256/"); ok {
			if name != got {
				return changed(file, "its name", got, name)
			}
			blobs["sha256:"+name] = true
		}
		small[h.Name] = []byte(keep.String())
	}
	var i index
	if err := json.Unmarshal(small["index.json"], &i); err != nil || len(i.Manifests) != 1 {
		return errs.Wrap(CodeSum, err, "the image has no index of one manifest").In(file)
	}
	var m manifest
	if err := json.Unmarshal(small[place(i.Manifests[0])], &m); err != nil {
		return errs.Wrap(CodeSum, err, "the image has no manifest").In(file)
	}
	for _, d := range append(m.Layers, m.Config) {
		if !blobs[d.Digest] {
			return errs.New(CodeSum, "the image has no blob %s", d.Digest).In(file)
		}
	}
	return nil
}

// maxDocument bounds a document of an image.
const maxDocument = 1 << 20
