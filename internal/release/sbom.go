package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// The sources that say what a release is made of.
const (
	goModules = "go.mod"
	wheels    = "toolchains/iree/versions.json"
)

// The document of SPDX 2.3, as far as a release has something to say.
type spdx struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []spdxPackage  `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID        string        `json:"SPDXID"`
	Name      string        `json:"name"`
	Version   string        `json:"versionInfo,omitempty"`
	File      string        `json:"packageFileName,omitempty"`
	Location  string        `json:"downloadLocation"`
	Analyzed  bool          `json:"filesAnalyzed"`
	Concluded string        `json:"licenseConcluded"`
	Declared  string        `json:"licenseDeclared"`
	Copyright string        `json:"copyrightText"`
	Checksums []checksum    `json:"checksums,omitempty"`
	Refs      []externalRef `json:"externalRefs,omitempty"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type externalRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// epoch stands where the format asks for a time: a release has none of its own.
const epoch = "1970-01-01T00:00:00Z"

const unknown = "NOASSERTION"

var odd = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// id returns an identifier of SPDX, which has few letters.
func id(kind, name string) string { return "SPDXRef-" + kind + "-" + odd.ReplaceAllString(name, "-") }

// part is what a release is made of: a Go module or a wheel.
type part struct {
	kind, name, version, purl string
	sha256                    string // of the file, where it is known
}

// parts returns what the sources say.
func (o *Options) parts() (list []part, err error) {
	for _, s := range o.Sources {
		if s.Name != goModules && s.Name != wheels {
			continue
		}
		data, err := regular.Read(s.Path, regular.MaxDocument)
		if err != nil {
			return nil, err
		}
		var more []part
		if s.Name == goModules {
			more, err = modulesOf(data)
		} else {
			more, err = wheelsOf(data)
		}
		if err != nil {
			return nil, errs.WithFile(err, s.Path)
		}
		list = append(list, more...)
	}
	return list, nil
}

func modulesOf(data []byte) (list []part, err error) {
	f, err := modfile.ParseLax(goModules, data, nil)
	if err != nil {
		return nil, errs.Wrap(CodeInput, err, "the file is no go.mod")
	}
	for _, r := range f.Require {
		m := r.Mod
		list = append(list, part{kind: "go", name: m.Path, version: m.Version, purl: "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version})
	}
	if f.Go != nil {
		list = append(list, part{kind: "go", name: "std", version: f.Go.Version, purl: "pkg:golang/std@" + f.Go.Version})
	}
	return list, nil
}

// wheelsOf returns the wheels of IREE's table: the compiler makes the programs, and the
// runtime's source is in the library and the runners.
func wheelsOf(data []byte) (list []part, err error) {
	var table struct {
		Versions map[string]map[string]json.RawMessage `json:"versions"`
	}
	if err := json.Unmarshal(data, &table); err != nil {
		return nil, errs.Wrap(CodeInput, err, "the file is no table of wheels")
	}
	for _, version := range slices.Sorted(maps.Keys(table.Versions)) {
		for _, kind := range []string{"compiler", "runtime"} {
			rows := map[string]struct{ Package, Filename, SHA256 string }{}
			if err := json.Unmarshal(table.Versions[version][kind], &rows); err != nil {
				return nil, errs.Wrap(CodeInput, err, "the table of IREE %s has no %s", version, kind)
			}
			for _, host := range slices.Sorted(maps.Keys(rows)) {
				w := rows[host]
				list = append(list, part{
					kind: "pypi", name: w.Filename, version: version, sha256: w.SHA256,
					purl: "pkg:pypi/" + w.Package + "@" + version + "?file_name=" + url.QueryEscape(w.Filename),
				})
			}
		}
		var source struct{ Crate, Version, SHA256 string }
		if err := json.Unmarshal(table.Versions[version]["runtime_source"], &source); err == nil && source.Crate != "" {
			list = append(list, part{kind: "cargo", name: source.Crate, version: source.Version, sha256: source.SHA256, purl: "pkg:cargo/" + source.Crate + "@" + source.Version})
		}
	}
	return list, nil
}

// sbom returns the list of what the files are made of.
func (o *Options) sbom(sums map[string]string) ([]byte, error) {
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	d := spdx{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "skainet-" + o.Version,
		Creation: creation{epoch, []string{"Tool: skainet-release"}},
	}
	made := sha256.New()
	add := func(p spdxPackage, relation, to string) {
		p.Location, p.Concluded, p.Declared, p.Copyright = unknown, unknown, unknown, unknown
		d.Packages = append(d.Packages, p)
		d.Relationships = append(d.Relationships, relationship{d.ID, "DESCRIBES", p.ID})
		if relation != "" {
			d.Relationships[len(d.Relationships)-1] = relationship{p.ID, relation, to}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		made.Write([]byte(sums[name] + " " + name + "\n"))
		add(spdxPackage{ID: id("File", name), Name: name, Version: o.Version, File: name, Checksums: []checksum{{"SHA256", sums[name]}}}, "", "")
	}
	all := id("Package", "skainet-go")
	add(spdxPackage{ID: all, Name: "skainet-go", Version: o.Version}, "", "")
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		d.Relationships = append(d.Relationships, relationship{id("File", name), "GENERATED_FROM", all})
	}
	seen := map[string]int{}
	for _, p := range parts {
		own := id(p.kind, p.name+"-"+p.version)
		if seen[own]++; seen[own] > 1 {
			own += "-" + strconv.Itoa(seen[own])
		}
		q := spdxPackage{ID: own, Name: p.name, Version: p.version, Refs: []externalRef{{"PACKAGE-MANAGER", "purl", p.purl}}}
		if p.sha256 != "" {
			q.Checksums = []checksum{{"SHA256", p.sha256}}
		}
		if p.kind == "pypi" {
			q.File = path.Base(p.name)
		}
		relation := "DEPENDENCY_OF"
		if p.kind == "pypi" {
			relation = "BUILD_TOOL_OF"
		}
		add(q, relation, all)
	}
	// Of other files another namespace: it is to be unique, and a time or a random number
	// would make two builds differ.
	d.Namespace = "https://spdx.org/spdxdocs/skainet-go-" + o.Version + "-" + hex.EncodeToString(made.Sum(nil)[:16])
	return document(d)
}
