// Command controlplane runs a real etcd and a real kube-apiserver in one process on loopback, for tests.
//
//	controlplane --dir D [--keep] [--until-eof] [-- FLAG-OF-KUBE-APISERVER…]
//
// It starts empty each time, but for --keep, and writes everything a client needs into D: kubeconfigs for an administrator
// (by token, by certificate) and for a read-only user, ca.crt, admin.token, and last of all the file ready, which holds the server's URL.
// No controllers and no kubelet run: a Deployment gets no Pods, a deleted Namespace stays Terminating.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func main() {
	dir := flag.String("dir", "", "folder for data, kubeconfigs and log (required)")
	untilEOF := flag.Bool("until-eof", false, "end when stdin is closed")
	keep := flag.Bool("keep", false, "go on with the objects of the last run in this folder")
	flag.Parse()
	if *dir == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*dir, *keep, *untilEOF, flag.Args()); err != nil {
		fmt.Fprintln(messages, "controlplane:", err)
		os.Exit(1)
	}
}

// messages is the stderr that we were given; os.Stderr becomes the log.
var messages = os.Stderr

func run(dir string, keep, untilEOF bool, serverArgs []string) error {
	// Nothing here outlives the tests, so the first sign of an end is the end: no graceful shutdown of the API server, which
	// would wait for open watches.
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	if untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			ended <- syscall.SIGTERM
		}()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := prepare(dir, keep); err != nil {
		return err
	}

	pki, err := newPKI()
	if err != nil {
		return err
	}
	etcdURL, err := startEtcd(filepath.Join(dir, "etcd"))
	if err != nil {
		return err
	}
	server, err := newAPIServer(dir, etcdURL, pki, serverArgs)
	if err != nil {
		return err
	}
	if err := writeClientFiles(dir, server, pki); err != nil {
		return err
	}
	failed := make(chan error, 2)
	go func() {
		failed <- fmt.Errorf("the API server ended (%v), see %s", server.run(), filepath.Join(dir, logName))
	}()
	ready := make(chan struct{})
	go func() {
		if err := server.becomeReady(); err != nil {
			failed <- err
			return
		}
		close(ready)
	}()

	for {
		select {
		case <-ended:
			return errors.Join(os.RemoveAll(filepath.Join(dir, "ready")), os.RemoveAll(filepath.Join(dir, "pid")))
		case err := <-failed:
			return err
		case <-ready:
			ready = nil
			if err := writeFile(filepath.Join(dir, "ready"), server.url+"\n"); err != nil {
				return err
			}
			fmt.Println("ready", server.url)
		}
	}
}

const logName = "apiserver.log"

// prepare clears what an earlier run left in dir, but for its objects if they are to be kept, notes the process id, and sends
// os.Stderr, where the libraries log, into a file.
func prepare(dir string, keep bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	old := []string{"ready", logName}
	if !keep {
		old = append(old, "etcd")
	}
	for _, name := range old {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(dir, "pid"), strconv.Itoa(os.Getpid())+"\n"); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, logName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	// A copy under the same number, and not a new os.Stderr: panics and loggers made before this go to number 2.
	stderr, err := unix.Dup(2)
	if err != nil {
		return err
	}
	messages = os.NewFile(uintptr(stderr), "stderr")
	return unix.Dup2(int(log.Fd()), 2)
}

// writeFile is atomic, so that whoever waits for the file never reads half of it. The content may be a credential.
func writeFile(path, content string) error {
	if err := os.WriteFile(path+".tmp", []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}
