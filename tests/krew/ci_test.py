#!/usr/bin/env python3
"""The examples for pull requests (GitHub) and merge requests (GitLab) do what they say. Their scripts run as they stand, with a release
that is served by https, a real API server, an account that may only read, and an API of comments that this test plays. What the runner
would do, it does here: expressions, $GITHUB_PATH, conditions. The script for GitLab has BusyBox, curl and jq only, as in its image."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import yaml

import archives
import harness
from harness.peers import Certificates, server_context
from harness.proxy import JsonHandler, serve

MARK = '<!-- kubectl smp explain-diff -->'
TOKEN = 'token-of-the-job'
MOST_CHARACTERS = 65536  # of a comment on GitHub


class Comments:
    """The part of both APIs that is about comments: listing by pages, creating, changing. `own` is the author that has the token."""

    def __init__(self, path, own, author):
        self.path, self.own, self.author = path, own, author
        self.comments, self.writes, self.refuse = [], [], False
        self.server = serve(self.handler())
        self.url = 'http://127.0.0.1:%d' % self.server.server_port

    def handler(self):
        api = self

        class Handler(JsonHandler):
            def do_GET(self):
                self.answer(*api.get(self))

            def write(self):
                self.answer(*api.write(self, json.loads(self.body())['body']))

            do_POST = do_PATCH = do_PUT = write

        return Handler

    def allowed(self, request):
        return TOKEN in (request.headers.get('PRIVATE-TOKEN'), request.headers.get('Authorization', '')[len('Bearer '):])

    def get(self, request):
        url = urllib.parse.urlparse(request.path)
        if not self.allowed(request):
            return 401, {'message': 'Bad credentials'}
        if url.path == '/user':
            return 200, self.own
        query = urllib.parse.parse_qs(url.query)
        size, page = int(query['per_page'][0]), int(query['page'][0])
        return (200, self.comments[size * (page - 1):size * page]) if url.path == self.path else (404, {'message': 'Not Found'})

    def add(self, text, author=None):
        number = len(self.comments) + 1
        self.comments.append({'id': number, 'body': text, self.author: author or self.own, 'url': '%s%s/%d' % (self.url, self.path, number)})
        return self.comments[-1]

    def write(self, request, text):
        self.writes.append((request.command, request.path))
        if self.refuse or not self.allowed(request):
            return 403, {'message': 'Resource not accessible by integration'}
        if self.author == 'author' and request.headers['Content-Type'] != 'application/json':
            return 400, {'message': 'body is missing'}  # GitLab takes the data for a form; GitHub takes all for JSON
        if len(text) > MOST_CHARACTERS:
            return 422, {'message': 'Body is too long'}
        if request.path == self.path and request.command == 'POST':
            return 201, self.add(text)
        number = int(request.path.rsplit('/', 1)[1])
        self.comments[number - 1]['body'] = text
        return 200, self.comments[number - 1]


class Job:
    """A checkout with manifests, in which the example runs."""

    def __init__(self, suite, name):
        self.suite, self.folder = suite, os.path.join(suite.cl.dir, name)
        self.api = self.new_api()
        self.log = ''
        os.makedirs(os.path.join(self.folder, 'checkout', 'manifests'))
        with open(os.path.join(self.folder, 'checkout', '.smpignore'), 'w', encoding='utf-8') as f:
            f.write('data\nspec\n')  # whoever opens the request must not hide its changes

    def manifest(self, text):
        with open(os.path.join(self.folder, 'checkout', 'manifests', 'web.yaml'), 'w', encoding='utf-8') as f:
            f.write(text)

    def shell(self, argv, env):
        result = archives.run(*argv, env=env, cwd=os.path.join(self.folder, 'checkout'))
        self.log += result.stdout + result.stderr
        return result.returncode

    def new_temp(self):
        temp = os.path.join(self.folder, 'temp')
        shutil.rmtree(temp, ignore_errors=True)
        os.makedirs(temp)
        return temp


class GitHub(Job):
    def new_api(self):
        return Comments('/repos/me/shop/issues/7/comments', {'login': 'github-actions[bot]'}, 'user')

    def env_of(self, step, temp, change):
        """The environment that the runner makes of the step's, in which only these expressions may be."""
        known = {'runner.temp': temp, 'secrets.KUBECONFIG': self.suite.kubeconfig, 'github.token': TOKEN,
                 'github.event.pull_request.comments_url': self.api.url + self.api.path}
        env = {name: re.sub(r'\$\{\{ (\S+) \}\}', lambda m: known[m.group(1)], str(text)) for name, text in step.get('env', {}).items()}
        return {**env, **{name: value for name, value in {**self.suite.release, **change}.items() if name in env}}

    def run(self, **change):
        """Returns whether the job succeeds; `change` are values of the environment that are not the right ones."""
        temp, status, self.log = self.new_temp(), 0, ''
        path = os.path.join(temp, 'path')
        for step in self.suite.workflow['jobs']['explain-diff']['steps']:
            if 'run' not in step or (status and step.get('if') != 'success() || failure()'):
                continue
            env = {'HOME': self.folder, 'PATH': ':'.join([*text_of(path).split(), self.suite.tools, os.environ['PATH']]), 'RUNNER_TEMP': temp,
                   'GITHUB_PATH': path, 'CURL_CA_BUNDLE': self.suite.ca, **self.env_of(step, temp, change)}
            status = self.shell(['bash', '-ec', step['run']], env) or status
        return status == 0


