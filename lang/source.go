package lang

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// module is the path of this Go module.
const module = "github.com/skainet-dev/skainet-go/"

// own are the folders of this module whose functions models call, or whose functions call
// models; a line of theirs is not the model's.
var own = []string{"lang", "compile", "tensor", "errs", "backend", "io", "rules"}

// depth is how many calls lie between a model's line and this package, at most: the layers
// of lang/nn are a few deep.
const depth = 16

// calls are the callers of a method of this package, the innermost first.
type calls [depth]uintptr

// callers returns the callers, but for skip of them and this function.
func callers(skip int) (c calls) {
	runtime.Callers(skip+2, c[:])
	return c
}

// source returns the innermost line that is not of this package and those next to it,
// "mlp.go:16", and what that line called, "Tensor.Softmax". Both are "" where there is none.
func (c *calls) source() (line, called string) {
	frames := runtime.CallersFrames(c[:])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "" || strings.HasPrefix(f.Function, "runtime."):
			called = ""
		case isOwn(f):
			called = name(f.Function)
		default:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line), called
		}
	}
	return "", ""
}

// isOwn reports whether a call is of this module's own layers.
func isOwn(f runtime.Frame) bool {
	place, ok := strings.CutPrefix(f.Function, module)
	if !ok || strings.HasSuffix(f.File, "_test.go") {
		return false
	}
	room := place[:strings.IndexAny(place+".", "./")]
	for _, o := range own {
		if room == o {
			return true
		}
	}
	return false
}

// name returns a function's name without its package's folder, and without that of this
// package: "Tensor.Softmax", "nn.Linear".
func name(function string) string {
	function = function[strings.LastIndex(function, "/")+1:]
	function = strings.NewReplacer("(*", "", ")", "").Replace(strings.TrimPrefix(function, "lang."))
	if i := strings.Index(function, "["); i >= 0 { // type arguments
		function = function[:i]
	}
	return function
}

// located adds the line of the model to the first coded error in err's chain. An error that
// the model's own code panics with, such as one of a weight file's settings, is no mistake of
// the line.
func located(err error, c calls) error {
	var coded *errs.Error
	if !errors.As(err, &coded) || coded.Source != "" {
		return err
	}
	switch line, called := c.source(); {
	case line != "" && called != "":
		coded.Source = line + ": " + called
	case coded.Code == CodePanic:
		coded.Source = line
	}
	return err
}

// lines remembers which line made the nodes of a path, for what is found in the finished
// graph; of a path that several lines share, none.
type lines map[string]calls

// add remembers the line that called the method which called add's caller.
func (l *lines) add(path string) {
	if *l == nil {
		*l = lines{}
	}
	if _, ok := (*l)[path]; ok {
		(*l)[path] = calls{}
		return
	}
	(*l)[path] = callers(1)
}

// locate adds to an error the line that made the node which the error names.
func (l lines) locate(err error) error {
	var coded *errs.Error
	if errors.As(err, &coded) {
		return located(err, l[coded.Node])
	}
	return err
}
