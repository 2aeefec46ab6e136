"""What the end-to-end tests share; Python 3.9 standard library only.

cluster    the command line of a script, a temporary folder, namespaces, runs of kubectl-smp and kubectl
checks     counting and reporting checks, and the main function of a script
paths      reading values in objects by path
manifests  builders of manifests
objects    live objects by HTTP, for judges and other managers
server     what an API server of another release lacks
extension  an API server behind an APIService
proxy      a recording proxy in front of the API server, and a client that is neither tool
peers      forward proxies, TLS servers and certificates for tests of connections
terminal   programs on a terminal of their own
browser    a headless Chromium
beside     kubectl-smp and kubectl in the same situation
explained  what every run of explain-diff -o json must print
facts      the lines of lib/schema/facts
pairs      folders of manifests that both tools apply"""
from .checks import Checks, run, said
from .cluster import Cluster, Space, must, parse_args, until
from .server import NotApplicable
