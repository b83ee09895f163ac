package gazelle

import (
	"go/ast"
	"go/parser"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bazelbuild/bazel-gazelle/config"
	"github.com/bazelbuild/bazel-gazelle/label"
	"github.com/bazelbuild/bazel-gazelle/rule"

	"github.com/skainet-dev/skainet-go/errs"
)

// settings holds the directives in force in a folder: its own and those inherited from its parents.
type settings struct {
	disabled     bool
	constructors []constructor
	named        bool   // set by this folder's own BUILD file
	file         string // the path of that BUILD file
	backends     map[string]string
	parity, rows *[]string // nil without a directive
	noParity     string    // why parity leaves out other backends, if the directive says it
	weights      string
}

// constructor is an expression of a model's package with the type of
// lang.Constructor: a function, or a call that returns one.
type constructor struct {
	text   string // Model, Heads(12)
	symbol string // the function, or a variable
	call   bool
	target string // the target's name, if a directive gives one
}

const (
	extensionKey   = "skainet_extension"
	constructorKey = "skainet_constructor"
	backendKey     = "skainet_backend"
	parityKey      = "skainet_parity"
	rowsKey        = "skainet_rows"
	weightsKey     = "skainet_weights"
)

// because begins the reason in the directive of parity.
const because = "because"

func (*extension) KnownDirectives() []string {
	return []string{extensionKey, constructorKey, backendKey, parityKey, rowsKey, weightsKey}
}

// Configure reads the directives of a folder.
func (x *extension) Configure(c *config.Config, rel string, f *rule.File) {
	s := settings{}
	if above, ok := c.Exts[name].(*settings); ok {
		s = *above
	}
	s.named, s.weights, s.file = false, "", path.Join(rel, "BUILD.bazel")
	if f != nil {
		s.file = path.Join(rel, filepath.Base(f.Path))
		d := directives{settings: &s, rel: rel, seen: map[string]bool{}}
		for _, directive := range f.Directives {
			if err := d.take(directive.Key, directive.Value); err != nil {
				x.report(err)
			}
		}
	}
	c.Exts[name] = &s
}

// directives collects the directives of one folder.
type directives struct {
	*settings
	rel  string
	seen map[string]bool // keys for which the folder has its own list
}

// fresh reports whether key begins the folder's own list.
func (d *directives) fresh(key string) bool {
	first := !d.seen[key]
	d.seen[key] = true
	return first
}

func (d *directives) take(key, value string) error {
	fields := strings.Fields(value)
	switch key {
	case extensionKey:
		if value != "enabled" && value != "disabled" {
			return d.fault(key, value).Hint("write enabled or disabled")
		}
		d.disabled = value == "disabled"
	case constructorKey:
		if d.fresh(key) || value == "" {
			d.constructors, d.named = nil, true
		}
		if value == "" {
			return nil
		}
		found, ok := parseConstructor(value)
		if !ok {
			return d.fault(key, value).Hint("write a function's name or a call, optionally followed by the target's name: Encoder, or Heads(12) bert")
		}
		d.constructors = append(slices.Clone(d.constructors), found)
	case backendKey:
		return d.backend(value, fields)
	case parityKey:
		d.noParity = ""
		if at := slices.Index(fields, because); at >= 0 {
			if d.noParity = strings.Join(fields[at+1:], " "); d.noParity == "" {
				return d.fault(key, value).Hint("write the reason behind %s: cloud because the others run on boards", because)
			}
			fields = fields[:at]
		}
		d.parity = &fields
	case rowsKey:
		d.rows = nil
		if value == "" {
			return nil
		}
		labels := make([]string, 0, len(fields))
		for _, field := range fields {
			absolute, ok := d.absolute(field)
			if !ok {
				return d.fault(key, field).Hint("write labels of iree_target targets: //rows:board")
			}
			labels = append(labels, absolute)
		}
		d.rows = &labels
	case weightsKey:
		absolute, ok := d.absolute(value)
		if !ok || len(fields) != 1 {
			return d.fault(key, value).Hint("write the label of one file: @hub//:model.gguf")
		}
		d.weights = absolute
	}
	return nil
}

var word = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func (d *directives) backend(value string, fields []string) error {
	known := map[string]string{}
	if !d.fresh(backendKey) && value != "" {
		for k, v := range d.backends {
			known[k] = v
		}
	}
	if value == "" {
		d.backends = nil
		return nil
	}
	const hint = "write a name, then a row of the platform table or a platform: edge aarch64, or pixel //platforms:pixel"
	if len(fields) != 2 || !word.MatchString(fields[0]) {
		return d.fault(backendKey, value).Hint(hint)
	}
	backend, target := fields[0], fields[1]
	if !word.MatchString(target) {
		absolute, ok := d.absolute(target)
		if !ok || !strings.ContainsAny(target[:1], ":/@") {
			return d.fault(backendKey, value).Hint(hint)
		}
		target = absolute
	}
	if known[backend] != "" {
		return d.fault(backendKey, value).Hint("%s already has a target in this file, %s: remove one of them", backend, known[backend])
	}
	known[backend] = target
	d.backends = known
	return nil
}

func (d *directives) fault(key, value string) *errs.Error {
	return errs.New(CodeDirective, "%q is not a valid value", value).In(d.file).On("gazelle:" + key)
}

// absolute returns a label that means the same in subfolders.
func (d *directives) absolute(value string) (string, bool) {
	l, err := label.Parse(value)
	if err != nil || value == "" {
		return "", false
	}
	return l.Abs("", d.rel).String(), true
}

// relative returns a label as a BUILD file of package rel writes it.
func relative(absolute, rel string) string {
	l, err := label.Parse(absolute)
	if err != nil {
		return absolute // the name of a row
	}
	if l.Relative || l.Repo != "" {
		return absolute
	}
	return l.Rel("", rel).String()
}

// parseConstructor parses an expression, optionally followed by a target's name.
func parseConstructor(value string) (constructor, bool) {
	if found, ok := parseExpression(value); ok {
		return found, true
	}
	i := strings.LastIndexAny(value, " \t")
	if i < 0 {
		return constructor{}, false
	}
	found, ok := parseExpression(strings.TrimSpace(value[:i]))
	found.target = value[i+1:]
	return found, ok && word.MatchString(found.target)
}

func parseExpression(text string) (constructor, bool) {
	expression, err := parser.ParseExpr(text)
	if err != nil || int(expression.End()) <= len(text) { // followed by a comment
		return constructor{}, false
	}
	call, isCall := expression.(*ast.CallExpr)
	if isCall {
		expression = call.Fun
	}
	identifier, ok := expression.(*ast.Ident)
	if !ok {
		return constructor{}, false
	}
	return constructor{text: text, symbol: identifier.Name, call: isCall}, true
}
