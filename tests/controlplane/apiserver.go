package main

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

type apiServer struct {
	url                     string
	adminToken, readerToken string
	command                 *cobra.Command
	servesV3                bool // OpenAPI v3
	client                  *http.Client
}

// newAPIServer writes the server's own files into dir/server and decides its port; run starts it.
// extraArgs are flags of kube-apiserver.
func newAPIServer(dir, etcdURL string, pki pki, extraArgs []string) (*apiServer, error) {
	port, err := reservePort()
	if err != nil {
		return nil, fmt.Errorf("finding a free port: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(pki.ca))
	s := &apiServer{
		url:         fmt.Sprintf("https://127.0.0.1:%d", port),
		adminToken:  rand.Text(),
		readerToken: rand.Text(),
		command:     app.NewAPIServerCommand(), // can be made only once
		servesV3:    !slices.Contains(extraArgs, "--feature-gates=OpenAPIV3=false"),
		client: &http.Client{
			Timeout:   10 * time.Second,
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
		},
	}

	dir = filepath.Join(dir, "server")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	tokens := fmt.Sprintf("%s,%s,1,%s\n%s,%s,2\n", s.adminToken, adminUser, adminGroup, s.readerToken, readerUser)
	for name, content := range map[string]string{
		"ca.crt": pki.ca, "server.crt": pki.serverCert, "server.key": pki.serverKey,
		"service-account.key": pki.serviceAccountKey, "tokens.csv": tokens,
	} {
		if err := writeFile(file(name), content); err != nil {
			return nil, err
		}
	}

	args := []string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--permit-port-sharing", // With our own reservation; see reservePort.
		"--tls-cert-file=" + file("server.crt"),
		"--tls-private-key-file=" + file("server.key"),
		"--client-ca-file=" + file("ca.crt"),
		"--token-auth-file=" + file("tokens.csv"),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + file("service-account.key"),
		"--service-account-signing-key-file=" + file("service-account.key"),
		// Wants a ServiceAccount "default" in each namespace, which a controller would create.
		"--disable-admission-plugins=ServiceAccount",
		// Large, so that tests do not use up the cluster IPs.
		"--service-cluster-ip-range=10.0.0.0/16",
		// Nobody reaches this server as a Service; and a machine without a network has no address to advertise.
		"--endpoint-reconciler-type=none",
		"--advertise-address=127.0.0.1",
	}
	s.command.SetArgs(append(args, extraArgs...))
	return s, nil
}

// run returns only when the server has ended.
func (s *apiServer) run() error {
	s.command.SilenceErrors, s.command.SilenceUsage = true, true
	return s.command.Execute() // Not ExecuteContext: the command brings its own context.
}

// becomeReady waits until the server answers everything a test may ask first, and admits the reader.
func (s *apiServer) becomeReady() error {
	first := []answer{
		{"/readyz", "ok"},
		{"/api/v1/namespaces/default", "Active"},
		{"/api/v1/namespaces/kube-system", "Active"},
		{"/openapi/v2", "io.k8s.api.apps.v1.Deployment"},
	}
	if s.servesV3 {
		first = append(first, answer{"/openapi/v3", "apis/apps/v1"})
	}
	for _, wait := range first {
		if err := s.waitFor(wait.path, wait.has); err != nil {
			return err
		}
	}
	return s.allowReader()
}

// answer is what a path has when the server is ready.
type answer struct{ path, has string }

func (s *apiServer) waitFor(path, has string) error {
	var body string
	var err error
	for deadline := time.Now().Add(80 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if body, err = s.request("GET", path, ""); err == nil && strings.Contains(body, has) {
			return nil
		}
	}
	return fmt.Errorf("GET %s has no %q yet: %.200q, %v", path, has, body, err)
}

func (s *apiServer) allowReader() error {
	const rbac = "/apis/rbac.authorization.k8s.io/v1/"
	err := s.ensure(rbac+"clusterroles", `{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "smp-reader"},
		"rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list"]}, {"nonResourceURLs": ["*"], "verbs": ["get"]}]}`)
	if err != nil {
		return err
	}
	err = s.ensure(rbac+"clusterrolebindings", `{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "smp-reader"},
		"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "smp-reader"},
		"subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "`+readerUser+`"}]}`)
	if err != nil {
		return err
	}
	// The authorizer learns of the binding from a watch, a moment later.
	for range 200 {
		if _, err = s.requestAs(s.readerToken, "GET", "/api/v1/namespaces", ""); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// ensure creates the object unless an earlier run did (--keep).
func (s *apiServer) ensure(path, object string) error {
	_, err := s.request("POST", path, object)
	if err != nil && strings.Contains(err.Error(), "409") {
		return nil
	}
	return err
}

func (s *apiServer) request(method, path, body string) (string, error) {
	return s.requestAs(s.adminToken, method, path, body)
}

func (s *apiServer) requestAs(token, method, path, body string) (string, error) {
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, answer)
	}
	return string(answer), err
}

// reservePort finds a free port and keeps it from everyone else until the server, which shares ports, listens on it: our socket
// is bound for ever but never listens. Without that, servers that start at the same time take each other's ports.
func reservePort() (int, error) {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return 0, err
	}
	unix.CloseOnExec(socket)
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return 0, err
	}
	if err := unix.Bind(socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	name, err := unix.Getsockname(socket)
	if err != nil {
		return 0, err
	}
	return name.(*unix.SockaddrInet4).Port, nil
}
