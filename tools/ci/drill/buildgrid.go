package drill

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

// BuildGrid holds the paths of the parts of a third-party engine: BuildGrid is the server,
// buildbox the worker, PostgreSQL stores the jobs.
type BuildGrid struct {
	Python   string // a script that runs Python with BuildGrid's packages
	Buildbox string // root of an unpacked tree of Debian packages, with its own C library
	Postgres string // likewise, on the host's C library
}

func (b BuildGrid) complete() bool { return b.Python != "" && b.Buildbox != "" && b.Postgres != "" }

// nobody is a user that every host has: PostgreSQL does not run as root. In a user
// namespace the files stay those of the caller.
var nobody = []string{"--unshare-user", "--uid", "65534", "--gid", "65534", "--dev-bind", "/", "/", "--die-with-parent"}

// settings of the server: its address, the database's, and the folder for blobs. The
// pool also bounds the concurrent requests; 60 threads are too few for one Bazel.
const settings = `server:
  - !channel
    address: "%s"
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: %s
    pool-size: 10
    pool-timeout: 30
    max-overflow: 20
storages:
  - !disk-storage &cas
    path: %s
caches:
  - !lru-action-cache &ac
    storage: *cas
    max-cached-refs: 100000
    allow-updates: true
    cache-failed-actions: false
schedulers:
  - !sql-scheduler &sched
    sql: *sql
    storage: *cas
    action-cache: *ac
    poll-interval: 0.1
    bot-poll-interval: 0.1
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.1
    property-set: !dynamic-property-set
      wildcard-property-keys: [ "container-image" ]
instances:
  - name: ''
    services:
      - !action-cache
        cache: *ac
      - !execution
        scheduler: *sched
      - !cas
        storage: *cas
      - !bytestream
        storage: *cas
monitoring: { enabled: false }
thread-pool-size: 300
`

// buildGrid starts the four servers, each when the one before it listens. The address of
// the result is that of the engine.
func (s *session) buildGrid(ctx context.Context) (*service, error) {
	g := grid{session: s, root: s.path("buildgrid")}
	if err := os.MkdirAll(filepath.Join(g.root, "bin"), 0o755); err != nil {
		return nil, errs.Wrap(CodeTool, err, "the engine")
	}
	database, err := g.database(ctx)
	if err != nil {
		return nil, err
	}
	engine, err := g.server(ctx, "postgresql+psycopg2://bgd@"+database+"/postgres")
	if err != nil {
		return nil, err
	}
	return engine, g.worker(ctx, engine.address)
}

// grid is a running engine.
type grid struct {
	*session
	root string
}

// listen starts a server, and waits until it listens at its address.
func (g *grid) listen(ctx context.Context, cmd *exec.Cmd, address string) (*service, error) {
	v := &service{patience: 2 * time.Minute}
	return v, g.process(cmd, v, func() string {
		if listens(ctx, address) {
			return address
		}
		return ""
	})
}

