#!/usr/bin/env python3
"""Completion of the plugin's command line as users get it: kubectl finds kubectl_complete-smp on the PATH, asks it, and kubectl's own
scripts for bash, zsh, fish and PowerShell show what it says. And what must not happen at a prompt: waiting, asking, errors.

  completion.py --tool T --kubectl K --kubeconfig F"""
import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time

import cluster
import peers

EXEC = {'apiVersion': 'client.authentication.k8s.io/v1', 'interactiveMode': 'Never'}
NOTHING = ':4\n'


class Setup:
    """kubectl, the plugin and its helper on a PATH, in a folder with a few files."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.bin = os.path.join(cl.dir, 'bin')
        os.mkdir(self.bin)
        os.symlink(cl.kubectl_path, os.path.join(self.bin, 'kubectl'))
        os.symlink(cl.tool, os.path.join(self.bin, 'kubectl-smp'))
        os.symlink('kubectl-smp', os.path.join(self.bin, 'kubectl_complete-smp'))
        for name in ('web.yaml', 'web.txt'):
            cl.write(name, '')
        os.mkdir(os.path.join(cl.dir, 'overlay'))
        self.environment = {'PATH': self.bin + ':' + os.environ['PATH'], 'KUBECONFIG': cl.kubeconfig}
        self.view = json.loads(cl.must(cl.kubectl('config', 'view', '--raw', '--flatten', '-o', 'json')))

    def kubeconfig(self, name, user):
        view = dict(self.view, users=[{'name': self.view['users'][0]['name'], 'user': user}])
        return self.cl.write(name, json.dumps(view))

    def script(self, name, text):
        path = os.path.join(self.cl.dir, self.cl.write(name, '#!/bin/sh\n' + text))
        os.chmod(path, 0o700)
        return path

    def helper(self, *words, **env):
        return self.cl.run('kubectl_complete-smp', *words, **{**self.environment, **env})

    def expect(self, name, got, wanted):
        self.check(name, '' if got == wanted else 'wanted %r\ngot    %r' % (wanted, got))


def protocol(s):
    shown = s.cl.must(s.cl.kubectl('get', 'namespaces', '-o', 'jsonpath={.items[*].metadata.name}')).split()
    for words in (['apply', '-n', ''], ['-n', ''], ['explain-diff', '--namespace=']):
        # Other tests make and delete namespaces meanwhile.
        got = s.helper(*words).stdout
        s.check('namespaces: %s' % words, '' if s.namespace in shown and s.namespace in got.split('\n') and got.endswith(NOTHING) else got)
    s.expect('those that begin so', s.helper('apply', '-n', s.namespace[:-2]).stdout, s.namespace + '\n' + NOTHING)
    s.expect('contexts', s.helper('apply', '--context', '').stdout, s.view['contexts'][0]['name'] + '\n' + NOTHING)
    done = s.cl.run('kubectl', '__complete', 'smp', 'apply', '-o', 'y', **s.environment)
    s.expect('kubectl asks the helper', done.stdout, 'yaml\n' + NOTHING)
    # As kubectl's documentation has it.
    os.remove(os.path.join(s.bin, 'kubectl_complete-smp'))
    s.script('bin/kubectl_complete-smp', 'exec kubectl smp __complete "$@"\n')
    s.expect('a script as the helper', s.helper('apply', '-o', 'y').stdout, 'yaml\n' + NOTHING)
    os.remove(os.path.join(s.bin, 'kubectl_complete-smp'))
    os.symlink('kubectl-smp', os.path.join(s.bin, 'kubectl_complete-smp'))


def at_once(s, name, *words, **env):
    """Says that there is nothing, in much less time than the hindrance lasts."""
    started = time.monotonic()
    done = s.helper(*words, **env)
    s.expect(name, (done.returncode, done.stdout), (0, NOTHING))
    s.check(name + ', at once', '' if time.monotonic() - started < 15 else '%.1f s' % (time.monotonic() - started))


def hindrances(s):
    silent = peers.Silent()
    at_once(s, 'a server that is silent', 'apply', '-s', 'http://127.0.0.1:%d' % silent.port, '-n', '')
    at_once(s, 'a server that is down', 'apply', '-s', 'https://127.0.0.1:1', '-n', '')
    at_once(s, 'no kubeconfig', 'apply', '-n', '', KUBECONFIG='/nonexistent')
    at_once(s, 'a broken kubeconfig', 'apply', '--context', '', KUBECONFIG=os.path.join(s.cl.dir, s.cl.write('broken', 'a: [')))
    at_once(s, 'wrong credentials', 'apply', '--token=wrong', '-n', '')
    at_once(s, 'a context that is not there', 'apply', '--context=nope', '-n', '')
    slow = s.kubeconfig('slow', {'exec': dict(EXEC, command=s.script('slow-login', 'exec sleep 60\n'))})
    at_once(s, 'a login program that hangs', 'apply', '--kubeconfig', slow, '-n', '')
    loud = s.kubeconfig('loud', {'exec': dict(EXEC, command=s.script('loud-login', 'echo please log in; exit 1\n'))})
    at_once(s, 'a login program that fails', 'apply', '--kubeconfig', loud, '-n', '')
    asking = {'exec': dict(EXEC, interactiveMode='Always', command=s.script('asking-login', 'touch %s/asked\n' % s.cl.dir))}
    terminal, stdin = pty.openpty()
    done = subprocess.run(['kubectl_complete-smp', 'apply', '--kubeconfig', s.kubeconfig('asking', asking), '-n', ''], stdin=stdin,
                          capture_output=True, text=True, cwd=s.cl.dir, env=s.cl.env(**s.environment), timeout=60, check=False)
    os.close(terminal)
    os.close(stdin)
    s.expect('a login program that must ask: nothing', done.stdout, NOTHING)
    s.check('a login program that must ask is not run', 'it ran' if os.path.exists(os.path.join(s.cl.dir, 'asked')) else '')
    token = json.dumps({'apiVersion': EXEC['apiVersion'], 'kind': 'ExecCredential', 'status': {'token': s.view['users'][0]['user']['token']}})
    good = s.script('login', "case $KUBERNETES_EXEC_INFO in *'\"interactive\":true'*) exit 1;; esac\nread x && exit 1\necho '%s'\n" % token)
    quiet = s.kubeconfig('quiet', {'exec': dict(EXEC, interactiveMode='IfAvailable', command=good)})
    done = s.helper('apply', '--kubeconfig', quiet, '-n', s.namespace[:-2])
    s.expect('a login program that need not ask', done.stdout, s.namespace + '\n' + NOTHING)


# What is typed, and what bash would offer or complete it to.
def rows(s):
    return [
        ('kubectl smp exp', ['explain-diff']),
        ('kubectl smp apply -o y', ['yaml']),
        ('kubectl smp apply --output=y', ['yaml']),
        ('kubectl smp apply --dry-run=s', ['server']),
        ('kubectl smp apply --fi', ['--field-manager', '--filename']),
        ('kubectl smp apply -n ' + s.namespace[:-2], [s.namespace]),
        ('kubectl smp apply -f we', ['web.yaml']),
        ('kubectl smp apply -k ov', ['overlay']),
        ('kubectl smp apply -f web.yaml --val', ['--validate']),
    ]


BASH = r'''
source /usr/share/bash-completion/bash_completion
source <(kubectl completion bash)
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9
# As readline splits it: at COMP_WORDBREAKS, of which "=" is one.
eval "COMP_WORDS=( ${1//=/ = } )"
[[ $1 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__start_kubectl 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
'''


def bash(s):
    script = s.cl.write('complete.bash', BASH)
    for typed, wanted in rows(s):
        done = s.cl.run('bash', '--norc', script, typed, **s.environment)
        got = sorted(re.sub(r'\s+\(.*|/$', '', line).strip() for line in done.stdout.splitlines() if line)
        s.expect('bash: ' + typed, got, wanted)


def fish(s):
    for typed, wanted in rows(s):
        if '-f we' in typed or '-k ov' in typed:
            continue  # cobra's script for fish offers all files then
        done = s.cl.run('fish', '--no-config', '-c', 'kubectl completion fish | source; complete -C ' + shlex.quote(typed), **s.environment)
        got = sorted(line.split('\t')[0].split('=')[-1] for line in done.stdout.splitlines())
        s.expect('fish: ' + typed, got, wanted)


ZSH = r'''
PS1='ready> '; autoload -U compinit; compinit -D -u; source <(kubectl completion zsh)
zle -N show; show() { print -r -- "<<$BUFFER>>"; BUFFER= }; bindkey '^X' show; bindkey '^I' complete-word; LISTMAX=1000
'''


class Terminal:
    """A zsh on a terminal of its own."""

    def __init__(self, s):
        s.cl.write('zshrc', ZSH)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(s.cl.dir)
            os.execvpe('zsh', ['zsh', '-f', '-i'], s.cl.env(TERM='dumb', **s.environment))
        self.text = ''
        self.send('unset zle_bracketed_paste; source ./zshrc\n')
        self.read_until('ready> ')

    def send(self, text):
        os.write(self.fd, text.encode())

    def read_until(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.S):
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError('no %s in %r' % (pattern, self.text))
            self.text += os.read(self.fd, 65536).decode(errors='replace').replace('\r', '')
        found, self.text = self.text, ''
        return found

    def completed(self, typed):
        """The command line after a tab."""
        self.send(typed + '\t\x18')
        return re.search(r'<<(.*?)>>', self.read_until(r'<<.*?>>'), re.S).group(1)

    def close(self):
        self.send('\x03exit\n')
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def zsh(s):
    terminal = Terminal(s)
    for typed, wanted in rows(s):
        if len(wanted) > 1:
            continue  # a list below the command line, not a completed one
        begun = re.sub(r'[^ =]*$', '', typed)
        s.expect('zsh: ' + typed, terminal.completed(typed).rstrip(' /'), begun + wanted[0])
    terminal.close()


def powershell(s):
    """No PowerShell is to be had for Debian's tests, so what kubectl's script for it does: it hands on the line as it stands, cuts the
    flag off a word with "=", and offers what begins so. For files it offers nothing, and PowerShell its own."""
    for typed, wanted in rows(s):
        word = typed.split(' ')[-1]
        done = s.cl.run('kubectl', '__complete', *typed.split(' ')[1:], **s.environment)
        lines = done.stdout.splitlines()
        begun = word.split('=', 1)[1] if word.startswith('--') and '=' in word else word
        names = [line.split('\t')[0] for line in lines[:-1]]
        files = lines[-1] != ':4'
        got = [] if files else sorted(name for name in names if name.startswith(begun))
        asked_for_files = typed.endswith(('-f we', '-k ov'))
        s.expect('PowerShell: ' + typed, (got, files), ([], True) if asked_for_files else (wanted, False))


def program_name(s):
    """What is typed is what usage says."""
    for argv, name in ((['kubectl', 'smp'], 'kubectl smp'), (['kubectl-smp'], 'kubectl-smp'), (['bin/kubectl-smp'], 'kubectl-smp')):
        done = s.cl.run(*argv, 'apply', '--help', **s.environment)
        s.check('help calls us %s' % name, '' if '\nUsage:\n  %s apply -f FILE' % name in done.stdout else done.stdout)


def versions(s):
    def run(program, *args, **env):
        return s.cl.run(program, *args, **{**s.environment, **env})
    theirs = json.loads(run('kubectl', 'version', '-o', 'json').stdout)
    done = run('kubectl', 'smp', 'version', '-o', 'json')
    ours = json.loads(s.cl.must(done))
    s.expect('version -o json: what the server says', ours['serverVersion'], theirs['serverVersion'])
    s.check('version -o json: clientVersion', sorted(set(ours['clientVersion']) - set(theirs['clientVersion'])))
    server = theirs['serverVersion']['gitVersion']
    lines = s.cl.must(run('kubectl', 'smp', 'version')).splitlines()
    s.check('version', '' if lines[0].startswith('Client Version: v') and lines[2] == 'Server Version: ' + server else lines)
    yaml = s.cl.must(run('kubectl', 'smp', 'version', '-o', 'yaml', '--client'))
    s.check('version -o yaml --client', '' if 'clientVersion:\n' in yaml and 'serverVersion' not in yaml else yaml)
    for program in (['kubectl'], ['kubectl', 'smp']):
        done = run(*program, 'version', '-s', 'https://127.0.0.1:1')
        said = done.returncode == 1 and 'Client Version: v' in done.stdout and 'was refused' in done.stderr
        s.check('%s version without a server' % ' '.join(program), '' if said else '%d %s%s' % (done.returncode, done.stdout, done.stderr))
    done = run('kubectl', 'smp', 'version', KUBECONFIG='/nonexistent')
    s.expect('version without a kubeconfig', (done.returncode, done.stdout.count('\n'), done.stderr.count('error: ')), (1, 2, 1))


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        setup = Setup(cl, check)
        setup.namespace = cl.new_namespace('completion')
        for part in (protocol, hindrances, powershell, program_name, versions):
            part(setup)
        for shell in (bash, zsh, fish):
            if shutil.which(shell.__name__) is None:
                check(shell.__name__, 'is not installed; see tests/install')
            else:
                shell(setup)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
