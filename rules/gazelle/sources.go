package gazelle

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// shape classifies a package-level name.
type shape int

const (
	other    shape = iota // nothing to do with models
	near                  // takes a module and is not a constructor
	maker                 // returns a constructor
	builder               // is a constructor
	variable              // may be either: only the compiler can tell
)

// symbol is a package-level name.
type symbol struct {
	name  string
	shape shape
	why   string // for near and maker: how it differs from a constructor
	place string // file:line
}

// sources holds what the Go files of a folder declare.
type sources struct {
	packageName string
	symbols     map[string]symbol // of all files except tests
	builders    []symbol          // exported constructors of the library's files, by name
	faults      []error           // of files that could not be parsed
}

// isSource reports whether a file of a folder may belong to its library. Gazelle also lists the
// files of subfolders that have no BUILD file.
func isSource(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "/")
}

// scan parses the Go files of a folder. The constructors are those in the files that
// library lists, or in all files if it is nil.
func scan(dir, rel string, files []string, library map[string]bool) *sources {
	s := &sources{symbols: map[string]symbol{}}
	set := token.NewFileSet()
	for _, base := range files {
		if !isSource(base) {
			continue
		}
		place := path.Join(rel, base)
		data, err := os.ReadFile(filepath.Join(dir, base))
		var file *ast.File
		if err == nil {
			file, err = parser.ParseFile(set, place, data, parser.SkipObjectResolution)
		}
		if err != nil {
			s.faults = append(s.faults, errs.Wrap(CodeSource, err, "the Go file cannot be read").In(place).
				Hint("fix it and run gazelle again: until then the models of this folder are left unchanged"))
			continue
		}
		ours := library == nil || library[base]
		if ours {
			s.packageName = file.Name.Name
		}
		s.declare(set, file, ours)
	}
	slices.SortFunc(s.builders, func(a, b symbol) int { return strings.Compare(a.name, b.name) })
	return s
}

func (s *sources) declare(set *token.FileSet, file *ast.File, ours bool) {
	lang := langName(file)
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				continue
			}
			position := set.Position(d.Name.Pos())
			f := symbol{name: d.Name.Name, place: fmt.Sprintf("%s:%d", position.Filename, position.Line)}
			f.shape, f.why = classify(d, lang)
			s.symbols[f.name] = f
			if ours && f.shape == builder && ast.IsExported(f.name) {
				s.builders = append(s.builders, f)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				values, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, identifier := range values.Names {
					position := set.Position(identifier.Pos())
					s.symbols[identifier.Name] = symbol{name: identifier.Name, shape: variable, place: fmt.Sprintf("%s:%d", position.Filename, position.Line)}
				}
			}
		}
	}
}

// langName returns the name of package lang in a file: "" if it is not imported,
// "." if it is dot-imported.
func langName(file *ast.File) string {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil || imported != langPath {
			continue
		}
		switch {
		case spec.Name == nil:
			return path.Base(langPath)
		case spec.Name.Name != "_":
			return spec.Name.Name
		}
	}
	return ""
}

func classify(d *ast.FuncDecl, lang string) (shape, string) {
	if lang == "" {
		return other, ""
	}
	var taken int
	var takesModule bool
	for _, field := range d.Type.Params.List {
		taken += max(1, len(field.Names))
		takesModule = takesModule || isModule(field.Type, lang)
	}
	results := d.Type.Results.NumFields()
	switch {
	case results == 1 && givesBuilder(d.Type.Results.List[0].Type, lang):
		return maker, "only a call to it is"
	case !takesModule:
		return other, ""
	case d.Type.TypeParams.NumFields() > 0:
		return near, "it has type parameters"
	case taken != 1:
		return near, fmt.Sprintf("it takes %d parameters", taken)
	case results != 0:
		return near, "it returns a result"
	}
	return builder, ""
}

// isModule reports whether e is *lang.Module.
func isModule(e ast.Expr, lang string) bool {
	pointer, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok && isOf(pointer.X, lang, "Module")
}

// givesBuilder reports whether e is func(*lang.Module) or lang.Constructor.
func givesBuilder(e ast.Expr, lang string) bool {
	f, ok := ast.Unparen(e).(*ast.FuncType)
	if !ok {
		return isOf(e, lang, "Constructor")
	}
	return f.Results.NumFields() == 0 && f.Params.NumFields() == 1 && isModule(f.Params.List[0].Type, lang)
}

func isOf(e ast.Expr, lang, wanted string) bool {
	e = ast.Unparen(e)
	if lang == "." {
		identifier, ok := e.(*ast.Ident)
		return ok && identifier.Name == wanted
	}
	selector, ok := e.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != wanted {
		return false
	}
	of, ok := selector.X.(*ast.Ident)
	return ok && of.Name == lang
}

// lacks returns why a symbol is not the constructor that an expression asks for.
func (c constructor) lacks(s symbol) string {
	switch {
	case !ast.IsExported(s.name):
		return "it is not exported"
	case s.shape == variable:
		return ""
	case c.call && s.shape != maker:
		return "the function does not return one"
	case !c.call && s.shape == other:
		return "it takes no *lang.Module"
	case !c.call && s.shape != builder:
		return s.why
	}
	return ""
}
