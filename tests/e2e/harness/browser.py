"""A headless Chromium, driven by the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/) through chromedriver."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

FLAGS = ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage')
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
KEYS = {'Enter': '\ue007', 'Escape': '\ue00c', 'Tab': '\ue004'}


class Browser:
    """`size` is (width, height). Messages of the console are collected from the start."""

    def __init__(self, size=(1280, 900), flags=()):
        self.profile = tempfile.mkdtemp(prefix='smp-chromium-')
        self.driver = subprocess.Popen([need('chromedriver'), '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self._start(size, flags)
        except BaseException:
            self._stop()
            raise

    def _start(self, size, flags):
        self.url = 'http://127.0.0.1:%s' % self._port()
        options = {'binary': need('chromium'),
                   'args': [*FLAGS, '--window-size=%d,%d' % size, '--user-data-dir=' + self.profile, *flags]}
        # A dialog that nobody expects is an error of the next command.
        capabilities = {'goog:chromeOptions': options, 'goog:loggingPrefs': {'browser': 'ALL'}, 'unhandledPromptBehavior': 'ignore'}
        self.session = ''
        answer = self._send('POST', '/session', {'capabilities': {'alwaysMatch': capabilities}})
        self.session = '/session/' + answer['sessionId']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send('DELETE', '')
        finally:
            self._stop()

    def _stop(self):
        self.driver.terminate()
        self.driver.wait(30)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _port(self):
        for line in self.driver.stdout:
            found = re.search(r'successfully on port (\d+)', line)
            if found:
                return found[1]
        raise AssertionError('chromedriver does not start')

    def _send(self, method, path, body=None):
        """Returns the value of the answer."""
        data = None if method != 'POST' else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.url + self.session + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)['value']
        except urllib.error.HTTPError as error:
            raise AssertionError('%s %s: %s' % (method, path, error.read().decode()[:2000])) from error

    def open(self, url):
        """A new page, also if only the fragment differs."""
        self._send('POST', '/url', {'url': 'about:blank'})
        self._send('POST', '/url', {'url': url})

    def run(self, script, *args):
        """The value that the body of a function returns."""
        return self._send('POST', '/execute/sync', {'script': script, 'args': list(args)})

    def wait_for(self, script, *args):
        """Runs an asynchronous body; its last argument is the function that takes the value."""
        return self._send('POST', '/execute/async', {'script': script, 'args': list(args)})

    def press(self, *keys):
        """Presses and releases each key (a character, or a name of KEYS), where the focus is."""
        events = [{'type': kind, 'value': KEYS.get(key, key)} for key in keys for kind in ('keyDown', 'keyUp')]
        self._send('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': events}]})

    def find(self, selector):
        return self._send('POST', '/element', {'using': 'css selector', 'value': selector})[ELEMENT]

    def click(self, selector):
        self._send('POST', '/element/%s/click' % self.find(selector))

    def role_and_name(self, selector):
        """What assistive technology is told of the element."""
        element = self.find(selector)
        return tuple(self._send('GET', '/element/%s/computed%s' % (element, what)) for what in ('role', 'label'))

    def resize(self, width, height):
        self._send('POST', '/window/rect', {'width': width, 'height': height})

    def emulate(self, **features):
        """Sets media features (prefers_color_scheme='dark'), and the medium by `media`."""
        media = features.pop('media', '')
        values = [{'name': name.replace('_', '-'), 'value': value} for name, value in features.items()]
        self._devtools('Emulation.setEmulatedMedia', media=media, features=values)

    def _devtools(self, command, **parameters):
        return self._send('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def without_scripts(self, off):
        """Pages opened from now on run no script; `evaluate` still works."""
        self._devtools('Emulation.setScriptExecutionDisabled', value=off)

    def evaluate(self, expression):
        return self._devtools('Runtime.evaluate', expression=expression)['result'].get('value')

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self._send('GET', '/screenshot')))

    def pdf(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self._send('POST', '/print')))

    def alert(self):
        """The text of an open dialog, or None."""
        try:
            return self._send('GET', '/alert/text')
        except AssertionError:
            return None

    def console(self):
        """The messages since the last call: errors, warnings and violations of the policy."""
        return self._send('POST', '/se/log', {'type': 'browser'})


def need(program):
    """A skipped test is a failure: tests/install installs both programs."""
    path = shutil.which(program)
    if not path:
        raise AssertionError('%s is missing; run tests/install' % program)
    return path
