//go:build ignore

// What a release of Kubernetes adds or drops, as a to-do list against the data files of this folder. Used by `generate`.
//
//	go run todo.go OLD.schema NEW.schema OLD.setters NEW.setters FOLDER
//
// The schemas are of compile-schema, the setters of setters.go. The list ends with the lines of the data files that name
// a type or field that NEW.schema does not have.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Of a schema's text (lib/schema/serial.h).
type schema struct {
	fields map[string]map[string]string // type → field → the rest of its line, without the type of its value
	unions map[string]bool              // types
	kinds  map[string]string            // "apps/v1 Deployment" → label of its type
	refs   map[string][][2]string       // label → field and label of its value
	places map[string]string            // type → "Pod spec.containers", the shortest
}

func lines(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

var valueType = regexp.MustCompile(`^(.)([:#]\S*)?`)

func readSchema(file string) schema {
	out := schema{map[string]map[string]string{}, map[string]bool{}, map[string]string{}, map[string][][2]string{}, map[string]string{}}
	label, unnamed := "", 0
	for _, line := range lines(file) {
		words := strings.Fields(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line[0] == 'T':
			label = words[len(words)-1]
			if len(words) == 1 || label[0] != ':' || out.fields[label[1:]] != nil {
				unnamed++
				label = fmt.Sprint("#", unnamed)
			}
			out.fields[strings.TrimPrefix(label, ":")] = map[string]string{}
			if len(words) > 1 && (words[1][0] == '+' || words[1][0] == '[') {
				out.refs[label] = append(out.refs[label], [2]string{"", words[1][1:]})
			}
		case line[0] == ' ':
			field, rest, _ := strings.Cut(line[1:], " ")
			value := valueType.FindStringSubmatch(rest)
			out.fields[strings.TrimPrefix(label, ":")][field] = value[1] + rest[len(value[0]):]
			out.refs[label] = append(out.refs[label], [2]string{field, value[2]})
		case line[0] == 'U' || line[0] == 'O':
			out.unions[strings.TrimPrefix(label, ":")] = true
		case line[0] == 'K' && words[3] != "DeleteOptions" && words[3] != "WatchEvent": // of every group-version
			out.kinds[strings.TrimPrefix(words[1]+"/", "-/")+words[2]+" "+words[3]] = words[4]
		}
	}
	out.findPlaces()
	return out
}

// Breadth first, from all kinds at once, so that each type gets its shortest path.
func (s *schema) findPlaces() {
	type place struct{ label, path string }
	var queue []place
	for _, kind := range slices.Sorted(maps.Keys(s.kinds)) {
		if !strings.HasSuffix(kind, "List") {
			queue = append(queue, place{s.kinds[kind], kind})
		}
	}
	seen := map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if seen[at.label] {
			continue
		}
		seen[at.label] = true
		s.places[strings.TrimPrefix(at.label, ":")] = at.path
		for _, ref := range s.refs[at.label] {
			path := at.path
			if ref[0] != "" {
				separator := "."
				if !strings.Contains(path[strings.Index(path, " ")+1:], " ") {
					separator = " "
				}
				path += separator + ref[0]
			}
			queue = append(queue, place{ref[1], path})
		}
	}
}

func print(title string, items []string) {
	if len(items) > 0 {
		slices.Sort(items)
		fmt.Printf("\n%s:\n  %s\n", title, strings.Join(slices.Compact(items), "\n  "))
	}
}

// The keys of `a` that `b` has not.
func missing[V, W any](a map[string]V, b map[string]W) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// "TYPE FIELD (apps/v1 Deployment spec.strategy)".
func (s schema) describe(of, field string) string {
	out := strings.TrimSuffix(of+" "+field, " ")
	if place := s.places[of]; place != "" {
		out += " (" + place + ")"
	}
	return out
}

var otherFlags = regexp.MustCompile(`[^smrtSM]`)

