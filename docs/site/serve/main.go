// Command serve shows the site in a browser of this machine.
//
//	serve [--listen ADDRESS] FOLDER
//
// # Errors
//
// SITE_SERVE if the folder has no page, or the address is taken.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

const codeServe errs.Code = "SITE_SERVE" // smallest input: an empty folder

func main() {
	command.Main("serve", func(ctx context.Context) int {
		var listen string
		cmd := &cobra.Command{
			Use:   "serve FOLDER",
			Short: "Shows a folder of web pages in a browser of this machine",
			Args:  cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return serve(cmd.Context(), cmd, listen, args[0])
			},
		}
		cmd.Flags().StringVar(&listen, "listen", "localhost:8000", "the `address` to listen at; port 0 takes a free one")
		return command.RunTool(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// serve answers requests until the program is interrupted.
func serve(ctx context.Context, cmd *cobra.Command, listen, folder string) error {
	if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
		return errs.Wrap(codeServe, err, "the folder has no first page").In(folder).Hint("build it with bazel build //docs:site")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return errs.Wrap(codeServe, err, "cannot listen").In(listen).Hint("give another address with --listen, such as localhost:0")
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(folder)), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	fmt.Fprintf(cmd.OutOrStdout(), "http://%s/ shows the site; end with Ctrl-C\n", l.Addr())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return errs.Wrap(codeServe, err, "the server ended").In(listen)
	}
	return nil
}
