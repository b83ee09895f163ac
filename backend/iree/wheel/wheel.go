// Package wheel brings IREE's compiler and its runtime's tool to a machine that has neither:
// the wheels of toolchains/iree/versions.json, by hash, into a folder of the user, once.
//
// A wheel comes from the first of these that has it: the places that SKAINET_MIRRORS lists,
// as Bazel's builds take them; the index that pip is configured for, by its variables or its
// files; pip itself, which knows its own default. What they give is used only with the hash
// of the table, so that none of them is trusted.
//
// # Errors
//
// IREE_NO_WHEEL for a platform that the release has no wheel for, IREE_FETCH if no place has
// it, as without a network, IREE_FETCH_HASH for another file than the table's, IREE_WHEEL for
// a wheel without the tools; CACHE_FOLDER for a folder that cannot be written.
//
// # Untrusted input
//
// An index's page is read up to 64 MiB, and a wheel up to 1 GiB. The tools are native code,
// which the hash vouches for.
//
// # Determinism
//
// The tools are those of the table.
package wheel

import (
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Codes of this package.
const (
	CodeNoWheel errs.Code = "IREE_NO_WHEEL"   // smallest input: run MODEL --backend=iree on riscv64
	CodeFetch   errs.Code = "IREE_FETCH"      // smallest input: run MODEL --backend=iree where nothing is installed, without a network
	CodeHash    errs.Code = "IREE_FETCH_HASH" // smallest input: an index that serves another file under the wheel's name
	CodeWheel   errs.Code = "IREE_WHEEL"      // smallest input: a wheel without iree-compile
)

// Artifact is a wheel of the table.
type Artifact struct {
	Package  string `json:"package"`
	Filename string `json:"filename"`
	SHA256   string `json:"sha256"`
}

// Fetcher brings wheels.
type Fetcher struct {
	Folder string // in which the tools are kept; "" is that of package cache
	// Began is called before a wheel is looked for, with the folder of its tools; it may be nil.
	Began func(a Artifact, folder string)

	// table and platform are the repository's and this machine's, but in tests.
	table    []byte
	platform string
}

// versions is the table: a copy of toolchains/iree/versions.json, which a test compares.
//
//go:embed versions.json
var versions []byte

// kinds of wheels.
const (
	compilerKind = "compiler"
	runtimeKind  = "runtime"
)

// naming says how a user names what a wheel has, by its kind.
var naming = map[string]string{
	compilerKind: "name its " + compileName + " with --compiler or " + compiler.Variable,
	runtimeKind:  "name its " + RunModuleName + " with --tool",
}

// The tools of the wheels.
const (
	compileName = "iree-compile"
	linkerName  = "iree-lld"
	// RunModuleName is the name of the runtime's tool.
	RunModuleName = "iree-run-module"
)

// Compiler returns the paths of iree-compile and iree-lld.
func (f *Fetcher) Compiler(ctx context.Context) (compile, linker string, err error) {
	folder, err := f.get(ctx, compilerKind, compileName)
	if err != nil {
		return "", "", err
	}
	return tool(folder, compileName), tool(folder, linkerName), nil
}

// KeptCompiler is Compiler of what was fetched before: ok is false where it was not.
func (f *Fetcher) KeptCompiler() (compile, linker string, ok bool) {
	_, _, folder, err := f.place(compilerKind)
	if err != nil || !present(folder, compileName) {
		return "", "", false
	}
	return tool(folder, compileName), tool(folder, linkerName), true
}

// RunModule returns the path of iree-run-module.
func (f *Fetcher) RunModule(ctx context.Context) (string, error) {
	folder, err := f.get(ctx, runtimeKind, RunModuleName)
	if err != nil {
		return "", err
	}
	return tool(folder, RunModuleName), nil
}

// KeptRunModule is RunModule of what was fetched before: ok is false where it was not.
func (f *Fetcher) KeptRunModule() (path string, ok bool) {
	_, _, folder, err := f.place(runtimeKind)
	if err != nil || !present(folder, RunModuleName) {
		return "", false
	}
	return tool(folder, RunModuleName), true
}

// tool returns the path of a program in a folder.
func tool(folder, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(folder, name)
}

// Platform returns this machine's name in the table.
func Platform() string {
	os, ok := map[string]string{"darwin": "macos"}[runtime.GOOS]
	if !ok {
		os = runtime.GOOS
	}
	cpu, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if !ok {
		cpu = runtime.GOARCH
	}
	return os + "_" + cpu
}

// find returns the wheel of a kind, of the release that this program's targets are of.
func (f *Fetcher) find(kind string) (a Artifact, version string, err error) {
	data, platform := f.table, f.platform
	if data == nil {
		data = versions
	}
	if platform == "" {
		platform = Platform()
	}
	var table struct {
		Versions map[string]map[string]json.RawMessage `json:"versions"`
	}
	version = target.IREEVersion()
	if err = json.Unmarshal(data, &table); err != nil {
		return a, version, errs.Wrap(CodeNoWheel, err, "the table of wheels is damaged")
	}
	rows := map[string]Artifact{}
	if err := json.Unmarshal(table.Versions[version][kind], &rows); err != nil {
		return a, version, errs.Wrap(CodeNoWheel, err, "the table has no %s of IREE %s", kind, version)
	}
	a, ok := rows[platform]
	if !ok {
		var known []string
		for name := range rows {
			known = append(known, name)
		}
		slices.Sort(known)
		return a, version, errs.New(CodeNoWheel, "IREE %s has no %s for %s; it has those for %s", version, kind, platform, strings.Join(known, ", ")).
			Hint("use the CPU backend: --backend=cpu; or build IREE's tools and name them with --compiler and --tool")
	}
	return a, version, nil
}

// place returns the wheel of a kind, and the folder of its tools, which need not exist.
func (f *Fetcher) place(kind string) (a Artifact, version, folder string, err error) {
	if a, version, err = f.find(kind); err != nil {
		return a, version, "", err
	}
	kept, err := cache.Open(f.Folder)
	if err != nil {
		return a, version, "", err
	}
	return a, version, filepath.Join(kept.Folder(), "iree", version+"-"+kind+"-"+a.SHA256[:min(16, len(a.SHA256))]), nil
}

// get returns the folder of a kind's tools, and fetches them if they are not there.
func (f *Fetcher) get(ctx context.Context, kind, needed string) (string, error) {
	a, version, folder, err := f.place(kind)
	if err != nil {
		return "", err
	}
	if present(folder, needed) {
		return folder, nil
	}
	root := filepath.Dir(folder)
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", errs.Wrap(cache.CodeFolder, err, "the folder of IREE's tools cannot be made").In(root).Hint("name another folder with --cache or %s", cache.Variable)
	}
	unlock, err := atomicfile.Lock(ctx, folder+".lock")
	if err != nil {
		return "", errs.Wrap(cache.CodeFolder, err, "the folder of IREE's tools cannot be locked").In(root).Hint("name another folder with --cache or %s", cache.Variable)
	}
	defer unlock()
	if present(folder, needed) { // another process was faster
		return folder, nil
	}
	if f.Began != nil {
		f.Began(a, folder)
	}
	part, err := os.MkdirTemp(root, ".partial-")
	if err != nil {
		return "", errs.Wrap(cache.CodeFolder, err, "the folder of IREE's tools cannot be written").In(root).Hint("name another folder with --cache or %s", cache.Variable)
	}
	defer os.RemoveAll(part)
	file, err := fetch(ctx, a, version, part, naming[kind], root)
	if err != nil {
		return "", err
	}
	made := filepath.Join(part, "tools")
	if err := unpack(file, made, needed); err != nil {
		return "", err
	}
	// What a process that was killed left there is not whole.
	err = os.RemoveAll(folder)
	if err == nil {
		err = os.Rename(made, folder)
	}
	if err != nil {
		return "", errs.Wrap(cache.CodeFolder, err, "the tools cannot be placed").In(folder)
	}
	return folder, nil
}

// present reports whether a folder has a tool.
func present(folder, name string) bool {
	st, err := os.Stat(tool(folder, name))
	return err == nil && st.Mode().IsRegular()
}
