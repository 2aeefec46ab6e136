//go:build ignore

// What the Go sources of a release say of defaults and unions, a line each, for the to-do list of `generate`:
//
//	default TYPE FIELD FUNCTION    a SetDefaults_… function sets the field
//	union TYPE                     the comments say that one of the type's fields may be set
//
//	go run setters.go gotypes.go k8s.io/api=DIR k8s.io/kubernetes/pkg/apis=DIR …
package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Go type, and the package whose names its expression uses.
type goType struct {
	in         string
	expression ast.Expr
}

var onlyOne = regexp.MustCompile(`(?i)\+union\b|\+k8s:union|\b(only|exactly|at most) one of\b`)

// Of `*T`, `[]T` and `map[…]T`: T.
func element(of goType) goType {
	switch outer := of.expression.(type) {
	case *ast.StarExpr:
		return goType{of.in, outer.X}
	case *ast.ArrayType:
		return goType{of.in, outer.Elt}
	case *ast.MapType:
		return goType{of.in, outer.Value}
	}
	return of
}

// The struct that `of` names or points to, with its package and name.
func structOf(of goType) (in, name string, fields *ast.StructType) {
	if _, points := of.expression.(*ast.StarExpr); points {
		of = element(of)
	}
	switch named := of.expression.(type) {
	case *ast.Ident:
		in, name = of.in, named.Name
	case *ast.SelectorExpr:
		if from, ok := named.X.(*ast.Ident); ok && packages[of.in] != nil {
			in, name = packages[of.in].imports[from.Name], named.Sel.Name
		}
	}
	if packages[in] != nil {
		fields, _ = packages[in].types[name].(*ast.StructType)
	}
	return in, name, fields
}

// The field of that Go name: its JSON name and type. Fields of inlined structs count as the outer's.
func fieldOf(of goType, goName string) (jsonName string, found goType, ok bool) {
	in, _, fields := structOf(of)
	if fields == nil {
		return "", goType{}, false
	}
	for _, field := range fields.Fields.List {
		if len(field.Names) == 0 {
			if jsonName, found, ok = fieldOf(goType{in, field.Type}, goName); ok {
				return jsonName, found, true
			}
		}
		for _, name := range field.Names {
			if name.Name == goName && field.Tag != nil {
				tag, _ := strconv.Unquote(field.Tag.Value)
				jsonName, _, _ = strings.Cut(reflect.StructTag(tag).Get("json"), ",")
				return jsonName, goType{in, field.Type}, true
			}
		}
	}
	return "", goType{}, false
}

// Of one function: the types of its variables, as far as they follow from those of its parameters.
type scope map[string]goType

func (vars scope) typeOf(expression ast.Expr) goType {
	switch e := expression.(type) {
	case *ast.Ident:
		return vars[e.Name]
	case *ast.ParenExpr:
		return vars.typeOf(e.X)
	case *ast.StarExpr:
		return element(vars.typeOf(e.X))
	case *ast.UnaryExpr:
		return vars.typeOf(e.X)
	case *ast.IndexExpr:
		return element(vars.typeOf(e.X))
	case *ast.SelectorExpr:
		_, found, _ := fieldOf(vars.typeOf(e.X), e.Sel.Name)
		return found
	}
	return goType{}
}

// "TYPE FIELD" if `target = …` sets a field that JSON has.
func (vars scope) set(target ast.Expr) string {
	if star, ok := target.(*ast.StarExpr); ok {
		target = star.X
	}
	if parens, ok := target.(*ast.ParenExpr); ok {
		target = parens.X
	}
	selector, ok := target.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	owner := vars.typeOf(selector.X)
	in, name, _ := structOf(owner)
	field, _, ok := fieldOf(owner, selector.Sel.Name)
	if !ok || field == "" {
		return ""
	}
	return component(in) + "." + name + " " + field
}

func printSetter(in string, function *ast.FuncDecl) (lines []string) {
	vars := scope{}
	for _, parameter := range function.Type.Params.List {
		for _, name := range parameter.Names {
			vars[name.Name] = goType{in, parameter.Type}
		}
	}
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch statement := node.(type) {
		case *ast.RangeStmt:
			if value, ok := statement.Value.(*ast.Ident); ok {
				vars[value.Name] = element(vars.typeOf(statement.X))
			}
		case *ast.AssignStmt:
			for i, target := range statement.Lhs {
				if name, ok := target.(*ast.Ident); ok && statement.Tok == token.DEFINE && i < len(statement.Rhs) {
					vars[name.Name] = vars.typeOf(statement.Rhs[i])
				} else if field := vars.set(target); field != "" {
					lines = append(lines, "default "+field+" "+function.Name.Name)
				}
			}
		}
		return true
	})
	return lines
}

func main() {
	readModules()
	var lines []string
	for in, declared := range packages {
		for _, function := range declared.setters {
			lines = append(lines, printSetter(in, function)...)
		}
		for name, doc := range declared.docs {
			if onlyOne.MatchString(doc) && ast.IsExported(name) {
				lines = append(lines, "union "+component(in)+"."+name)
			}
		}
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(slices.Compact(lines), "\n"))
}
