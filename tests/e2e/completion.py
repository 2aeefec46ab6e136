#!/usr/bin/env python3
"""Completion of the plugin's command line as users get it: kubectl finds kubectl_complete-smp on the PATH, asks it, and kubectl's own
scripts for bash, zsh, fish and PowerShell show what it says. And what must not happen at a prompt: waiting, asking, errors.

  completion.py --tool T --kubectl K --kubeconfig F"""
import json
import os
import pty
import re
import shlex
import shutil
import sys
import time

import harness
from harness import manifests, must, peers
from harness.terminal import Terminal

EXEC = {'apiVersion': 'client.authentication.k8s.io/v1', 'interactiveMode': 'Never'}
NOTHING = ':4\n'


class Setup:
    """kubectl, the plugin and its helper on a PATH, in a folder with a few files."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.namespace = cl.new_namespace('completion')
        self.environment = {**cl.as_user(self.namespace), 'KUBECONFIG': cl.kubeconfig}
        self.helper_path = cl.path('bin/kubectl_complete-smp')
        os.symlink('kubectl-smp', self.helper_path)
        for name in ('web.yaml', 'web.txt'):
            cl.write(name, '')
        os.mkdir(cl.path('overlay'))
        self.config = cl.config()

    def kubeconfig(self, name, **fields):
        """One with this login program."""
        users = [{'name': self.config['users'][0]['name'], 'user': {'exec': {**EXEC, **fields}}}]
        return self.cl.write(name, {**self.config, 'users': users})

    def run(self, *argv, stdin=None, **env):
        return self.cl.run(*argv, stdin=stdin, **{**self.environment, **env})

    def helper(self, *words, **kwargs):
        return self.run('kubectl_complete-smp', *words, **kwargs)

    def expect(self, name, got, wanted):
        self.check.equal(name, got, wanted)


def protocol(s):
    shown = must(s.cl.kubectl('get', 'namespaces', '-o', 'jsonpath={.items[*].metadata.name}')).split()
    for words in (['apply', '-n', ''], ['-n', ''], ['explain-diff', '--namespace=']):
        # Other tests make and delete namespaces meanwhile.
        got = s.helper(*words).stdout
        s.check.true('namespaces: %s' % words, s.namespace in shown and s.namespace in got.split('\n') and got.endswith(NOTHING), got)
    s.expect('those with this prefix', s.helper('apply', '-n', s.namespace[:-2]).stdout, s.namespace + '\n' + NOTHING)
    s.expect('contexts', s.helper('apply', '--context', '').stdout, s.config['contexts'][0]['name'] + '\n' + NOTHING)
    done = s.run('kubectl', '__complete', 'smp', 'apply', '-o', 'y')
    s.expect('kubectl asks the helper', done.stdout, 'yaml\n' + NOTHING)
    # As in kubectl's documentation.
    os.remove(s.helper_path)
    s.cl.script('bin/kubectl_complete-smp', 'exec kubectl smp __complete "$@"\n')
    s.expect('a script as the helper', s.helper('apply', '-o', 'y').stdout, 'yaml\n' + NOTHING)
    os.remove(s.helper_path)
    os.symlink('kubectl-smp', s.helper_path)


def fields(s):
    """Of schema: kinds and fields of the server, or of a CRD in a file."""
    crd = s.cl.write('crd.json', manifests.definition('completion.example.com', schema={'type': 'object', 'properties': {'spec': manifests.ANYTHING}}))
    of_file, of_server = ('schema', '--schema', crd), ('schema', '--from-server')
    s.expect('a kind of a file', s.helper(*of_file, 'Wid').stdout, 'Widget\n:6\n')
    s.expect('a field of a file', s.helper(*of_file, 'widget.sp').stdout, 'widget.spec\n:6\n')
    s.expect('not a field that is built in', s.helper('schema', 'widget.sp').stdout, ':6\n')
    s.expect('a kind of the server', s.helper(*of_server, 'Nodes').stdout, ':6\n')
    s.expect('a resource of the server', s.helper(*of_server, 'apiser').stdout, 'apiservices\n:6\n')
    s.expect('a field of the server', s.helper(*of_server, 'apiservices.spec.caB').stdout, 'apiservices.spec.caBundle\n:6\n')
    s.expect('a server that is down', s.helper(*of_server, '-s', 'https://127.0.0.1:1', 'Pod').stdout, ':6\n')


def at_once(s, name, *words, **env):
    """Completes nothing, in much less time than the hindrance lasts."""
    started = time.monotonic()
    done = s.helper(*words, **env)
    s.expect(name, (done.returncode, done.stdout), (0, NOTHING))
    seconds = time.monotonic() - started
    s.check.true(name + ', at once', seconds < 15, '%.1f s' % seconds)


def hindrances(s):
    silent = peers.Silent()
    at_once(s, 'a server that is silent', 'apply', '-s', 'http://127.0.0.1:%d' % silent.port, '-n', '')
    at_once(s, 'a server that is down', 'apply', '-s', 'https://127.0.0.1:1', '-n', '')
    at_once(s, 'no kubeconfig', 'apply', '-n', '', KUBECONFIG='/nonexistent')
    at_once(s, 'a broken kubeconfig', 'apply', '--context', '', KUBECONFIG=s.cl.write('broken', 'a: ['))
    at_once(s, 'wrong credentials', 'apply', '--token=wrong', '-n', '')
    at_once(s, 'a context that is not there', 'apply', '--context=nope', '-n', '')
    for name, what, script in (('slow', 'hangs', 'exec sleep 60\n'), ('loud', 'fails', 'echo please log in; exit 1\n')):
        config = s.kubeconfig(name, command=s.cl.script(name + '-login', script))
        at_once(s, 'a login program that ' + what, 'apply', '--kubeconfig', config, '-n', '')
    terminal, stdin = pty.openpty()
    asking = s.kubeconfig('asking', interactiveMode='Always', command=s.cl.script('asking-login', 'touch %s/asked\n' % s.cl.dir))
    s.expect('a login program that must ask: nothing', s.helper('apply', '--kubeconfig', asking, '-n', '', stdin=stdin).stdout, NOTHING)
    s.check.true('a login program that must ask is not run', not os.path.exists(s.cl.path('asked')), 'it ran')
    os.close(terminal)
    os.close(stdin)
    token = json.dumps({'apiVersion': EXEC['apiVersion'], 'kind': 'ExecCredential', 'status': {'token': s.config['users'][0]['user']['token']}})
    good = s.cl.script('login', "case $KUBERNETES_EXEC_INFO in *'\"interactive\":true'*) exit 1;; esac\nread x && exit 1\necho '%s'\n" % token)
    quiet = s.kubeconfig('quiet', interactiveMode='IfAvailable', command=good)
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
        done = s.run('bash', '--norc', script, typed)
        got = sorted(re.sub(r'\s+\(.*|/$', '', line).strip() for line in done.stdout.splitlines() if line)
        s.expect('bash: ' + typed, got, wanted)


def fish(s):
    for typed, wanted in rows(s):
        if '-f we' in typed or '-k ov' in typed:
            continue  # cobra's script for fish offers all files then
        done = s.run('fish', '--no-config', '-c', 'kubectl completion fish | source; complete -C ' + shlex.quote(typed))
        got = sorted(line.split('\t')[0].split('=')[-1] for line in done.stdout.splitlines())
        s.expect('fish: ' + typed, got, wanted)


ZSH = r'''
PS1='ready> '; autoload -U compinit; compinit -D -u; source <(kubectl completion zsh)
zle -N show; show() { print -r -- "<<$BUFFER>>"; BUFFER= }; bindkey '^X' show; bindkey '^I' complete-word; LISTMAX=1000
'''


def completed(terminal, typed):
    """The command line after a tab."""
    terminal.text = ''
    terminal.type(typed + '\t\x18')
    return terminal.await_text(r'<<(.*?)>>').group(1).replace('\r', '')


def zsh(s):
    s.cl.write('zshrc', ZSH)
    terminal = Terminal(s.cl, ['zsh', '-f', '-i'], TERM='dumb', **s.environment)
    terminal.type('unset zle_bracketed_paste; source ./zshrc\n')
    terminal.await_text('ready> ')
    for typed, wanted in rows(s):
        if len(wanted) > 1:
            continue  # a list below the command line, not a completed one
        begun = re.sub(r'[^ =]*$', '', typed)
        s.expect('zsh: ' + typed, completed(terminal, typed).rstrip(' /'), begun + wanted[0])
    terminal.type('\x03exit\n')
    terminal.finish()


def powershell(s):
    """Debian has no PowerShell, so this does what kubectl's script for it does: it passes the line on, removes the flag from a word with
    "=", and offers what has the prefix. For files it offers nothing, and PowerShell its own."""
    for typed, wanted in rows(s):
        word = typed.split(' ')[-1]
        done = s.run('kubectl', '__complete', *typed.split(' ')[1:])
        lines = done.stdout.splitlines()
        begun = word.split('=', 1)[1] if word.startswith('--') and '=' in word else word
        names = [line.split('\t')[0] for line in lines[:-1]]
        files = lines[-1] != ':4'
        got = [] if files else sorted(name for name in names if name.startswith(begun))
        asked_for_files = typed.endswith(('-f we', '-k ov'))
        s.expect('PowerShell: ' + typed, (got, files), ([], True) if asked_for_files else (wanted, False))


def program_name(s):
    """Usage has the name as typed."""
    for argv, name in ((['kubectl', 'smp'], 'kubectl smp'), (['kubectl-smp'], 'kubectl-smp'), (['bin/kubectl-smp'], 'kubectl-smp')):
        s.check.has('help calls us %s' % name, s.run(*argv, 'apply', '--help').stdout, '\nUsage:\n  %s apply -f FILE' % name)


def versions(s):
    theirs = json.loads(s.run('kubectl', 'version', '-o', 'json').stdout)
    ours = json.loads(must(s.run('kubectl', 'smp', 'version', '-o', 'json')))
    s.expect('version -o json: what the server says', ours['serverVersion'], theirs['serverVersion'])
    s.check('version -o json: clientVersion', sorted(set(ours['clientVersion']) - set(theirs['clientVersion'])))
    server = theirs['serverVersion']['gitVersion']
    lines = must(s.run('kubectl', 'smp', 'version')).splitlines()
    s.check.true('version', lines[0].startswith('Client Version: v') and lines[2] == 'Server Version: ' + server, lines)
    yaml = must(s.run('kubectl', 'smp', 'version', '-o', 'yaml', '--client'))
    s.check.has('version -o yaml --client', yaml, 'clientVersion:\n', lacks=['serverVersion'])
    for program in (['kubectl'], ['kubectl', 'smp']):
        done = s.run(*program, 'version', '-s', 'https://127.0.0.1:1')
        s.check.says('%s version without a server' % ' '.join(program), done, 1, out=['Client Version: v'], err=['was refused'])
    done = s.run('kubectl', 'smp', 'version', KUBECONFIG='/nonexistent')
    s.expect('version without a kubeconfig', (done.returncode, done.stdout.count('\n'), done.stderr.count('error: ')), (1, 2, 1))


def shells(s):
    for shell in (bash, zsh, fish):
        if shutil.which(shell.__name__) is None:
            s.check(shell.__name__, 'is not installed; see tests/install')
        else:
            shell(s)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, protocol, fields, hindrances, powershell, program_name, versions, shells, fixture=Setup))
