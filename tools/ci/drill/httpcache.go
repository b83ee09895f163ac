package drill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/skainet-dev/skainet-go/errs"
)

// configuration is a Bazel cache in nginx: files by PUT and GET, in folders of two
// digits of their hash as nginx makes them.
var configuration = template.Must(template.New("").Parse(`
worker_processes 1;
daemon off;
{{.User}}
pid {{.Root}}/pid;
error_log {{.Root}}/error.log warn;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path {{.Root}}/body;
  proxy_temp_path {{.Root}}/t; fastcgi_temp_path {{.Root}}/t; uwsgi_temp_path {{.Root}}/t; scgi_temp_path {{.Root}}/t;
  sendfile on; tcp_nopush on;
  keepalive_requests 100000; keepalive_timeout 120s;
  server {
    listen {{.Address}};
    root {{.Root}}/cache;
    client_max_body_size 0;
    default_type application/octet-stream;
    location / { deny all; }
    location ~ "^/(ac|cas)/[0-9a-f]{64}$" {
      dav_methods PUT;
      create_full_put_path on;
      limit_except GET HEAD PUT { deny all; }
    }
  }
}
`))

// webCache starts the HTTP cache where one is drilled: nginx, or a server of this
// process.
func (s *session) webCache(ctx context.Context) (*service, error) {
	if !s.wants("http") {
		return &service{}, nil
	}
	root := s.path("http")
	if err := os.MkdirAll(filepath.Join(root, "cache"), 0o755); err != nil {
		return nil, errs.Wrap(CodeTool, err, "the HTTP cache")
	}
	if s.Nginx == "" {
		return s.ownCache(ctx, filepath.Join(root, "cache"))
	}
	address, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	values := map[string]string{"Root": root, "Address": address}
	if os.Geteuid() == 0 { // its workers would be another user, who cannot write here
		values["User"] = "user root;"
	}
	if err := configuration.Execute(&text, values); err != nil {
		return nil, errs.Wrap(CodeTool, err, "nginx")
	}
	conf := filepath.Join(root, "nginx.conf")
	if err := os.WriteFile(conf, []byte(text.String()), 0o644); err != nil {
		return nil, errs.Wrap(CodeTool, err, "nginx")
	}
	cmd := exec.CommandContext(ctx, s.Nginx, "-e", filepath.Join(root, "error.log"), "-p", root, "-c", conf)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries(s.Nginx), ":"))
	v := &service{how: "nginx on loopback"}
	return v, s.process(cmd, v, func() string {
		if listens(ctx, address) {
			return "http://" + address
		}
		return ""
	})
}

// libraries returns the library folders of an unpacked package, given one of its programs.
func libraries(program string) []string {
	root, found := strings.CutSuffix(filepath.Dir(filepath.Dir(program)), "/usr")
	if !found || root == "" {
		return nil
	}
	var folders []string
	for _, pattern := range []string{"/lib/*", "/usr/lib/*"} {
		more, err := filepath.Glob(root + pattern)
		if err == nil {
			folders = append(folders, more...)
		}
	}
	return folders
}

var cacheName = regexp.MustCompile(`^/(ac|cas)/[0-9a-f]{64}$`)

// ownCache is the minimum that Bazel accepts as a cache.
func (s *session) ownCache(ctx context.Context, root string) (*service, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errs.Wrap(CodeTool, err, "the HTTP cache")
	}
	server := &http.Server{Handler: cacheHandler(root), ReadHeaderTimeout: patience}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	v := &service{address: "http://" + l.Addr().String(), how: "a Go server on loopback", end: func() error {
		closed := server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return closed
	}}
	s.services = append(s.services, v)
	return v, nil
}

// cacheHandler stores entries below root. A blob that does not match its name is rejected.
func cacheHandler(root string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !cacheName.MatchString(r.URL.Path) {
			http.Error(w, "no entry of a cache", http.StatusForbidden)
			return
		}
		path := filepath.Join(root, filepath.FromSlash(r.URL.Path))
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			http.ServeFile(w, r, path)
		case http.MethodPut:
			if err := keep(path, r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.WriteHeader(http.StatusCreated)
		default:
			http.Error(w, "GET, HEAD and PUT", http.StatusMethodNotAllowed)
		}
	})
}

func keep(path string, body io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "put")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, h), body)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	name := hex.EncodeToString(h.Sum(nil))
	if filepath.Base(filepath.Dir(path)) == "cas" && filepath.Base(path) != name {
		return errs.New(CodeTool, "the bytes have the sha256 %s", name)
	}
	return os.Rename(f.Name(), path)
}
