//go:build tools

// Package tools pins krew and its validator of manifests, which tests/rig/install builds.
package tools

import (
	_ "sigs.k8s.io/krew/cmd/krew"
	_ "sigs.k8s.io/krew/cmd/validate-krew-manifest"
)
