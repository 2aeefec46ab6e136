//go:build ignore

// The types that Go packages declare, for zeros.go and setters.go.
package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What a package declares, and what it calls the others.
type goPackage struct {
	types   map[string]ast.Expr
	docs    map[string]string // of types, with those of their fields
	imports map[string]string
	setters []*ast.FuncDecl // SetDefaults_…
}

var packages = map[string]*goPackage{} // by import path

func read(module, dir string) error {
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution|parser.ParseComments)
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
		packages[name] = &goPackage{types: map[string]ast.Expr{}, docs: map[string]string{}, imports: map[string]string{}}
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
				addType(packages[name], types, one.(*ast.TypeSpec))
			}
		}
		if function, ok := declaration.(*ast.FuncDecl); ok && strings.HasPrefix(function.Name.Name, "SetDefaults_") {
			packages[name].setters = append(packages[name].setters, function)
		}
	}
}

func addType(in *goPackage, group *ast.GenDecl, one *ast.TypeSpec) {
	in.types[one.Name.Name] = one.Type
	// Of a comment group's Text, lines that look like directives are missing.
	for _, comments := range []*ast.CommentGroup{group.Doc, one.Doc} {
		in.docs[one.Name.Name] += rawText(comments)
	}
	if fields, ok := one.Type.(*ast.StructType); ok {
		for _, field := range fields.Fields.List {
			in.docs[one.Name.Name] += rawText(field.Doc)
		}
	}
}

func rawText(comments *ast.CommentGroup) (text string) {
	if comments != nil {
		for _, comment := range comments.List {
			text += comment.Text + "\n"
		}
	}
	return text
}

// "k8s.io/api/core/v1" → "io.k8s.api.core.v1", as the OpenAPI documents call it.
func component(in string) string {
	host, rest, _ := strings.Cut(in, "/")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".")
}

// Reads the arguments, "MODULE=DIR …".
func readModules() {
	for _, argument := range os.Args[1:] {
		module, dir, _ := strings.Cut(argument, "=")
		if err := read(module, dir); err != nil {
			log.Fatal(err)
		}
	}
}
