package main

// The packages of etcd 3.6 and later.
import (
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
)

func startEmbeddedEtcd(configFile string) (*embed.Etcd, error) {
	wal.SegmentSizeBytes = 4 << 20 // Segments are allocated in advance; the usual 64 MiB would cost every test 128 MiB of disk.
	cfg, err := embed.ConfigFromFile(configFile)
	if err != nil {
		return nil, err
	}
	return embed.StartEtcd(cfg)
}
