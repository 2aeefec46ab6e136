package main

import (
	"fmt"
	"net/url"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
)

// startEtcd returns the URL that etcd serves clients on.
func startEtcd(dir string) (string, error) {
	wal.SegmentSizeBytes = 4 << 20 // Segments are allocated in advance; the usual 64 MiB would cost every test 128 MiB of disk.
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}

	cfg := embed.NewConfig()
	cfg.Dir = dir
	cfg.LogLevel = "error"
	cfg.LogOutputs = []string{"stderr"}
	cfg.UnsafeNoFsync = true
	cfg.EnableGRPCGateway = false // It would dial port 0, again and again.
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = anyPort, anyPort
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = anyPort, anyPort
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)

	etcd, err := embed.StartEtcd(cfg)
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
