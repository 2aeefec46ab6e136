package main

import (
	stdjson "encoding/json"

	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

// createPatch does what kubectl's apply does (its pkg/cmd/apply/patcher.go). An absent original stays nil, as there.
func createPatch(req *request, documents *documents) ([]byte, error) {
	if req.Op == "json-merge" {
		return jsonmergepatch.CreateThreeWayJSONMergePatch(req.Original, req.Modified, req.Live,
			mergepatch.RequireKeyUnchanged("apiVersion"),
			mergepatch.RequireKeyUnchanged("kind"),
			mergepatch.RequireMetadataKeyUnchanged("name"))
	}
	schema, err := documents.lookup(req, req.Modified)
	if err != nil {
		return nil, err
	}
	if req.Op == "two-way" {
		return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(req.Original, req.Modified, schema)
	}
	overwrite := req.Overwrite == nil || *req.Overwrite
	return strategicpatch.CreateThreeWayMergePatch(req.Original, req.Modified, req.Live, schema, overwrite)
}

func merge(req *request, documents *documents) ([]byte, error) {
	schema, err := documents.lookup(req, req.Target)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(req.Target, req.Patch, schema)
}

func parse(req *request) ([]byte, error) {
	text := req.Bytes
	if text == nil {
		text = []byte(req.Text)
	}
	if req.Op == "yaml" {
		return yaml.YAMLToJSON(text)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return stdjson.Marshal(value)
}
