// Command oracle answers, as kubectl's own Go code does, what a patch, a merge or a YAML text means: one JSON object per line
// on stdin, one per line on stdout, in the same order.
//
//	oracle [--openapi FILE|DIR]...
//
//	{"id":1,"op":"three-way","original":{…}?,"modified":{…},"live":{…},"overwrite":true?}  → {"id":1,"patch":{…}}
//	{"id":2,"op":"two-way","original":{…}?,"modified":{…}}                                 → {"id":2,"patch":{…}}
//	{"id":3,"op":"json-merge","original":{…}?,"modified":{…},"live":{…}}                   → {"id":3,"patch":{…}}
//	{"id":4,"op":"merge","target":{…},"patch":{…},"type":"strategic|merge|json"?}          → {"id":4,"result":{…}}
//	{"id":5,"op":"three-way",…,"repeat":100}  (or "yaml", "json")                          → {"id":5,"nanoseconds":…} each
//	{"id":6,"op":"yaml","text":"a: 1"}  (or "json"; "bytes" is the text in base64)         → {"id":5,"result":{"a":1}}
//	{"id":7,"op":"jsonpath","template":"{.a}","live":{…},"missing":"error"?,"form":"json"?} → {"id":7,"result":"text in base64"}
//	{"id":8,"op":"same","objects":[{…},{…}],"custom":true?}                                 → {"id":8,"result":true}
//	{"id":9,"op":"regexp","template":"^a+$","texts":["text in base64"]}                     → {"id":9,"result":[true]}
//
// The strategic operations find their schema by "schema" (a component's name), else by "gvk" (group/version/Kind, or
// version/Kind for the core group), else by the object's own apiVersion and kind; in the document "openapi" where there is one. The other answers are
// {"id":…,"error":{"message":…}} and, where the Go code panics, {"id":…,"panic":…}.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

type request struct {
	ID        json.RawMessage   `json:"id"`
	Op        string            `json:"op"`
	Original  json.RawMessage   `json:"original"`
	Modified  json.RawMessage   `json:"modified"`
	Live      json.RawMessage   `json:"live"`
	Target    json.RawMessage   `json:"target"`
	Patch     json.RawMessage   `json:"patch"`
	Overwrite *bool             `json:"overwrite"`
	GVK       string            `json:"gvk"`
	Schema    string            `json:"schema"`
	OpenAPI   json.RawMessage   `json:"openapi"` // a document to look up the schema in, instead of those of the command line
	Type      string            `json:"type"`
	Text      string            `json:"text"`
	Bytes     []byte            `json:"bytes"`
	Template  string            `json:"template"`
	Missing   string            `json:"missing"` // "error": a field that is not there is one
	Form      string            `json:"form"`    // "json": as -o jsonpath-as-json
	Objects   []json.RawMessage `json:"objects"`
	Texts     [][]byte          `json:"texts"`
	Custom    bool              `json:"custom"` // a kind that has no Go type
	Repeat    int               `json:"repeat"` // measure instead of answering: benchmarks
}

// response holds one of its fields besides ID.
type response struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Patch  json.RawMessage `json:"patch,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *message        `json:"error,omitempty"`
	Panic  string          `json:"panic,omitempty"`

	Nanoseconds int64 `json:"nanoseconds,omitempty"` // of one call, bytes in to patch bytes out
}

type message struct {
	Message string `json:"message"`
}

func main() {
	var documents documents
	flag.Func("openapi", "an OpenAPI v3 document, or a folder of them; may be repeated", documents.add)
	flag.Parse()
	if err := serve(os.Stdin, os.Stdout, &documents); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer, documents *documents) error {
	lines := bufio.NewReader(in)
	buffer := bufio.NewWriter(out)
	answers := json.NewEncoder(buffer)
	answers.SetEscapeHTML(false) // Patches pass through byte for byte.
	for {
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
		if len(line) > 0 {
			if err := answers.Encode(answer(line, documents)); err != nil {
				return err
			}
		}
		// Who sends many lines at once does not wait for each answer.
		if lines.Buffered() == 0 || readErr == io.EOF {
			if err := buffer.Flush(); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

func answer(line []byte, documents *documents) (res response) {
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		return response{ID: req.ID, Error: &message{"bad request: " + err.Error()}}
	}
	defer func() {
		if reason := recover(); reason != nil {
			res = response{ID: req.ID, Panic: fmt.Sprint(reason)}
		}
	}()
	res = response{ID: req.ID}
	var err error
	switch req.Op {
	case "three-way", "two-way", "json-merge":
		if req.Repeat > 0 {
			res.Nanoseconds, err = measure(req.Repeat, func() ([]byte, error) { return createPatch(&req, documents) })
		} else {
			res.Patch, err = createPatch(&req, documents)
		}
	case "merge":
		res.Result, err = merge(&req, documents)
	case "yaml", "json":
		if req.Repeat > 0 {
			res.Nanoseconds, err = measure(req.Repeat, func() ([]byte, error) { return parse(&req) })
		} else {
			res.Result, err = parse(&req)
		}
	case "same":
		res.Result, err = same(&req)
	case "regexp":
		res.Result, err = match(&req)
	case "jsonpath":
		res.Result, err = printJSONPath(&req)
	default:
		err = fmt.Errorf("unknown op %q", req.Op)
	}
	if err != nil {
		res = response{ID: req.ID, Error: &message{err.Error()}}
	}
	return res
}

// Whether a pattern matches anywhere in each text.
func match(req *request) (json.RawMessage, error) {
	pattern, err := regexp.Compile(req.Template)
	if err != nil {
		return nil, err
	}
	matches := []bool{}
	for _, text := range req.Texts {
		matches = append(matches, pattern.Match(text))
	}
	return json.Marshal(matches)
}
