package release

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/internal/regular"
)

// The statement of in-toto with the predicate of SLSA 1.0.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

type resource struct {
	Name      string            `json:"name,omitempty"`
	URI       string            `json:"uri,omitempty"`
	Digest    map[string]string `json:"digest,omitempty"`
	Content   []byte            `json:"content,omitempty"`
	MediaType string            `json:"mediaType,omitempty"`
}

type predicate struct {
	Definition struct {
		Type         string            `json:"buildType"`
		External     map[string]string `json:"externalParameters"`
		Dependencies []resource        `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	Run struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
		Byproducts []resource `json:"byproducts,omitempty"`
	} `json:"runDetails"`
}

const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	buildType     = "https://github.com/skainet-dev/skainet-go/release/v1"
	builder       = "https://github.com/skainet-dev/skainet-go/bazel"
	sourceScheme  = "source:" // a file of the checkout
)

func digest(sum string) map[string]string { return map[string]string{"sha256": sum} }

// provenance returns what the files are made from.
func (o *Options) provenance(sums map[string]string) ([]byte, error) {
	s := statement{Type: statementType, PredicateType: predicateType}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s.Subject = append(s.Subject, resource{Name: name, Digest: digest(sums[name])})
	}
	def := &s.Predicate.Definition
	def.Type, def.External = buildType, map[string]string{"target": "//:release", "version": o.Version}
	for _, f := range o.Sources {
		sum, err := sumOf(f.Path)
		if err != nil {
			return nil, err
		}
		def.Dependencies = append(def.Dependencies, resource{URI: sourceScheme + f.Name, Digest: digest(sum)})
	}
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		r := resource{URI: p.purl}
		if p.sha256 != "" {
			r.Digest = digest(p.sha256)
		}
		def.Dependencies = append(def.Dependencies, r)
	}
	s.Predicate.Run.Builder.ID = builder
	for _, name := range slices.Sorted(maps.Keys(o.Parity)) {
		data, err := regular.Read(o.Parity[name], regular.MaxDocument)
		if err != nil {
			return nil, err
		}
		sum, err := sumOf(o.Parity[name])
		if err != nil {
			return nil, err
		}
		s.Predicate.Run.Byproducts = append(s.Predicate.Run.Byproducts, resource{Name: "parity/" + name, Digest: digest(sum), Content: data, MediaType: "text/plain"})
	}
	return document(s)
}