// What a field's line says of one thing: "patch" strategy and keys, "default".
func aspect(rest, which string) string {
	before, value, _ := strings.Cut(rest, " =")
	if which == "default" {
		return value
	}
	var kept []string
	for i, word := range strings.Fields(before) {
		if !strings.Contains(word, "=") {
			word = otherFlags.ReplaceAllString(word, "")
		}
		if i > 0 && word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

func changed(old, fresh schema, which string) (out []string) {
	for name, fields := range old.fields {
		for field, before := range fields {
			after, ok := fresh.fields[name][field]
			if a, b := aspect(before, which), aspect(after, which); ok && a != b && name[0] != '#' {
				out = append(out, fmt.Sprintf("%s: %q → %q", fresh.describe(name, field), a, b))
			}
		}
	}
	return out
}

// Fields of `a` that `b` has not, of types that both have.
func fieldsMissing(a, b schema, of func(name string) bool) (out []string) {
	for name, fields := range a.fields {
		if b.fields[name] == nil || name[0] == '#' || !of(name) {
			continue
		}
		for _, field := range missing(fields, b.fields[name]) {
			out = append(out, a.describe(name, field))
		}
	}
	return out
}

func typesMissing(a, b schema) (out []string) {
	for _, name := range missing(a.fields, b.fields) {
		if name[0] != '#' {
			out = append(out, a.describe(name, ""))
		}
	}
	return out
}

func set(items []string) map[string]bool {
	out := map[string]bool{}
	for _, item := range items {
		out[item] = true
	}
	return out
}

// Defaults in code that only one of the releases has and no line or document states, and types of one member without a
// line; only of types that the schema has.
func setters(have, others []string, s schema) (defaults, unions []string) {
	for _, line := range missing(set(have), set(others)) {
		words := strings.Fields(line)
		fields := s.fields[words[1]]
		if words[0] == "union" && fields != nil && !s.unions[words[1]] {
			unions = append(unions, s.describe(words[1], ""))
		}
		if words[0] == "default" && fields != nil && !strings.Contains(fields[words[2]], " =") {
			defaults = append(defaults, s.describe(words[1], words[2])+": "+words[3])
		}
	}
	return defaults, unions
}

// Whether the fields of `path` lead from the type.
func (s schema) has(of, path string) bool {
	name, rest, deeper := strings.Cut(path, ".")
	if _, ok := s.fields[of][name]; !ok || !deeper {
		return ok
	}
	for _, label := range []string{":" + of, of} {
		for _, ref := range s.refs[label] {
			if ref[0] == name {
				return s.has(strings.TrimPrefix(ref[1], ":"), rest)
			}
		}
	}
	return false
}

// Lines of the data files that name what the schema does not have. Older versions of an API need not be served.
func dangling(s schema, folder string) (out []string) {
	for _, file := range []string{"unions.txt", "duplicates.txt", "defaults.txt", "zeros.txt"} {
		for _, line := range lines(filepath.Join(folder, file)) {
			words := strings.Fields(line)
			for len(words) > 0 && (strings.HasPrefix(words[0], "since=") || strings.HasPrefix(words[0], "until=")) {
				words = words[1:]
			}
			if len(words) < 2 || strings.HasPrefix(line, "#") || regexp.MustCompile(`\.v\d+(alpha|beta)\d+\.`).MatchString(words[0]) {
				continue
			}
			named := words[1:]
			if file == "duplicates.txt" || file == "defaults.txt" {
				named = words[1:2]
			}
			for _, field := range named {
				field, _, _ = strings.Cut(field, "=")
				if field != "-" && !s.has(words[0], field) {
					out = append(out, file+": "+words[0]+" "+field)
				}
			}
		}
	}
	return out
}

func main() {
	if len(os.Args) != 6 {
		log.Fatal("usage: todo OLD.schema NEW.schema OLD.setters NEW.setters FOLDER")
	}
	old, fresh := readSchema(os.Args[1]), readSchema(os.Args[2])
	fmt.Printf("%s → %s\n", strings.TrimPrefix(lines(os.Args[1])[0], "# "), strings.TrimPrefix(lines(os.Args[2])[0], "# "))
	any := func(string) bool { return true }
	print("kinds added", missing(fresh.kinds, old.kinds))
	print("kinds dropped", missing(old.kinds, fresh.kinds))
	print("types added: which of their fields exclude each other, have defaults in code, or forbid duplicates?", typesMissing(fresh, old))
	print("types dropped", typesMissing(old, fresh))
	print("fields added", fieldsMissing(fresh, old, any))
	print("fields dropped", fieldsMissing(old, fresh, any))
	print("patch strategy, keys or list type changed", changed(old, fresh, "patch"))
	print("defaults of the documents changed: since= or until= in defaults.txt?", changed(old, fresh, "default"))
	print("unions.txt: fields added to a type with a union; are they members?",
		fieldsMissing(fresh, old, func(name string) bool { return fresh.unions[name] }))
	before, after := lines(os.Args[3]), lines(os.Args[4])
	defaults, unions := setters(after, before, fresh)
	print("unions.txt: types of which one field may be set, and no line", unions)
	print("defaults.txt: set by code, and no line or document states it", defaults)
	defaults, _ = setters(before, after, old)
	print("defaults.txt: no longer set by code", defaults)
	print("lines that name what is not there", dangling(fresh, os.Args[5]))
}
