package main

import (
	"bytes"
	stdjson "encoding/json"

	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

// printJSONPath does what kubectl's printer does with -o jsonpath (cli-runtime, printers/jsonpath.go). The text goes as
// bytes, as it may be no valid UTF-8.
func printJSONPath(req *request) ([]byte, error) {
	var object any
	if err := json.Unmarshal(req.Live, &object); err != nil {
		return nil, err
	}
	printer := jsonpath.New("out").AllowMissingKeys(req.Missing != "error")
	printer.EnableJSONOutput(req.Form == "json")
	if err := printer.Parse(req.Template); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := printer.Execute(&text, object); err != nil {
		return nil, err
	}
	return stdjson.Marshal(text.Bytes())
}