class GitLab(Job):
    def new_api(self):
        return Comments('/projects/5/merge_requests/7/notes', {'id': 99}, 'author')

    def run(self, **change):
        job, temp, self.log = self.suite.gitlab['explain-diff'], self.new_temp(), ''
        kubeconfig = os.path.join(self.folder, 'kubeconfig')
        with open(kubeconfig, 'w', encoding='utf-8') as f:
            f.write(change.pop('KUBECONFIG_TEXT', self.suite.kubeconfig))
        env = {**job['variables'], 'HOME': self.folder, 'PATH': self.suite.busybox, 'TMPDIR': temp, 'CURL_CA_BUNDLE': self.suite.ca,
               'CI_API_V4_URL': self.api.url, 'CI_PROJECT_ID': '5', 'CI_MERGE_REQUEST_IID': '7', 'KUBECONFIG': kubeconfig,
               'COMMENT_TOKEN': TOKEN, **self.suite.release, **{'COMMENT_TOKEN' if k == 'TOKEN' else k: v for k, v in change.items()}}
        return self.shell([os.path.join(self.suite.busybox, 'sh'), '-ec', '\n'.join(job['script'])], env) == 0


def example(name):
    with open(os.path.join(archives.KREW, name), encoding='utf-8') as f:
        return yaml.safe_load(f)


def text_of(path):
    """'' if there is no such file."""
    if not os.path.exists(path):
        return ''
    with open(path, encoding='utf-8') as f:
        return f.read()


class Suite:
    def __init__(self, options, cl, check):
        self.options, self.cl, self.check = options, cl, check
        self.workflow, self.gitlab = example('github-workflow.yaml'), example('gitlab-ci.yaml')
        self.namespace = cl.new_namespace('ci')
        self.kubeconfig = self.reader()
        self.tools, self.busybox = self.links('tools', kubectl=options.kubectl), self.links('busybox', curl='curl', jq='jq')
        subprocess.run(['busybox', '--install', '-s', self.busybox], check=True)

    def links(self, name, **programs):
        folder = os.path.join(self.cl.dir, name)
        os.makedirs(folder)
        for program, path in programs.items():
            os.symlink(shutil.which(path), os.path.join(folder, program))
        return folder

    def reader(self):
        """The kubeconfig of somebody who may only read."""
        config = self.cl.config(self.options.reader)
        config['contexts'][0]['context']['namespace'] = self.namespace
        return json.dumps(config)

    def serve_release(self):
        certificates = Certificates(os.path.join(self.cl.dir, 'certificates'), 'web')
        server = archives.Server(self.options.archives, server_context(certificates.issue('web')))
        with open(os.path.join(self.options.archives, 'SHA256SUMS'), encoding='utf-8') as f:
            sums = dict(reversed(line.split()) for line in f)
        self.ca = certificates.ca
        self.release = {'RELEASE': server.url + '/releases/download/' + archives.version(), 'SHA256': sums[archives.name_of('amd64')]}
        return server


def config_map(name, value):
    return 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: "%s"}\n' % (name, value)


def pushes(suite, job, name, change):
    """One comment, which follows the pushes."""
    check, api = suite.check, job.api
    for value, wanted in (('1', '1 to create'), ('2', '1 to create')):
        job.manifest(config_map(name, value))
        check.true('%s: push %s succeeds' % (name, value), job.run(), job.log)
        check.has('%s: comment of push %s' % (name, value), api.comments[-1]['body'] if api.comments else '', MARK + '\n**explain-diff:**',
                  wanted, '+   a: "%s"\n' % value)
    suite.cl.must(suite.cl.smp('apply', '-f', os.path.join(job.folder, 'checkout', 'manifests'), '-n', suite.namespace))
    check.true(name + ': no differences', job.run(), job.log)
    check.equal(name + ': the comment was created once and then changed', [method for method, _ in api.writes], ['POST', change, change])
    check.equal(name + ': there is one comment', len(api.comments), 1)
    check.has(name + ': the comment says so', api.comments[0]['body'], '1 unchanged')
    check.equal(name + ': no kubeconfig is left', text_of(os.path.join(job.folder, 'temp', 'kubeconfig')), '')


