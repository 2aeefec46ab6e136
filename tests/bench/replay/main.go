// Command replay sends requests that stand in a file, and nothing else: no parsing, no planning. It is what any client must at least
// do that sends these requests one by one.
//
//	replay --server URL --ca FILE --token FILE REQUESTS
//
// A line of REQUESTS is STATUS, METHOD, PATH, CONTENT-TYPE and BODY with tabs between them; a body without line ends is sent as it
// stands. An empty line ends what belongs to one object: its requests go one after the other, 16 objects at a time, all on one HTTP/2
// connection. Another answer than STATUS ends it all.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

const inFlight = 16

type client struct {
	server, token string
	http          http.Client
}

func main() {
	server := flag.String("server", "", "URL of the API server")
	ca := flag.String("ca", "", "file with its certificate authority")
	token := flag.String("token", "", "file with a bearer token")
	flag.Parse()
	if err := run(*server, *ca, *token, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func run(server, caFile, tokenFile, requestsFile string) error {
	ca, err := os.ReadFile(caFile)
	if err != nil {
		return err
	}
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		return err
	}
	requests, err := os.ReadFile(requestsFile)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	c := client{server: server, token: "Bearer " + strings.TrimSpace(string(token))}
	c.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	return c.sendAll(bytes.Split(bytes.Trim(requests, "\n"), []byte("\n\n")))
}

func (c *client) sendAll(objects [][]byte) error {
	// The first one alone, so that the others find a connection and open none.
	if err := c.sendObject(objects[0]); err != nil {
		return err
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	failures := make(chan error, inFlight)
	for i := 0; i < inFlight; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for at := next.Add(1); at < int64(len(objects)); at = next.Add(1) {
				if err := c.sendObject(objects[at]); err != nil {
					failures <- err
					return
				}
			}
		}()
	}
	workers.Wait()
	close(failures)
	return <-failures
}

func (c *client) sendObject(lines []byte) error {
	for _, line := range bytes.Split(lines, []byte("\n")) {
		if err := c.send(bytes.SplitN(line, []byte("\t"), 5)); err != nil {
			return err
		}
	}
	return nil
}

func (c *client) send(words [][]byte) error {
	if len(words) != 5 {
		return fmt.Errorf("a request of %d words", len(words))
	}
	status, method, path, body := string(words[0]), string(words[1]), string(words[2]), words[4]
	request, err := http.NewRequest(method, c.server+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", c.token)
	request.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		request.Header.Set("Content-Type", string(words[3]))
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.ProtoMajor != 2 {
		return fmt.Errorf("the server speaks %s", answer.Proto)
	}
	if !strings.HasPrefix(answer.Status, status) {
		why, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s %s: %s\n%s", method, path, answer.Status, why)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
