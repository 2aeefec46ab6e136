//go:build ignore

// The lifecycles that the API's packages state (zz_generated.prerelease-lifecycle.go) → the lines of lifecycle.txt. Used by `generate`.
//
//	go run lifecycle.go DIR…      modules, the newest release first: what it says of a kind counts
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type lifecycle struct{ introduced, deprecated, removed, replacement string }

var found = map[string]*lifecycle{} // "GROUP/VERSION KIND"

var groupName = regexp.MustCompile(`GroupName\s*=\s*"([^"]*)"`)

func groupOf(folder string) string {
	text, err := os.ReadFile(filepath.Join(folder, "register.go"))
	if err != nil {
		log.Fatal(err)
	}
	return string(groupName.FindSubmatch(text)[1])
}

// What a function returns: "1.16", or "apps/v1 Deployment".
func returned(function *ast.FuncDecl) string {
	results := function.Body.List[0].(*ast.ReturnStmt).Results
	if numbers := len(results) == 2; numbers {
		return results[0].(*ast.BasicLit).Value + "." + results[1].(*ast.BasicLit).Value
	}
	parts := map[string]string{}
	for _, element := range results[0].(*ast.CompositeLit).Elts {
		pair := element.(*ast.KeyValueExpr)
		parts[pair.Key.(*ast.Ident).Name] = strings.Trim(pair.Value.(*ast.BasicLit).Value, `"`)
	}
	return strings.TrimPrefix(parts["Group"]+"/"+parts["Version"], "/") + "/" + parts["Kind"]
}

func add(kinds map[string]*lifecycle, name string, function *ast.FuncDecl) {
	if kinds[name] == nil {
		kinds[name] = &lifecycle{"-", "-", "-", "-"}
	}
	switch kind := kinds[name]; function.Name.Name {
	case "APILifecycleIntroduced":
		kind.introduced = returned(function)
	case "APILifecycleDeprecated":
		kind.deprecated = returned(function)
	case "APILifecycleRemoved":
		kind.removed = returned(function)
	case "APILifecycleReplacement":
		kind.replacement = returned(function)
	}
}

func read(file string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	folder := filepath.Dir(file)
	version := strings.TrimPrefix(groupOf(folder)+"/"+filepath.Base(folder), "/")
	kinds := map[string]*lifecycle{}
	for _, declaration := range parsed.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && strings.HasPrefix(function.Name.Name, "APILifecycle") {
			of := function.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			add(kinds, version+" "+of, function)
		}
	}
	for name, kind := range kinds {
		if found[name] == nil {
			found[name] = kind
		}
	}
}

func main() {
	for _, module := range os.Args[1:] {
		err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "zz_generated.prerelease-lifecycle.go" && strings.Contains(path, "/v") {
				read(path)
			}
			return err
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	var lines []string
	for name, kind := range found {
		list := strings.HasSuffix(name, "List") && found[strings.TrimSuffix(name, "List")] != nil
		if kind.deprecated != "-" && !list {
			// k8s.io/api says that IngressClassList replaces IngressClass.
			replacement := strings.TrimSuffix(kind.replacement, "List")
			lines = append(lines, fmt.Sprintln(name, kind.introduced, kind.deprecated, kind.removed, replacement))
		}
	}
	slices.Sort(lines)
	fmt.Print(strings.Join(lines, ""))
}
