package main

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"maps"
	"math/big"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/json"
)

// same returns "true" if a server that is sent either of the two objects stores the same. An object of a built-in kind is what it
// is when it is read again; a custom resource is its metadata and the JSON that it is written in.
func same(req *request) ([]byte, error) {
	if len(req.Objects) != 2 {
		return nil, errors.New("same compares two objects")
	}
	var equal bool
	var err error
	if req.Custom {
		equal, err = sameCustom(req.Objects[0], req.Objects[1])
	} else {
		equal, err = sameTyped(req)
	}
	if err != nil {
		return nil, err
	}
	return stdjson.Marshal(equal)
}

func sameTyped(req *request) (bool, error) {
	a, err := stored(req, req.Objects[0])
	if err != nil {
		return false, err
	}
	b, err := stored(req, req.Objects[1])
	if err != nil {
		return false, err
	}
	return equality.Semantic.DeepEqual(a, b), nil
}

// stored returns the object as it is read from the store. An empty map is not written there, and gets its default when it is
// read: a Node's `allocatable: {}` becomes its capacity.
func stored(req *request, text []byte) (runtime.Object, error) {
	object, err := decode(req, text)
	if err != nil {
		return nil, err
	}
	written, err := stdjson.Marshal(object)
	if err != nil {
		return nil, err
	}
	return decode(req, written)
}

// decode does what the API server does with the body of a request, up to the version's defaults.
func decode(req *request, text []byte) (runtime.Object, error) {
	gvk, err := kindOf(req.GVK, text)
	if err != nil {
		return nil, err
	}
	object, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	if err := json.UnmarshalCaseSensitivePreserveInts(text, object); err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(object)
	return object, nil
}

// sameCustom compares the metadata in the Go type that all kinds have, and the rest as JSON.
func sameCustom(a, b []byte) (bool, error) {
	x, xMeta, err := splitMetadata(a)
	if err != nil {
		return false, err
	}
	y, yMeta, err := splitMetadata(b)
	if err != nil {
		return false, err
	}
	return equality.Semantic.DeepEqual(xMeta, yMeta) && sameValue(x, y), nil
}

func splitMetadata(text []byte) (rest any, metadata metav1.ObjectMeta, err error) {
	var object struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		return nil, metadata, err
	}
	decoder := stdjson.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&rest)
	if members, ok := rest.(map[string]any); ok {
		delete(members, "metadata")
	}
	return withoutNulls(rest), object.Metadata, err
}

// withoutNulls removes the null members of maps, as the server does before it stores a custom resource.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
			} else {
				v[name] = withoutNulls(member)
			}
		}
	case []any:
		for i, item := range v {
			v[i] = withoutNulls(item)
		}
	}
	return value
}

// sameValue compares numbers by value, whatever they are written like.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, sameValue)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case stdjson.Number:
		y, ok := b.(stdjson.Number)
		return ok && sameNumber(string(x), string(y))
	default:
		return a == b
	}
}

func sameNumber(a, b string) bool {
	x, isNumber := new(big.Rat).SetString(a)
	y, isNumberToo := new(big.Rat).SetString(b)
	return isNumber && isNumberToo && x.Cmp(y) == 0
}