def many_comments(suite, job, name, change):
    """The own comment is found on the second page, and no other one is taken for it."""
    for i in range(130):
        job.api.add(MARK + '\nforged' if i == 3 else 'comment %d' % i, {'login': 'somebody', 'id': 1})
    own = job.api.add(MARK + '\nold')
    for i in range(100):
        job.api.add('comment', {'login': 'somebody', 'id': 1})
    job.manifest(config_map('web', '3'))
    suite.check.true(name + ': among 231 comments', job.run(), job.log)
    suite.check.equal(name + ': its own is changed', job.api.writes, [(change, '%s/%d' % (job.api.path, own['id']))])
    suite.check.equal(name + ': not that of somebody else', job.api.comments[3]['body'], MARK + '\nforged')


def failures(suite, job, name):
    """Each makes the job fail, and the comment says that."""
    check, failed = suite.check, '**explain-diff** failed; the log of its job says why.'
    job.manifest(config_map('web', '4') + 'dat: {}\n')
    check.true(name + ': a manifest with an error', not job.run(), job.log)
    check.has(name + ': is in the comment', job.api.comments[-1]['body'], 'unknown field "dat"')
    job.manifest(config_map('web', '4'))
    job.api.refuse = True
    check.true(name + ': no comment may be written', not job.run(), job.log)
    check.has(name + ': and the log says so', job.log, 'Resource not accessible by integration')
    job.api.refuse = False
    check.true(name + ': a token that is not valid', not job.run(TOKEN='other'), job.log)
    check.true(name + ': no cluster', not job.run(KUBECONFIG_TEXT='{}'), job.log)
    check.equal(name + ': no cluster is in the comment', job.api.comments[-1]['body'], MARK + '\n' + failed + '\n')


def wrong_archives(suite, job, name):
    job.manifest(config_map('web', '5'))
    for what, change in (('another checksum', {'SHA256': '0' * 64}), ('no checksum', {'SHA256': ''}),
                         ('by http', {'RELEASE': suite.release['RELEASE'].replace('https', 'http')}),
                         ('no server', {'RELEASE': 'https://127.0.0.1:1'})):
        suite.check.true('%s: %s' % (name, what), not job.run(**change), job.log)
        unpacked = [where for where, _, files in os.walk(os.path.join(job.folder, 'temp')) if 'kubectl-smp' in files]
        suite.check.equal('%s: %s, and nothing is unpacked' % (name, what), unpacked, [])


def large(suite, job, name):
    job.manifest('---\n'.join(config_map('large-%d' % i, 'x' * 200) for i in range(400)))
    suite.check.true(name + ': many changes', job.run(), job.log)
    size = len(job.api.comments[-1]['body'])
    suite.check.true(name + ': a comment that is nearly as long as it may be', 50000 < size <= MOST_CHARACTERS, '%d characters' % size)


def rights(suite):
    """What no run shows."""
    check, workflow, job = suite.check, suite.workflow, suite.workflow['jobs']['explain-diff']
    check.equal('GitHub: the event', list(workflow[True]), ['pull_request'])  # YAML 1.1 takes `on` for true
    check.equal('GitHub: rights', (workflow['permissions'], job['permissions']), ({}, {'contents': 'read', 'pull-requests': 'write'}))
    check.equal('GitHub: forks', job['if'], 'github.event.pull_request.head.repo.full_name == github.repository')
    check.equal('GitHub: no expression in a script', [s['run'] for s in job['steps'] if '${{' in s.get('run', '')], [])
    check.equal('GitHub: secrets', [s['name'] for s in job['steps'] if 'secrets.' in str(s)], ['Explain'])
    gitlab = suite.gitlab['explain-diff']
    check.equal('GitLab: when', [rule['if'] for rule in gitlab['rules']], [
        '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID'])
    check.equal('GitLab: programs', gitlab['before_script'], ['apk add --no-cache curl jq'])
    for name, release in (('GitHub', job['steps'][1]['env']['RELEASE']), ('GitLab', gitlab['variables']['RELEASE'])):
        check.equal(name + ': the release is that of the sources', release.rsplit('/', 1)[1], archives.version())


def main():
    options = archives.parse_args(__doc__, kubectl='path of kubectl', tool='path of kubectl-smp',
                                  kubeconfig='administrator of the control plane', reader='kubeconfig of a user who may only read')
    check = harness.Checks()
    with harness.Cluster(options) as cl:
        suite = Suite(options, cl, check)
        rights(suite)
        with suite.serve_release():
            for kind, change in ((GitHub, 'PATCH'), (GitLab, 'PUT')):
                name = kind.__name__.lower()
                pushes(suite, kind(suite, name), name, change)
                many_comments(suite, kind(suite, name + '-many'), name, change)
                failures(suite, kind(suite, name + '-failing'), name)
                wrong_archives(suite, kind(suite, name + '-wrong'), name)
                large(suite, kind(suite, name + '-large'), name)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
