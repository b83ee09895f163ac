// Package drill proves by Bazel's own logs that a build needs nothing but what
// it declares: a second checkout takes every action from a cache, a remote
// execution engine can run every action, vendored repositories are all that
// comes from the network, and another output base gives the same bytes.
//
// It runs Bazel in copies of a checkout, each with an output base of its own, and
// removes both at the end.
//
// # Errors
//
// DRILL_OPTIONS, DRILL_CHECKOUT, DRILL_BAZEL, DRILL_LOG and DRILL_TOOL stop
// everything. A drill that shows what it must not is not an error but a Result with
// faults: each names the action, and the input that differs.
//
// # Determinism
//
// Results depend on the sources, but for their seconds; faults are sorted.
package drill

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

const (
	// CodeOptions is for drills that are unknown or that lack what they need.
	CodeOptions errs.Code = "DRILL_OPTIONS"
	// CodeCheckout says that the sources could not be copied.
	CodeCheckout errs.Code = "DRILL_CHECKOUT"
	// CodeBazel says that Bazel failed.
	CodeBazel errs.Code = "DRILL_BAZEL"
	// CodeLog says that Bazel's execution log is not as expected.
	CodeLog errs.Code = "DRILL_LOG"
	// CodeTool says that a server of a drill did not start.
	CodeTool errs.Code = "DRILL_TOOL"
)

// Names are the drills, in the order in which they run.
var Names = []string{"http", "disk", "remote", "strict", "bytes", "vendor"}

// Options configures the drills and their tools.
type Options struct {
	Workspace string   // the checkout
	Work      string   // a folder for copies, caches and output bases; one level of it is removed at the end
	Targets   []string // what is built, and tested where it is a test
	Drills    []string // some of Names
	Flags     []string // more flags for every build
	Bwrap     string   // bubblewrap, for remote, strict and vendor
	BuildGrid BuildGrid
	Engine    string   // the program of test/reapi, for strict
	Nginx     string   // for http; with none, a server of this package
	Show      []string // folders of the host that actions see in strict
	Twice     bool     // actions of strict run twice and are compared
	Progress  io.Writer
}

// Result is what one drill showed.
type Result struct {
	Name    string
	How     string // what was used
	Actions int    // that were needed
	Good    int    // that were as required: hits, remote runs, equal outputs
	Outputs int    // files whose bytes were compared
	Time    time.Duration
	Faults  []string
}

// session is a run of some drills.
type session struct {
	Options
	root     string // of everything that is made
	first    *build // the build that fills the caches
	services []*service
}

// Run runs the drills. If an error stops it, it returns the results so far.
func Run(ctx context.Context, o Options) (results []Result, err error) {
	for _, name := range o.Drills {
		if !slices.Contains(Names, name) {
			return nil, errs.New(CodeOptions, "unknown drill %q", name).Hint("use some of %s", strings.Join(Names, ", "))
		}
	}
	if len(o.Targets) == 0 || len(o.Drills) == 0 {
		return nil, errs.New(CodeOptions, "no targets or no drills are named")
	}
	if o.Bwrap == "" && slices.ContainsFunc(o.Drills, func(d string) bool { return d == "remote" || d == "strict" || d == "vendor" }) {
		return nil, errs.New(CodeOptions, "the drills remote, strict and vendor need bubblewrap, and this host has none").
			Hint("install it, or leave them out")
	}
	if slices.Contains(o.Drills, "remote") && !o.BuildGrid.complete() {
		return nil, errs.New(CodeOptions, "the drill remote needs BuildGrid, buildbox and PostgreSQL, which this host does not give").
			Hint("use a Debian host on x86-64 with Python 3.11, or leave it out")
	}
	if err := os.MkdirAll(o.Work, 0o755); err != nil {
		return nil, errs.Wrap(CodeCheckout, err, "the folder for the drills")
	}
	root, err := os.MkdirTemp(o.Work, "drill-")
	if err != nil {
		return nil, errs.Wrap(CodeCheckout, err, "the folder for the drills")
	}
	s := &session{Options: o, root: root}
	defer s.clean()
	err = s.run(ctx, func(r Result) { results = append(results, r) })
	return results, err
}

func (s *session) wants(name string) bool { return slices.Contains(s.Drills, name) }

func (s *session) say(format string, args ...any) { fmt.Fprintf(s.Progress, format+"\n", args...) }

func (s *session) run(ctx context.Context, done func(Result)) error {
	one := s.checkout("one")
	two := s.checkout("two/in/another/folder")
	three := two // the same sources with a fresh output base
	three.base = filepath.Join(s.root, "base-offline")
	for _, c := range []*checkout{&one, &two} {
		if err := c.copy(ctx, s.Workspace); err != nil {
			return err
		}
	}
	caches := []string{"--disk_cache=" + s.path("disk")}
	web, err := s.webCache(ctx)
	if err != nil {
		return err
	}
	if web.address != "" {
		caches = append(caches, "--remote_cache="+web.address)
	}

	result, err := s.fill(ctx, one, caches)
	if err != nil {
		return err
	}
	done(result)
	for _, d := range []struct {
		name string
		run  func(context.Context, checkout) (Result, error)
	}{
		{"http", func(ctx context.Context, c checkout) (Result, error) {
			return s.cached(ctx, c, "http", web.how, "--config=ci-cache", "--remote_cache="+web.address, "--disk_cache=")
		}},
		{"disk", func(ctx context.Context, c checkout) (Result, error) {
			return s.cached(ctx, c, "disk", "--disk_cache", caches[0])
		}},
		{"remote", s.remote},
		{"strict", s.strict},
		{"bytes", s.bytes},
	} {
		if !s.wants(d.name) {
			continue
		}
		r, err := d.run(ctx, two)
		if err != nil {
			return err
		}
		done(r)
		if err := s.bazel(ctx, two, "clean"); err != nil {
			return err
		}
	}
	if s.wants("vendor") {
		r, err := s.vendor(ctx, two, three, caches[0])
		if err != nil {
			return err
		}
		done(r)
	}
	return nil
}

