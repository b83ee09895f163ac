package main

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// module is what a Starlark file offers: the parts of Bazel's message
// stardoc_output.ModuleInfo that the page shows.
type module struct {
	doc        string
	rules      []rule
	aspects    []rule
	providers  []provider
	functions  []function
	extensions []extension
}

// rule is a rule, a repository rule, an aspect or a tag class.
type rule struct {
	name, doc  string
	attributes []attribute
	provides   []string
}

type attribute struct {
	name, doc string
	kind      int
	mandatory bool
	providers []string
	value     string
}

type field struct{ name, doc string }

type provider struct {
	name, doc string
	fields    []field
}

type parameter struct {
	name, doc, value string
	mandatory        bool
}

type function struct {
	name, doc, returns string
	parameters         []parameter
}

type extension struct {
	name, doc string
	tags      []rule
}

// fields calls each with the fields of a message in their order; a field that is
// no length-delimited one has its number in varint.
func fields(message []byte, each func(number protowire.Number, bytes []byte, varint uint64) error) error {
	for rest := message; len(rest) > 0; {
		number, kind, n := protowire.ConsumeTag(rest)
		if n < 0 {
			return fmt.Errorf("tag at byte %d: %w", len(message)-len(rest), protowire.ParseError(n))
		}
		rest = rest[n:]
		var bytes []byte
		var varint uint64
		switch kind {
		case protowire.BytesType:
			bytes, n = protowire.ConsumeBytes(rest)
		case protowire.VarintType:
			varint, n = protowire.ConsumeVarint(rest)
		default:
			n = protowire.ConsumeFieldValue(number, kind, rest)
		}
		if n < 0 {
			return fmt.Errorf("field %d at byte %d: %w", number, len(message)-len(rest), protowire.ParseError(n))
		}
		if err := each(number, bytes, varint); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// add reads one message and appends it.
func add[T any](list *[]T, read func([]byte) (T, error), message []byte) error {
	t, err := read(message)
	if err == nil {
		*list = append(*list, t)
	}
	return err
}

// The numbers are those of Bazel 7's src/main/protobuf/stardoc_output.proto.

func readModule(message []byte) (m module, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1, 8:
			return add(&m.rules, readRule, b)
		case 2:
			return add(&m.providers, readProvider, b)
		case 3:
			return add(&m.functions, readFunction, b)
		case 4:
			return add(&m.aspects, readAspect, b)
		case 5:
			m.doc = string(b)
		case 7:
			return add(&m.extensions, readExtension, b)
		}
		return nil
	})
	return m, err
}

func readRule(message []byte) (r rule, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			r.name = string(b)
		case 2:
			r.doc = string(b)
		case 3:
			return add(&r.attributes, readAttribute, b)
		case 5:
			return readProviderNames(b, &r.provides)
		}
		return nil
	})
	return r, err
}

// readAspect leaves out what the aspect follows, which its docstring says better.
func readAspect(message []byte) (r rule, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			r.name = string(b)
		case 2:
			r.doc = string(b)
		case 4:
			return add(&r.attributes, readAttribute, b)
		}
		return nil
	})
	return r, err
}

func readAttribute(message []byte) (a attribute, err error) {
	err = fields(message, func(number protowire.Number, b []byte, v uint64) error {
		switch number {
		case 1:
			a.name = string(b)
		case 2:
			a.doc = string(b)
		case 3:
			a.kind = int(v) //nolint:gosec // an enumeration of sixteen
		case 4:
			a.mandatory = v != 0
		case 5:
			return readProviderNames(b, &a.providers)
		case 6:
			a.value = string(b)
		}
		return nil
	})
	return a, err
}

func readProviderNames(message []byte, names *[]string) error {
	return fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		if number == 1 {
			*names = append(*names, string(b))
		}
		return nil
	})
}

func readField(message []byte) (f field, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			f.name = string(b)
		case 2:
			f.doc = string(b)
		}
		return nil
	})
	return f, err
}

func readProvider(message []byte) (p provider, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			p.name = string(b)
		case 2:
			p.doc = string(b)
		case 3:
			return add(&p.fields, readField, b)
		}
		return nil
	})
	return p, err
}

func readParameter(message []byte) (p parameter, err error) {
	err = fields(message, func(number protowire.Number, b []byte, v uint64) error {
		switch number {
		case 1:
			p.name = string(b)
		case 2:
			p.doc = string(b)
		case 3:
			p.value = string(b)
		case 4:
			p.mandatory = v != 0
		}
		return nil
	})
	return p, err
}

func readFunction(message []byte) (f function, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			f.name = string(b)
		case 2:
			return add(&f.parameters, readParameter, b)
		case 3:
			f.doc = string(b)
		case 4:
			returned, err := readReturn(b)
			f.returns = returned
			return err
		}
		return nil
	})
	return f, err
}

func readReturn(message []byte) (doc string, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		if number == 1 {
			doc = string(b)
		}
		return nil
	})
	return doc, err
}

func readExtension(message []byte) (e extension, err error) {
	err = fields(message, func(number protowire.Number, b []byte, _ uint64) error {
		switch number {
		case 1:
			e.name = string(b)
		case 2:
			e.doc = string(b)
		case 3:
			return add(&e.tags, readRule, b)
		}
		return nil
	})
	return e, err
}
