package drill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The test binary is also the programs that a drill starts: a Bazel that runs two
// actions, and an engine. What is wrong with them is in the file "fault" of the
// workspace and in the environment.

func TestMain(m *testing.M) {
	if fake := os.Getenv("DRILL_FAKE"); fake != "" {
		if err := map[string]func() error{"bazel": fakeBazel, "engine": fakeEngine, "server": fakeServer}[fake](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// flag returns the value of --name=value, and whether it was given with one.
func flag(name string) (value string, found bool) {
	for _, a := range os.Args[1:] {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			value, found = v, v != ""
		}
	}
	return value, found
}

func fakeBazel() error {
	base, _ := flag("output_base")
	root := filepath.Join(base, "execroot")
	if err := os.MkdirAll(filepath.Join(base, "server"), 0o755); err != nil {
		return err
	}
	fault, err := os.ReadFile("fault")
	if err != nil {
		return err
	}
	for _, c := range []string{"info", "clean", "shutdown", "vendor", "test"} {
		if !slices.Contains(os.Args, c) {
			continue
		}
		if string(fault) == "bazel "+c {
			return fmt.Errorf("ERROR: no %s today", c)
		}
		switch c {
		case "info":
			fmt.Println(root)
		case "test":
			return fakeBuild(root, string(fault))
		}
		return nil
	}
	return fmt.Errorf("unknown command %q", os.Args)
}

func fakeBuild(root, fault string) error {
	web, hasWeb := flag("remote_cache")
	disk, hasDisk := flag("disk_cache")
	_, remote := flag("remote_executor")
	_, vendored := flag("vendor_dir")
	second := strings.Contains(root, "base-folder") || vendored

	// The caches are really asked.
	cached := false
	body := []byte("result")
	sum := sha256.Sum256(body)
	name := "/cas/" + hex.EncodeToString(sum[:])
	if hasDisk {
		_, err := os.Stat(disk + name)
		cached = err == nil
		if err := errors.Join(os.MkdirAll(disk+"/cas", 0o755), os.WriteFile(disk+name, body, 0o644)); err != nil {
			return err
		}
	}
	if hasWeb {
		found, err := exchange(web+name, body)
		if err != nil {
			return err
		}
		cached = cached || found
	}

	runner := "linux-sandbox"
	if cached {
		runner = "a cache hit"
	} else if remote && fault != "local" {
		runner = "remote"
	}
	text := "text"
	if second && fault == "bytes" {
		text = "other text"
	}
	out, err := write(root, "bin/a.txt", text)
	if err != nil {
		return err
	}
	if fault == "digest" {
		out.Digest.Hash = strings.Repeat("0", 64)
	}
	spawns := []spawn{
		{Mnemonic: "Gen", Target: "//a:a", Args: []string{"gen", "bin/a.txt"}, Listed: []string{"bin/a.txt"}, Outputs: []file{out}, Runner: runner, CacheHit: cached},
		{Mnemonic: "TestRunner", Target: "//a:test", Listed: []string{"test.log"}, Runner: runner, CacheHit: cached},
	}
	if second && fault == "argument" {
		spawns[0].Args[1], spawns[0].CacheHit = root+"/bin/a.txt", false
	}
	if second && fault == "cached" {
		spawns[0].CacheHit = true
	}
	var log bytes.Buffer
	for _, s := range spawns {
		if err := json.NewEncoder(&log).Encode(s); err != nil {
			return err
		}
	}
	switch fault {
	case "no log":
		log.Reset()
	case "bad log":
		log.Truncate(log.Len() - 5)
	}
	path, _ := flag("execution_log_json_file")
	return os.WriteFile(path, log.Bytes(), 0o644)
}

// write makes an output, and its entry for a log.
func write(root, name, text string) (file, error) {
	f := file{Path: name}
	sum := sha256.Sum256([]byte(text))
	f.Digest.Hash = hex.EncodeToString(sum[:])
	path := filepath.Join(root, name)
	return f, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}

// exchange reports whether a cache has an entry, and puts it there.
func exchange(url string, body []byte) (bool, error) {
	r, err := http.Get(url) //nolint:noctx // a test
	if err != nil {
		return false, err
	}
	got, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return false, err
	}
	found := r.StatusCode == http.StatusOK && bytes.Equal(got, body)
	put, err := http.NewRequest(http.MethodPut, url, bytes.NewReader(body)) //nolint:noctx // a test
	if err != nil {
		return false, err
	}
	p, err := http.DefaultClient.Do(put)
	if err != nil {
		return false, err
	}
	if p.StatusCode != http.StatusCreated {
		return false, fmt.Errorf("PUT: %s", p.Status)
	}
	return found, p.Body.Close()
}

// fakeServer stands for PostgreSQL, BuildGrid and buildbox: it listens where it is told to.
func fakeServer() error {
	all := strings.Join(os.Args[1:], "\n")
	if slices.Contains(os.Args, "server") { // BuildGrid: the settings say where
		text, err := os.ReadFile(os.Args[len(os.Args)-1])
		if err != nil {
			return err
		}
		all = string(text)
	}
	if fault := os.Getenv("BUILDGRID_FAULT"); fault != "" && strings.Contains(all, fault) {
		return fmt.Errorf("no %s today", fault)
	}
	if strings.Contains(all, "usr/bin/buildbox-") && os.Getenv("HOME")+os.Getenv("PATH") != "" {
		return errors.New("actions would see HOME and PATH")
	}
	if m := regexp.MustCompile(`(?m)^(?:-p\n|--bind=127\.0\.0\.1:|    address: "127\.0\.0\.1:)(\d+)`).FindStringSubmatch(all); m != nil {
		l, err := net.Listen("tcp", "127.0.0.1:"+m[1]) //nolint:noctx // a test
		if err != nil {
			return err
		}
		defer l.Close()
	} else if !strings.Contains(all, "usr/bin/buildbox-worker") {
		return nil // initdb, migrate
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	<-end
	return nil
}

func fakeEngine() error {
	args := map[string]string{}
	for i := 1; i+1 < len(os.Args); i++ {
		args[os.Args[i]] = os.Args[i+1]
	}
	if os.Getenv("ENGINE_FAULT") == "start" {
		return fmt.Errorf("no port is free")
	}
	line := `{"mnemonic":"Gen","target":"//a:a"}` + "\n"
	if os.Getenv("ENGINE_FAULT") == "action" {
		line = `{"mnemonic":"Gen","target":"//a:a","fault":"REAPI_NOT_REPRODUCIBLE: output bin/a.txt"}` + "\n"
	}
	if err := errors.Join(os.WriteFile(args["--log"], []byte(line), 0o644), os.WriteFile(args["--address-file"], []byte("127.0.0.1:9"), 0o644)); err != nil {
		return err
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	<-end
	return nil
}
