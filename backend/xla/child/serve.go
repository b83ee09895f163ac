package child

import (
	"context"
	"errors"
	"io"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
)

// Serve answers the requests of a parent until there are no more.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var x backend.Executable
	defer func() {
		if x != nil {
			_ = x.Close()
		}
	}()
	for {
		request, err := read(in)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var answer message
		switch {
		case request.Kind == kindOpen && request.Open != nil && x == nil:
			if x, err = request.Open.open(ctx); err == nil {
				answer.Contract = x.Contract()
			}
		case request.Kind == kindCall && x != nil:
			answer.values, err = x.Call(ctx, request.Entry, request.values...)
		default:
			err = errs.New(CodeChild, "a request %q where none can be", request.Kind)
		}
		if err != nil {
			answer = message{Fault: faultOf(err)}
		}
		if err := write(out, answer, answer.values); err != nil {
			return err
		}
	}
}

func (o *opening) open(ctx context.Context) (backend.Executable, error) {
	options := xla.Options{
		Program: o.Program, Archives: o.Archives, CopyParameters: o.Copy, Weights: o.Weights, Plugin: o.Plugin, Device: o.Device, Threads: o.Threads,
		Level: o.Level, Sizes: o.Sizes, Buckets: o.Buckets, Programs: o.Programs, Lazy: o.Lazy, Without: o.Without,
	}
	var err error
	if o.Cache != "" {
		if options.Cache, err = cache.Open(o.Cache); err != nil {
			return nil, err
		}
	}
	if o.Graph != nil {
		if options.Graph, err = graphjson.Parse(o.Graph); err != nil {
			return nil, err
		}
	}
	return xla.Open(ctx, options)
}
