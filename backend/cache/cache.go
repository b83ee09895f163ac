// Package cache keeps compiled programs, and weights packed for them, in a folder of the
// user, so that a model file is compiled once.
//
// An entry is one file. Its name is a digest of all that its content follows from, so an
// entry is right or absent, and never out of date. It is placed when it is complete: a
// process that is killed leaves none. Of several processes that need the same entry one
// makes it, and the others wait.
//
// # Errors
//
// CACHE_FOLDER for a folder that cannot be made or written, FILE_OPEN for a file whose
// identity is asked for and that is not there, those of package compiler for a compiler
// that does not tell its version. Everything else comes from
// what makes an entry.
//
// # Determinism
//
// An entry that is not used for Unused is removed when another one is made; nothing else
// depends on time.
package cache

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// CodeFolder is the code of a folder that keeps nothing.
const CodeFolder errs.Code = "CACHE_FOLDER" // smallest input: --cache=/dev/null/x

// Variable names the environment variable with the folder.
const Variable = "SKAINET_CACHE"

// Unused is how long an entry stays that nothing uses.
const Unused = 30 * 24 * time.Hour

// noted is how old the note of an entry's last use may be: a note for each use would be a
// write for each.
const noted = time.Hour

// Cache is a folder of entries.
type Cache struct{ dir string }

// Open returns the cache in a folder; where that is empty in the one that Variable names,
// or else in the user's folder of caches. The folder is made when something is kept.
func Open(dir string) (*Cache, error) {
	if dir == "" {
		dir = os.Getenv(Variable)
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, errs.Wrap(CodeFolder, err, "there is no folder of caches").Hint("name a folder with --cache or %s", Variable)
		}
		dir = filepath.Join(user, "skainet")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, errs.Wrap(CodeFolder, err, "the folder has no path").In(dir)
	}
	return &Cache{abs}, nil
}

// Folder returns the path of the cache.
func (c *Cache) Folder() string { return c.dir }

// Key returns the digest of parts, in which no two lists of parts are the same.
func Key(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Entry is a file that is made once.
type Entry struct {
	Key  string
	Kind string // its extension, such as vmfb
	// Check returns an error for a file that is no whole entry, which is made again.
	Check func(path string) error
	// Make writes the file, all of it or none.
	Make func(path string) error
}

// Get returns the path of an entry, which it makes unless it is there.
func (c *Cache) Get(ctx context.Context, e Entry) (path string, err error) {
	path = filepath.Join(c.dir, e.Key+"."+e.Kind)
	if c.has(path, e) {
		return path, nil
	}
	if err := c.writable(path); err != nil {
		return "", err
	}
	unlock, err := atomicfile.Lock(ctx, path+".lock")
	if err != nil {
		return "", errs.Wrap(CodeFolder, err, "the entry cannot be locked").In(path)
	}
	defer unlock()
	if c.has(path, e) { // another process was faster
		return path, nil
	}
	if err := e.Make(path); err != nil {
		return "", err
	}
	c.trim(time.Now())
	return path, nil
}

// has reports whether an entry is there, and notes that it is used.
func (c *Cache) has(path string, e Entry) bool {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || e.Check(path) != nil {
		return false
	}
	if now := time.Now(); now.Sub(st.ModTime()) > noted {
		_ = os.Chtimes(path, now, now) // of a cache that is read only there is no note
	}
	return true
}

// writable makes the folder, and checks that a file can be made there: compiling for a
// folder that takes no program would be in vain.
func (c *Cache) writable(path string) error {
	err := os.MkdirAll(c.dir, 0o777)
	if err == nil {
		err = atomicfile.Check(path)
	}
	if err != nil {
		return errs.Wrap(CodeFolder, err, "the folder of compiled programs cannot be written").In(c.dir).
			Hint("name another folder with --cache or %s", Variable)
	}
	return nil
}

// own are the names of entries and locks.
var own = regexp.MustCompile(`^[0-9a-f]{64}\.[a-z]+(\.lock)?$`)

// trim removes entries that were not used for long, and ignores those that it cannot remove.
func (c *Cache) trim(now time.Time) {
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if st, err := f.Info(); err == nil && own.MatchString(f.Name()) && st.Mode().IsRegular() && now.Sub(st.ModTime()) > Unused {
			_ = os.Remove(filepath.Join(c.dir, f.Name()))
		}
	}
}