func (g *grid) once(cmd *exec.Cmd) error {
	if text, err := cmd.CombinedOutput(); err != nil {
		return errs.New(CodeTool, "%s, %v: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(string(text)))
	}
	return nil
}

func (g *grid) database(ctx context.Context) (address string, err error) {
	found, err := filepath.Glob(filepath.Join(g.BuildGrid.Postgres, "usr/lib/postgresql/*/bin"))
	if err != nil || len(found) != 1 {
		return "", errs.New(CodeTool, "%d folders of programs below %s/usr/lib/postgresql, want one", len(found), g.BuildGrid.Postgres)
	}
	libraries, err := filepath.Glob(filepath.Join(g.BuildGrid.Postgres, "usr/lib/*-linux-gnu*"))
	if err != nil {
		return "", errs.Wrap(CodeTool, err, "PostgreSQL's libraries")
	}
	run := func(program string, args ...string) *exec.Cmd {
		words := append(append([]string(nil), nobody...), "--setenv", "LD_LIBRARY_PATH", strings.Join(libraries, ":"), "--", filepath.Join(found[0], program))
		return exec.CommandContext(ctx, g.Bwrap, append(words, args...)...)
	}
	if address, err = freePort(ctx); err != nil {
		return "", err
	}
	data := filepath.Join(g.root, "database")
	if err := g.once(run("initdb", "-A", "trust", "-U", "bgd", "-E", "UTF8", "--no-locale", "--no-sync", "-D", data)); err != nil {
		return "", err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", errs.Wrap(CodeTool, err, "the database's address")
	}
	_, err = g.listen(ctx, run("postgres", "-D", data, "-p", port, "-c", "listen_addresses="+host,
		"-c", "unix_socket_directories=", "-c", "fsync=off"), address)
	return address, err
}

func (g *grid) server(ctx context.Context, database string) (*service, error) {
	address, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(g.root, "bgd.yml")
	text := fmt.Sprintf(settings, address, database, filepath.Join(g.root, "blobs"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil { //nolint:forbidigo // scratch of a drill
		return nil, errs.Wrap(CodeTool, err, "BuildGrid's settings")
	}
	run := func(args ...string) *exec.Cmd {
		return exec.CommandContext(ctx, g.BuildGrid.Python, append([]string{"-c", "from buildgrid.server.app import cli; cli()"}, args...)...)
	}
	if err := g.once(run("migrate", "apply", database)); err != nil {
		return nil, err
	}
	v, err := g.listen(ctx, run("server", "start", file), address)
	v.address = "grpc://" + v.address
	v.how = "BuildGrid with buildbox"
	return v, err
}

// bare is the environment of the worker, whose jobs get what it has besides their own.
// With HOME, Go's command would read the user's settings there, such as GOFLAGS=-trimpath,
// and name the files of the standard library in another way; with PATH it would find a C
// compiler and build its tools with cgo.
var bare = []string{}

func (g *grid) worker(ctx context.Context, engine string) error {
	programs := map[string]string{}
	for _, name := range []string{"buildbox-casd", "buildbox-worker", "buildbox-run-hosttools"} {
		path, err := g.wrapper(name)
		if err != nil {
			return err
		}
		programs[name] = path
	}
	engine = strings.Replace(engine, "grpc:", "http:", 1)
	address, err := freePort(ctx)
	if err != nil {
		return err
	}
	near := "http://" + address
	run := func(program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, programs[program], args...)
		cmd.Env = bare
		return cmd
	}
	if _, err := g.listen(ctx, run("buildbox-casd", "--cas-remote="+engine, "--bind="+address,
		"--quota-high=20G", filepath.Join(g.root, "near")), address); err != nil {
		return err
	}
	// It does not listen; jobs wait for it. If it cannot run, it exits at once.
	begun := time.Now()
	return g.process(run("buildbox-worker", "--bots-remote="+engine, "--cas-remote="+near,
		"--buildbox-run="+programs["buildbox-run-hosttools"], "--platform", "OSFamily=linux", "--platform", "ISA=x86-64",
		"--concurrent-jobs=2", "--request-timeout=0", "worker"), &service{}, func() string {
		if time.Since(begun) < time.Second {
			return ""
		}
		return "none"
	})
}

// wrapper writes a script that runs a program of buildbox on its own C library.
func (g *grid) wrapper(name string) (string, error) {
	loaders, err := filepath.Glob(filepath.Join(g.BuildGrid.Buildbox, "usr/lib/*/ld-linux-*.so.*"))
	if err != nil || len(loaders) != 1 {
		return "", errs.New(CodeTool, "%d loaders below %s/usr/lib, want one", len(loaders), g.BuildGrid.Buildbox)
	}
	words := []string{loaders[0], "--library-path", filepath.Dir(loaders[0]), filepath.Join(g.BuildGrid.Buildbox, "usr/bin", name)}
	path := filepath.Join(g.root, "bin", name)
	text := "#!/bin/sh\nexec " + quote(words) + "\"$@\"\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil { //nolint:forbidigo // scratch of a drill
		return "", errs.Wrap(CodeTool, err, "a script")
	}
	return path, nil
}
