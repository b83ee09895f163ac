package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// record is the expected outcome of all tests: those without a counterpart, by reason;
// every other one passes on every backend.
type record struct {
	Tests    int                 `json:"tests"`
	Pass     int                 `json:"pass"`
	Unmapped map[string][]string `json:"unmapped"`
}

// Names of the files in the folder of a record.
const (
	recordFile = "record.json"
	readmeFile = "README.md"
)

func readRecord(path string) (*record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, errs.Wrap(codeRecord, err, "there is no record of outcomes").In(path)
	}
	r := &record{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, errs.Wrap(codeRecord, err, "not a record of outcomes").In(path)
	}
	count := r.Pass
	for _, tests := range r.Unmapped {
		count += len(tests)
	}
	if count != r.Tests {
		return nil, errs.New(codeRecord, "it declares %d tests but lists or counts %d", r.Tests, count).In(path)
	}
	return r, nil
}

// hold compares outcomes with the record, test by test, so that a shard is checked
// as exactly as all tests.
func (r *record) hold(all int, got []outcome) error {
	if all != r.Tests {
		return errs.New(codeRecord, "there are %d tests, but the record has %d", all, r.Tests)
	}
	reasons := map[string]string{}
	for reason, tests := range r.Unmapped {
		for _, t := range tests {
			reasons[t] = reason
		}
	}
	var other []string
	for _, o := range got {
		want := outcome{test: o.test, reason: reasons[o.test]}
		if o.String() != want.String() {
			other = append(other, fmt.Sprintf("%s: %s; recorded: %s", o.test, o, want))
		}
	}
	if len(other) > 0 {
		return errs.New(codeRecord, "%d tests are not as recorded: %s", len(other), strings.Join(other, "\n")).
			Hint("after an intended change, record with --update")
	}
	return nil
}

// recordOf returns the record of the outcomes of all tests, none of which failed.
func recordOf(got []outcome) (*record, error) {
	r := &record{Tests: len(got), Unmapped: map[string][]string{}}
	for _, o := range got {
		switch {
		case o.failed:
			return nil, errs.New(codeRecord, "%s fails, and a record is of tests that pass", o.test)
		case o.reason != "":
			r.Unmapped[o.reason] = append(r.Unmapped[o.reason], o.test)
		default:
			r.Pass++
		}
	}
	return r, nil
}

// Markers around the part of the page that table generates.
const (
	tableBegin = "<!-- made by --update from record.json -->\n"
	tableEnd   = "<!-- end -->\n"
)

// table renders the record for readers: the counts and the reasons.
func (r *record) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Of %d tests %d pass on the CPU backend and on IREE, none fails, and %d have no counterpart here:\n\n", r.Tests, r.Pass, r.Tests-r.Pass)
	b.WriteString("| tests | why they are not mapped | such as |\n| ---: | --- | --- |\n")
	for _, reason := range slices.Sorted(maps.Keys(r.Unmapped)) {
		tests := r.Unmapped[reason]
		fmt.Fprintf(&b, "| %d | %s | `%s` |\n", len(tests), reason, tests[0])
	}
	return b.String()
}

// page replaces the table in the text of a page.
func (r *record) page(text string) (string, error) {
	before, rest, ok := strings.Cut(text, tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return "", errs.New(codeRecord, "the page lacks the marker lines %q and %q", strings.TrimSpace(tableBegin), strings.TrimSpace(tableEnd))
	}
	return before + tableBegin + "\n" + r.table() + "\n" + tableEnd + after, nil
}

// update writes the record and its page in a folder.
func update(folder string, got []outcome) error {
	r, err := recordOf(got)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(folder, readmeFile))
	if err != nil {
		return errs.Wrap(codeRecord, err, "no page to write the table to").In(folder)
	}
	page, err := r.page(string(text))
	if err != nil {
		return err
	}
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		return errs.Wrap(codeRecord, err, "the record")
	}
	return atomicfile.WriteAll(
		atomicfile.Bytes(filepath.Join(folder, recordFile), data.Bytes()),
		atomicfile.Bytes(filepath.Join(folder, readmeFile), []byte(page)),
	)
}
