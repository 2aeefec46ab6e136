package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// pki holds one CA, which vouches for the server as well as for client-certificate users. All fields are PEM.
type pki struct {
	ca, serverCert, serverKey, clientCert, clientKey, serviceAccountKey string
}

func newPKI() (pki, error) {
	now := time.Now()
	template := func(serial int64, subject pkix.Name) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial),
			Subject:      subject,
			NotBefore:    now.Add(-time.Hour),
			NotAfter:     now.Add(30 * 24 * time.Hour),
			KeyUsage:     x509.KeyUsageDigitalSignature,
		}
	}

	ca := template(1, pkix.Name{CommonName: "smp-test-ca"})
	ca.IsCA, ca.BasicConstraintsValid = true, true
	ca.KeyUsage |= x509.KeyUsageCertSign
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pki{}, err
	}

	server := template(2, pkix.Name{CommonName: "kube-apiserver"})
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	server.DNSNames = []string{"localhost", "kubernetes.default.svc"}
	server.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}

	client := template(3, pkix.Name{CommonName: certUser, Organization: []string{adminGroup}})
	client.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}

	var out pki
	if out.ca, err = sign(ca, ca, caKey.Public(), caKey); err != nil {
		return pki{}, err
	}
	if out.serverCert, out.serverKey, err = issue(server, ca, caKey); err != nil {
		return pki{}, err
	}
	if out.clientCert, out.clientKey, err = issue(client, ca, caKey); err != nil {
		return pki{}, err
	}
	_, out.serviceAccountKey, err = newKey()
	return out, err
}

// issue makes a key and a certificate for it.
func issue(template, ca *x509.Certificate, caKey crypto.Signer) (certPEM, keyPEM string, err error) {
	key, keyPEM, err := newKey()
	if err != nil {
		return "", "", err
	}
	certPEM, err = sign(template, ca, key.Public(), caKey)
	return certPEM, keyPEM, err
}

func newKey() (key crypto.Signer, keyPEM string, err error) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	der, err := x509.MarshalECPrivateKey(ec)
	return ec, encode("EC PRIVATE KEY", der), err
}

func sign(template, ca *x509.Certificate, public crypto.PublicKey, caKey crypto.Signer) (string, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, ca, public, caKey)
	return encode("CERTIFICATE", der), err
}

func encode(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
