package wheel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits on what is read of a server.
const (
	maxPage  = 64 << 20
	maxWheel = 1 << 30
)

// client waits for an answer, however long its body then takes: a wheel has 100 MB.
var client = &http.Client{Transport: func() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = time.Minute
	return t
}()}

// fetch writes the wheel to a folder and returns its path. A hint says how a user names the tool
// instead, and the folder that has it on a machine that has fetched it.
func fetch(ctx context.Context, a Artifact, version, folder, named, kept string) (string, error) {
	file := filepath.Join(folder, a.Filename)
	var tried []string
	var wrong error
	// try reports whether a place ended the search.
	try := func(place string, get func() error) bool {
		err := get()
		if err == nil {
			err = check(a, file)
		}
		if err == nil || ctx.Err() != nil {
			return true
		}
		if errs.CodeOf(err) == CodeHash {
			wrong = err
		}
		tried = append(tried, place+": "+short(err))
		_ = os.Remove(file)
		return false
	}
	for _, m := range mirrors(a, version) {
		if try(m.Redacted(), func() error { return download(ctx, m, file) }) {
			return file, ctx.Err()
		}
	}
	for _, index := range indexes() {
		if try(index.Redacted(), func() error { return fromIndex(ctx, index, a, file) }) {
			return file, ctx.Err()
		}
	}
	if try("pip", func() error { return byPip(ctx, a, version, folder) }) {
		return file, ctx.Err()
	}
	if wrong != nil {
		return "", wrong
	}
	return "", errs.New(CodeFetch, "no place has %s: %s", a.Filename, strings.Join(tried, "; ")).
		Hint("check the network, and set PIP_INDEX_URL to an index of Python packages, whose address ends in /simple and for which no pip is needed, "+
			"or SKAINET_MIRRORS to a folder of wheels: file:///FOLDER/{filename}; or copy %s of a machine that has fetched it; or install %s==%s and %s; or run without it: --backend=cpu, in Go open.CPU",
			kept, a.Package, version, named)
}

// check compares a file with the table.
func check(a Artifact, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != a.SHA256 {
		return errs.New(CodeHash, "sha256 is %s, want %s", sum, a.SHA256).In(a.Filename).
			Hint("the file that was served is not the release's: check the index or mirror, and do not use the file")
	}
	return nil
}

// short returns an error's text, of which a message holds several.
func short(err error) string {
	const most = 300
	text := strings.TrimSpace(err.Error())
	if len(text) > most {
		text = "... " + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}

// mirrors returns what the templates of SKAINET_MIRRORS say, in the form that
// tools/repos/download.py describes.
func mirrors(a Artifact, version string) (list []*url.URL) {
	fill := strings.NewReplacer("{filename}", a.Filename, "{package}", a.Package, "{registry}", "pypi", "{version}", version, "{sha256}", a.SHA256)
	for _, template := range strings.Fields(os.Getenv("SKAINET_MIRRORS")) {
		if u, err := url.Parse(fill.Replace(template)); err == nil {
			list = append(list, u)
		}
	}
	return list
}

// source is what is at a place.
type source struct {
	io.ReadCloser
	at *url.URL // after redirects
}

// open opens a file, or what a server answers.
func open(ctx context.Context, u *url.URL) (*source, error) {
	if u.Scheme == "file" {
		f, err := os.Open(filepath.FromSlash(u.Path))
		return &source{f, u}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(r)
	if err != nil {
		var failed *url.Error // its text would have the address with a password
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("the server says %s", answer.Status)
	}
	return &source{answer.Body, answer.Request.URL}, nil
}

// download writes what is at a place to a file.
func download(ctx context.Context, u *url.URL, file string) error {
	in, err := open(ctx, u)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, maxWheel+1))
	if err == nil && n > maxWheel {
		err = fmt.Errorf("the file has more than %d bytes", maxWheel)
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// link is a link of an index's page, in the form of PEP 503.
var link = regexp.MustCompile(`(?i)<a\s[^>]*href\s*=\s*["']([^"']+)["']`)

// fromIndex looks for the wheel in the page of its package, and downloads it.
func fromIndex(ctx context.Context, index *url.URL, a Artifact, file string) error {
	from, err := open(ctx, index.JoinPath(a.Package, "/"))
	if err != nil {
		return err
	}
	defer from.Close()
	page, err := io.ReadAll(io.LimitReader(from, maxPage))
	if err != nil {
		return err
	}
	for _, m := range link.FindAllSubmatch(page, -1) {
		u, err := from.at.Parse(html.UnescapeString(string(m[1])))
		if err != nil || path.Base(u.Path) != a.Filename {
			continue
		}
		u.Fragment = ""
		if u.Host == index.Host && u.User == nil {
			u.User = index.User
		}
		return download(ctx, u, file)
	}
	return fmt.Errorf("the page of %s does not have the file", a.Package)
}
