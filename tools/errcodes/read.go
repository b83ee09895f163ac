package main

import (
	"archive/zip"
	"bufio"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/tools/errcodes/errscan"
)

// declaration is a code and the packages that declare or make it.
type declaration struct {
	code     string
	packages []string
}

// declared returns the codes of the Go module in root, in order.
func declared(root string) ([]declaration, error) {
	var files []string
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != root {
			base := e.Name()
			_, err := os.Stat(filepath.Join(name, "go.mod")) // another module
			if base[0] == '.' || base[0] == '_' || base == "testdata" || err == nil {
				return fs.SkipDir
			}
		}
		if e.Type().IsRegular() && filepath.Ext(name) == ".go" {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	pkgs, err := errscan.Scan(files)
	if err != nil {
		return nil, err
	}
	in := map[string][]string{}
	for _, p := range pkgs {
		for c := range p.Codes {
			in[c] = append(in[c], p.Dir)
		}
	}
	var list []declaration
	for _, c := range slices.Sorted(maps.Keys(in)) {
		list = append(list, declaration{c, in[c]})
	}
	return list, nil
}

// tests gives the tests that reached a code.
type tests map[string]map[string]bool

// records returns, from the records below dir, the tests that reached each code.
// Bazel keeps them in TARGET/test.outputs, in a zip file where it is told to.
func records(dir string) (map[string][]string, error) {
	dir, err := filepath.EvalSymlinks(dir) // bazel-testlogs is one
	if err != nil {
		return nil, err
	}
	found, read := tests{}, 0
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		target := ""
		if rel, err := filepath.Rel(dir, name); err == nil {
			target = label(filepath.ToSlash(rel))
		}
		if e.Name() == "outputs.zip" {
			read++
			return found.archive(name, target)
		}
		if ok, _ := path.Match(errtest.Pattern, e.Name()); !ok {
			return nil
		}
		read++
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return found.record(f, target)
	})
	if err == nil && read == 0 {
		err = errors.New("no records in " + dir + ": do the tests import test/errtest?")
	}
	list := map[string][]string{}
	for c, by := range found {
		list[c] = slices.Sorted(maps.Keys(by))
	}
	return list, err
}

// label returns the test's target from a file's path below bazel-testlogs, or "".
func label(rel string) string {
	target, _, ok := strings.Cut(rel, "/test.outputs/")
	if !ok {
		return ""
	}
	for strings.HasPrefix(path.Base(target), "shard_") || strings.HasPrefix(path.Base(target), "run_") {
		target = path.Dir(target)
	}
	return "//" + path.Dir(target) + ":" + path.Base(target)
}

func (t tests) archive(name, target string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, member := range z.File {
		if ok, _ := path.Match(errtest.Pattern, path.Base(member.Name)); !ok {
			continue
		}
		f, err := member.Open()
		if err != nil {
			return err
		}
		err = t.record(f, target)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// record reads the codes of one process; its first line is the folder in which
// it ran, for go test that of the package.
func (t tests) record(r io.Reader, target string) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if dir, ok := strings.CutPrefix(line, "# "); ok {
			if target == "" {
				target = relative(dir)
			}
			continue
		}
		if t[line] == nil {
			t[line] = map[string]bool{}
		}
		t[line][target] = true
	}
	return lines.Err()
}

func relative(dir string) string {
	wd, err := os.Getwd()
	if err == nil {
		if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
			return "./" + filepath.ToSlash(rel)
		}
	}
	return filepath.Base(dir)
}
