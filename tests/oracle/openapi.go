package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// documents finds schemas in OpenAPI v3 documents and parses no more of them than it must.
type documents struct {
	files []*document
	found map[string]strategicpatch.PatchMetaFromOpenAPIV3 // By component name, or by group/version/Kind.
}

type document struct {
	path    string
	text    []byte // Instead of the file's.
	parsed  bool
	schemas map[string]*spec.Schema
}

func (d *documents) add(path string) error {
	paths := []string{path}
	if info, err := os.Stat(path); err != nil {
		return err
	} else if info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(path, "*.json")); err != nil {
			return err
		}
	}
	for _, path := range paths {
		d.files = append(d.files, &document{path: path})
	}
	return nil
}

func (d *documents) lookup(req *request, object []byte) (strategicpatch.PatchMetaFromOpenAPIV3, error) {
	if req.OpenAPI != nil {
		d = &documents{files: []*document{{path: "the request's document", text: req.OpenAPI}}}
	}
	if req.Schema != "" {
		return d.find(req.Schema, "", func(name string, _ *spec.Schema) bool { return name == req.Schema })
	}
	gvk, err := kindOf(req.GVK, object)
	if err != nil {
		return strategicpatch.PatchMetaFromOpenAPIV3{}, err
	}
	hint := cmp.Or(gvk.Group, "api") + "__" + gvk.Version + ".json"
	return d.find(gvk.String(), hint, func(_ string, s *spec.Schema) bool { return hasKind(s, gvk) })
}

// find tries files whose name ends with hint first: types like DeleteOptions stand in every document, and a document takes
// up to a tenth of a second to parse.
func (d *documents) find(key, hint string, match func(string, *spec.Schema) bool) (strategicpatch.PatchMetaFromOpenAPIV3, error) {
	if found, ok := d.found[key]; ok {
		return found, nil
	}
	for _, hinted := range []bool{true, false} {
		for _, file := range d.files {
			if strings.HasSuffix(file.path, hint) != hinted {
				continue
			}
			if err := file.parse(); err != nil {
				return strategicpatch.PatchMetaFromOpenAPIV3{}, err
			}
			for name, s := range file.schemas {
				if match(name, s) {
					found := strategicpatch.PatchMetaFromOpenAPIV3{Schema: s, SchemaList: file.schemas}
					if d.found == nil {
						d.found = map[string]strategicpatch.PatchMetaFromOpenAPIV3{}
					}
					d.found[key] = found
					return found, nil
				}
			}
		}
	}
	return strategicpatch.PatchMetaFromOpenAPIV3{}, fmt.Errorf("no schema for %s in %d documents", key, len(d.files))
}

// parse leaves out files of other kinds, such as the index and OpenAPI v2.
func (d *document) parse() error {
	if d.parsed {
		return nil
	}
	text := d.text
	if text == nil {
		var err error
		if text, err = os.ReadFile(d.path); err != nil {
			return err
		}
	}
	var openapi spec3.OpenAPI
	if bytes.Contains(text, []byte(`"components"`)) {
		if err := openapi.UnmarshalJSON(text); err != nil {
			return fmt.Errorf("%s: %w", d.path, err)
		}
	}
	d.parsed = true
	if openapi.Components != nil {
		d.schemas = openapi.Components.Schemas
	}
	return nil
}

func kindOf(text string, object []byte) (schema.GroupVersionKind, error) {
	var own struct{ APIVersion, Kind string }
	if text == "" {
		if err := json.Unmarshal(object, &own); err != nil {
			return schema.GroupVersionKind{}, err
		}
		text = own.APIVersion + "/" + own.Kind
	}
	parts := strings.Split(text, "/")
	if len(parts) == 2 {
		parts = append([]string{""}, parts...)
	}
	if len(parts) != 3 {
		return schema.GroupVersionKind{}, fmt.Errorf("%q is no group/version/Kind", text)
	}
	return schema.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[2]}, nil
}

func hasKind(s *spec.Schema, gvk schema.GroupVersionKind) bool {
	var kinds []schema.GroupVersionKind
	if err := s.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err != nil {
		return false
	}
	return slices.Contains(kinds, gvk)
}
