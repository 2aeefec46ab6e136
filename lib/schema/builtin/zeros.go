//go:build ignore

// The Go types of the API → the lines of zeros.txt. Used by `generate` only.
//
//	go run zeros.go k8s.io/api=DIR k8s.io/apimachinery=DIR …
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var scalars = []string{"bool", "string", "int", "int32", "int64", "uint32", "float32", "float64"}

// What a package declares, and what it calls the others.
type goPackage struct {
	types   map[string]ast.Expr
	imports map[string]string
}

var packages = map[string]*goPackage{} // by import path

func read(module, dir string) error {
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(file))
		if err != nil {
			return err
		}
		add(path.Join(module, filepath.ToSlash(folder)), syntax)
		return nil
	})
}

func add(name string, file *ast.File) {
	if packages[name] == nil {
		packages[name] = &goPackage{map[string]ast.Expr{}, map[string]string{}}
	}
	for _, imported := range file.Imports {
		from, _ := strconv.Unquote(imported.Path.Value)
		called := path.Base(from)
		if imported.Name != nil {
			called = imported.Name.Name
		}
		packages[name].imports[called] = from
	}
	for _, declaration := range file.Decls {
		if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE {
			for _, one := range types.Specs {
				packages[name].types[one.(*ast.TypeSpec).Name.Name] = one.(*ast.TypeSpec).Type
			}
		}
	}
}

func isScalar(in string, expression ast.Expr) bool {
	name := ""
	switch named := expression.(type) {
	case *ast.Ident:
		name = named.Name
	case *ast.SelectorExpr:
		if of, ok := named.X.(*ast.Ident); ok {
			in, name = packages[in].imports[of.Name], named.Sel.Name
		}
	}
	if packages[in] != nil && packages[in].types[name] != nil {
		return isScalar(in, packages[in].types[name])
	}
	return slices.Contains(scalars, name)
}

// The names of the fields that are scalars, no pointers, and left out when they are zero.
func zeros(in string, of *ast.StructType) (names []string) {
	for _, field := range of.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		words := strings.Split(reflect.StructTag(tag).Get("json"), ",")
		if inlined, ok := field.Type.(*ast.Ident); ok && words[0] == "" {
			if fields, ok := packages[in].types[inlined.Name].(*ast.StructType); ok {
				names = append(names, zeros(in, fields)...)
			}
		} else if words[0] != "" && slices.Contains(words[1:], "omitempty") && isScalar(in, field.Type) {
			names = append(names, words[0])
		}
	}
	return names
}

// "k8s.io/api/core/v1" → "io.k8s.api.core.v1", as the OpenAPI documents call it.
func component(in string) string {
	host, rest, _ := strings.Cut(in, "/")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".")
}

func main() {
	for _, argument := range os.Args[1:] {
		module, dir, _ := strings.Cut(argument, "=")
		if err := read(module, dir); err != nil {
			log.Fatal(err)
		}
	}
	var lines []string
	for in, declared := range packages {
		for name, expression := range declared.types {
			if fields, ok := expression.(*ast.StructType); ok && ast.IsExported(name) {
				if names := zeros(in, fields); len(names) > 0 {
					slices.Sort(names)
					lines = append(lines, component(in)+"."+name+" "+strings.Join(names, " "))
				}
			}
		}
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