// fill is the clean build with which the others are compared.
func (s *session) fill(ctx context.Context, c checkout, caches []string) (Result, error) {
	b, err := s.build(ctx, c, "fill", append(caches, "--config=ci-cache", "--config=ci-cache-write", "--remote_download_outputs=all")...)
	if err != nil {
		return Result{}, err
	}
	s.first = b
	r := Result{Name: "first", How: "local, fills the caches", Actions: len(b.spawns), Time: b.time}
	for _, sp := range b.spawns {
		if !sp.CacheHit {
			r.Good++
		}
	}
	// Bazel's digests are those that the caches have; here they are checked.
	r.Outputs, r.Faults, err = s.onDisk(ctx, c, b)
	if err != nil {
		return r, err
	}
	if err := s.bazel(ctx, c, "shutdown"); err != nil {
		return r, err
	}
	return r, removeAll(c.base)
}

// cached builds with a cache that has everything.
func (s *session) cached(ctx context.Context, c checkout, name, how string, flags ...string) (Result, error) {
	b, err := s.build(ctx, c, name, flags...)
	if err != nil {
		return Result{}, err
	}
	r := Result{Name: name, How: how, Actions: len(b.spawns), Time: b.time}
	r.Good, r.Faults = s.first.hits(b)
	return r, nil
}

// remote runs every action on a third-party engine.
func (s *session) remote(ctx context.Context, c checkout) (Result, error) {
	e, err := s.buildGrid(ctx)
	if err != nil {
		return Result{}, err
	}
	// With more than one connection BuildGrid rejects transfers.
	b, err := s.build(ctx, c, "remote", "--config=remote", "--disk_cache=", "--remote_cache=", "--remote_executor="+e.address,
		"--remote_max_connections=1", "--jobs=4")
	if err != nil {
		return Result{}, err
	}
	return ranRemotely("remote", e.how, s.first, b), nil
}

// strict runs every action on the server of test/reapi, which shows it nothing but what it
// declares.
func (s *session) strict(ctx context.Context, c checkout) (Result, error) {
	e, err := s.engine(ctx)
	if err != nil {
		return Result{}, err
	}
	how := "strict engine, no network"
	if s.Twice {
		how += ", each action twice"
	}
	b, err := s.build(ctx, c, "strict", "--config=remote", "--disk_cache=", "--remote_cache=", "--remote_executor="+e.address, "--jobs=4")
	if faults := e.faults(); len(faults) > 0 {
		return Result{Name: "strict", How: how, Faults: faults}, nil
	}
	if err != nil {
		return Result{}, err
	}
	return ranRemotely("strict", how, s.first, b), e.stop()
}

// ranRemotely counts the actions of a build that ran on an engine, and checks that their
// outputs are those of first.
func ranRemotely(name, how string, first, b *build) Result {
	r := Result{Name: name, How: how, Actions: len(b.spawns), Time: b.time}
	for _, sp := range b.spawns {
		if strings.HasPrefix(sp.Runner, "remote") {
			r.Good++
		} else {
			r.Faults = append(r.Faults, fmt.Sprintf("%s ran as %q", sp.name(), sp.Runner))
		}
	}
	var differ []string
	r.Outputs, differ = first.sameOutputs(b)
	r.Faults = append(r.Faults, differ...)
	return r
}

// bytes builds again, for real and here.
func (s *session) bytes(ctx context.Context, c checkout) (Result, error) {
	b, err := s.build(ctx, c, "bytes", "--disk_cache=", "--remote_cache=")
	if err != nil {
		return Result{}, err
	}
	r := Result{Name: "bytes", How: "local, another folder and output base", Actions: len(b.spawns), Time: b.time}
	for _, sp := range b.spawns {
		if sp.CacheHit {
			r.Faults = append(r.Faults, sp.name()+" was not run again")
		} else {
			r.Good++
		}
	}
	var differ []string
	r.Outputs, differ = s.first.sameOutputs(b)
	r.Faults = append(r.Faults, differ...)
	return r, nil
}

// vendor builds from vendored repositories in an empty network namespace;
// actions come from the disk cache, so that they are shown to be the same.
func (s *session) vendor(ctx context.Context, from, to checkout, cache string) (Result, error) {
	begun := time.Now()
	folder := "--vendor_dir=" + s.path("vendor")
	flags := append(append([]string{folder}, s.Flags...), "--")
	if err := s.bazel(ctx, from, "vendor", append(flags, s.Targets...)...); err != nil {
		return Result{}, err
	}
	if err := s.bazel(ctx, from, "shutdown"); err != nil {
		return Result{}, err
	}
	if err := removeAll(from.base); err != nil {
		return Result{}, err
	}
	to.offline = true
	b, err := s.build(ctx, to, "vendor", folder, cache, "--remote_cache=")
	if err != nil {
		return Result{}, err
	}
	r := Result{Name: "vendor", How: "no network at all", Actions: len(b.spawns), Time: time.Since(begun)}
	r.Good, r.Faults = s.first.hits(b)
	return r, nil
}
