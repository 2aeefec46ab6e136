package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// etcdConfig is a file, as its keys are the same in all releases of etcd. The gateway would dial port 0, again and again.
const etcdConfig = `
name: default
data-dir: %q
listen-client-urls: http://127.0.0.1:0
advertise-client-urls: http://127.0.0.1:0
listen-peer-urls: http://127.0.0.1:0
initial-advertise-peer-urls: http://127.0.0.1:0
initial-cluster: default=http://127.0.0.1:0
logger: zap
log-level: error
log-outputs: [stderr]
unsafe-no-fsync: true
enable-grpc-gateway: false
`

// startEtcd returns the URL that etcd serves clients on. dir is for its data.
func startEtcd(dir string) (string, error) {
	file := filepath.Join(filepath.Dir(dir), "etcd.yaml")
	if err := writeFile(file, fmt.Sprintf(etcdConfig, dir)); err != nil {
		return "", err
	}
	etcd, err := startEmbeddedEtcd(file)
	if err != nil {
		return "", fmt.Errorf("etcd: %w", err)
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return "http://" + etcd.Clients[0].Addr().String(), nil
	case err := <-etcd.Err():
		return "", fmt.Errorf("etcd: %w", err)
	case <-time.After(30 * time.Second):
		return "", fmt.Errorf("etcd is not ready after 30 s")
	}
}
