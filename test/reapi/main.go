// Command reapi is a strict server of the Remote Execution API for tests on
// loopback: actions see their inputs and nothing else.
//
//	reapi --root DIR --address-file FILE --bwrap /usr/bin/bwrap --show /usr --show /lib --twice --forbid "$PWD"
//
// It serves until it is interrupted. With --log, each action is a line of JSON
// in that file.
package main

import (
	"context"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
	"github.com/skainet-dev/skainet-go/test/reapi/server"
	"github.com/skainet-dev/skainet-go/test/reapi/worker"
)

type options struct {
	worker.Options
	root, listen, addressFile, log string
	jobs                           int64
	twice                          bool
}

func main() {
	ctx, stop := interrupt.Context(context.Background(), "reapi")
	defer stop()
	os.Exit(command.Run(ctx, newCommand(), os.Args[1:], os.Stdout, os.Stderr))
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "reapi --root DIR", Short: "Serves the Remote Execution API on loopback", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.root, "root", "", "folder for blobs and actions")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "address to listen at")
	f.StringVar(&o.addressFile, "address-file", "", "file to which the address is written once the server listens")
	f.StringVar(&o.log, "log", "", "file that gets a line for each action; by default stderr")
	f.Int64Var(&o.jobs, "jobs", 2, "maximum number of concurrent actions")
	f.StringVar(&o.Bwrap, "bwrap", "", "bubblewrap, to run actions in; without it they run unsandboxed")
	f.StringArrayVar(&o.Show, "show", nil, "folder of the host that sandboxed actions see, read-only; may be repeated")
	f.BoolVar(&o.twice, "twice", false, "run each action except tests twice, in two places, and fail it if the outputs differ")
	f.StringArrayVar(&o.Forbid, "forbid", nil, "text that no argument, environment value or output may hold; may be repeated")
	cmd.MarkFlagRequired("root") //nolint:errcheck // the flag exists
	return cmd
}

func (o *options) serve(ctx context.Context) error {
	store, err := cas.Open(o.root)
	if err != nil {
		return err
	}
	w, err := worker.New(store, o.root, o.Options)
	if err != nil {
		return err
	}
	var log io.Writer = os.Stderr
	if o.log != "" {
		f, err := os.OpenFile(o.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		log = f
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	if o.addressFile != "" {
		if err := atomicfile.WriteFile(o.addressFile, []byte(l.Addr().String())); err != nil {
			l.Close()
			return err
		}
	}
	g := server.New(store, w, server.Options{Jobs: o.jobs, Twice: o.twice, Log: log}).GRPC()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return g.Serve(l) })
	group.Go(func() error {
		<-ctx.Done()
		g.Stop()
		return nil
	})
	return group.Wait()
}
