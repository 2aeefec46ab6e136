package main

import (
	stdjson "encoding/json"
	"fmt"
	"syscall"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
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

// measure times call, once what it needs is ready (a schema is parsed), in CPU time, which a busy machine does not disturb.
func measure(repeat int, call func() ([]byte, error)) (int64, error) {
	if _, err := call(); err != nil {
		return 0, err
	}
	before := cpuTime()
	for range repeat {
		if _, err := call(); err != nil {
			return 0, err
		}
	}
	return int64(cpuTime()-before) / int64(repeat), nil
}

// cpuTime is the user and system time of this process, garbage collection included.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// merge does what the API server does with a PATCH of one of its three types.
func merge(req *request, documents *documents) ([]byte, error) {
	switch req.Type {
	case "merge":
		return jsonpatch.MergePatch(req.Target, req.Patch)
	case "json":
		patch, err := jsonpatch.DecodePatch(req.Patch)
		if err != nil {
			return nil, err
		}
		return patch.Apply(req.Target)
	case "", "strategic":
		return mergeStrategic(req, documents)
	default:
		return nil, fmt.Errorf("unknown type of patch %q", req.Type)
	}
}

func mergeStrategic(req *request, documents *documents) ([]byte, error) {
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
