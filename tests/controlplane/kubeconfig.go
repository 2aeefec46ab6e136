package main

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
)

const (
	adminGroup = "system:masters"
	adminUser  = "smp-admin"
	certUser   = "smp-cert"
	readerUser = "smp-reader"
)

const kubeconfigFormat = `apiVersion: v1
kind: Config
current-context: %[1]s
clusters:
- name: smp-test
  cluster:
    server: %[2]s
    %[3]s
users:
- name: %[4]s
  user:
    %[5]s
contexts:
- name: %[1]s
  context:
    cluster: smp-test
    user: %[4]s
    namespace: default
`

// writeClientFiles writes a kubeconfig for each way to log in, and the bare CA and token for scripts that use curl.
func writeClientFiles(dir string, server *apiServer, pki pki) error {
	kubeconfig := func(context, user, ca, credentials string) string {
		return fmt.Sprintf(kubeconfigFormat, context, server.url, ca, user, credentials)
	}
	base64 := func(pem string) string { return base64.StdEncoding.EncodeToString([]byte(pem)) }
	ca := "certificate-authority-data: " + base64(pki.ca)
	certData := "client-certificate-data: " + base64(pki.clientCert) + "\n    client-key-data: " + base64(pki.clientKey)
	certFiles := "client-certificate: client.crt\n    client-key: client.key"

	files := map[string]string{
		"ca.crt":                pki.ca,
		"client.crt":            pki.clientCert,
		"client.key":            pki.clientKey,
		"admin.token":           server.adminToken + "\n",
		"admin.kubeconfig":      kubeconfig("smp-test", adminUser, ca, "token: "+server.adminToken),
		"reader.kubeconfig":     kubeconfig("smp-test-reader", readerUser, ca, "token: "+server.readerToken),
		"cert.kubeconfig":       kubeconfig("smp-test-cert", certUser, ca, certData),
		"cert-files.kubeconfig": kubeconfig("smp-test-cert-files", certUser, "certificate-authority: ca.crt", certFiles),
	}
	for name, content := range files {
		if err := writeFile(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}
