//go:build ignore

// The Go types of the API → the lines of zeros.txt. Used by `generate` only.
//
//	go run zeros.go gotypes.go k8s.io/api=DIR k8s.io/apimachinery=DIR … <defaults.txt
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var scalars = []string{"bool", "string", "int", "int32", "int64", "uint32", "float32", "float64"}

func isScalar(in string, expression ast.Expr) bool {
	name := ""
	switch named := expression.(type) {
	case *ast.ArrayType:
		// Bytes are base64 in JSON: a string.
		of, ok := named.Elt.(*ast.Ident)
		return ok && named.Len == nil && of.Name == "byte"
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

// "TYPE FIELD" of the fields with a default: the function that sets it cannot tell a zero from an absent field.
var defaulted = map[string]bool{}

func readDefaults() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) > 2 && strings.HasPrefix(words[0], "io.") {
			defaulted[words[0]+" "+words[1]] = true
		}
	}
}

// The names of the fields that are scalars, no pointers, and left out or replaced by a default when they are zero.
func zeros(in, called string, of *ast.StructType) (names []string) {
	for _, field := range of.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		words := strings.Split(reflect.StructTag(tag).Get("json"), ",")
		if inlined, ok := field.Type.(*ast.Ident); ok && words[0] == "" {
			if fields, ok := packages[in].types[inlined.Name].(*ast.StructType); ok {
				names = append(names, zeros(in, called, fields)...)
			}
		} else if words[0] != "" && isScalar(in, field.Type) &&
			(slices.Contains(words[1:], "omitempty") || defaulted[called+" "+words[0]]) {
			names = append(names, words[0])
		}
	}
	return names
}

func main() {
	readModules()
	readDefaults()
	var lines []string
	for in, declared := range packages {
		for name, expression := range declared.types {
			if fields, ok := expression.(*ast.StructType); ok && ast.IsExported(name) {
				called := component(in) + "." + name
				if names := zeros(in, called, fields); len(names) > 0 {
					slices.Sort(names)
					lines = append(lines, called+" "+strings.Join(names, " "))
				}
			}
		}
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
