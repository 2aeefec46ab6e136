#!/usr/bin/env python3
"""The page of explain-diff -o html in a headless Chromium: nothing in it runs but its own script, and everything works by mouse, keys
and link. SMP_SHOTS=DIR keeps screenshots."""
import copy
import json
import os
import re
import sys

import harness
from harness import Space, must
from harness.browser import Browser
from harness.manifests import config_map, merge, of, web_yaml

EVIL = '</script><script>window.pwned=1</script><!--<img src=x onerror="window.pwned=2">\'"`${window.pwned=3}{{data}}]]>&lt;'
INVISIBLE = '\u202eabc\u2066 \x1b[31m\u2028\u2029\x7f\u200b end'
LONG = 'very long value ' * 8000  # 128 KB
# Characters that a person may not see are escapes, as in every other format.
SHOWN_INVISIBLE = '\\u202eabc\\u2066 \\x1b[31m'
# What a colour looks like against what is below it.
CONTRASTS = '''
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgb('Canvas');
  };
  const seen = new Map();
  for (const element of document.querySelectorAll('#page *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || element.closest('option, :disabled') || !element.checkVisibility()) continue;
    const text = rgb(getComputedStyle(element).color), below = ground(element);
    const [light, dark] = [luminance(text), luminance(below)].sort((a, b) => b - a);
    seen.set(`${element.tagName}.${element.className} ${text} on ${below}`, (light + 0.05) / (dark + 0.05));
  }
  return [...seen];'''
REPEATED_IDS = '''
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);'''
CONTROLS = '''
  const controls = 'a, button, input, select';
  const inside = [...document.querySelectorAll(arguments[0])].flatMap((part) => [...part.querySelectorAll(controls)]);
  return inside.filter((element) => element.checkVisibility()).map((element, index) => {
    element.dataset.test = `${arguments[0].length}-${index}`;
    return element.dataset.test;
  });'''


def deployment(name, image='nginx:1.27', replicas=2, **metadata):
    labels = {'app': 'web'}
    spec = {'replicas': replicas, 'selector': {'matchLabels': labels}, 'template': {
        'metadata': {'labels': labels}, 'spec': {'containers': [{'name': 'app', 'image': image}]}}}
    return of('apps/v1', 'Deployment', name, {'namespace': 'shop', **metadata}, spec=spec)


def managed(manager, fields, **more):
    return {'manager': manager, 'operation': 'Update', 'apiVersion': 'apps/v1', 'time': '2026-01-02T03:04:05Z', 'fieldsType': 'FieldsV1',
            'fieldsV1': fields, **more}


class Page:
    """A page that is made of files, and a browser that has it open."""

    def __init__(self, cl, browser, name, original, modified, live, statuses=(1,)):
        for part, objects in (('original', original), ('modified', modified), ('live', live)):
            cl.write('%s/%s.json' % (name, part), of('v1', 'List', items=objects) if part != 'modified' else objects)
        done = cl.run(cl.tool, 'explain-diff', '-f', name + '/modified.json', '--live', name + '/live.json',
                      '--original', name + '/original.json', '-o', 'html', HTTPS_PROXY='http://127.0.0.1:9')
        assert done.returncode in statuses, harness.said(done)
        self.text, self.browser, self.stderr = done.stdout, browser, done.stderr
        self.path = cl.path(cl.write(name + '/page.html', done.stdout))
        self.url = 'file://' + self.path

    def open(self, fragment=''):
        self.browser.open(self.url + fragment)
        return self

    def names(self):
        """The objects that are listed."""
        return self.browser.run('return [...document.querySelectorAll("article:not([hidden]) .own")].map((name) => name.textContent)')

    def rows(self, name):
        """The rows of an open object that are listed: sign and path."""
        return self.browser.run('''
          const article = [...document.querySelectorAll("article")].find((one) => one.querySelector(".own").textContent === arguments[0]);
          return [...article.querySelectorAll(".body > .rows > .row:not([hidden])")].map(
            (row) => row.querySelector(".sign").textContent + " " + row.querySelector(".path").textContent);''', name)

    def is_open(self, name):
        return self.browser.run('''return [...document.querySelectorAll("article:not([hidden])")].find(
            (one) => one.querySelector(".own").textContent === arguments[0]).querySelector("button").ariaExpanded === "true"''', name)

    def text_of(self, selector):
        return self.browser.run('return document.querySelector(arguments[0]).innerText', selector)

    def choose(self, name, value):
        """Sets a control of the filter, as a user's choice does."""
        self.browser.run('''const control = document.getElementById(arguments[0]);
            control.value = arguments[1];
            if (control.value !== arguments[1]) throw new Error("no such choice");
            control.dispatchEvent(new Event(arguments[0] === "text" ? "input" : "change"));''', name, value)

    def fragment(self):
        return self.browser.run('return decodeURIComponent(location.hash)')

    def follow(self, script, *args):
        """Runs what leads to another fragment, and waits until the page has followed."""
        self.browser.wait_for('addEventListener("hashchange", () => setTimeout(arguments[arguments.length - 1]), {once: true});' + script, *args)

    def click_link(self, selector):
        self.follow('document.querySelector(arguments[0]).click()', selector)

    def focused(self):
        return self.browser.run('return document.activeElement.closest("article")?.querySelector(".own").textContent ?? document.activeElement.id')


def no_trouble(check, page, what):
    """Nothing hostile ran, nothing was loaded, and nothing was refused."""
    check.equal(what + ': pwned', page.browser.run('return [window.pwned ?? null, typeof report]'), [None, 'object'])
    check.equal(what + ': dialogs', page.browser.alert(), None)
    check.equal(what + ': console', page.browser.console(), [])
    check.equal(what + ': loaded', page.browser.run('return performance.getEntriesByType("resource").map((entry) => entry.name)'), [])


# --- hostile text

def hostile_page(cl, browser):
    evil = EVIL + INVISIBLE
    key, image = 'k' + evil, 'i' + evil
    before = [deployment('web' + evil, annotations={key: 'old'}), config_map('c', {'namespace': 'shop'}, **{key: 'old\n', 'long': 'x'})]
    after = [deployment('web' + evil, image, annotations={key: evil}),
             config_map('c', {'namespace': 'shop'}, **{key: evil + '\nnew\n', 'long': LONG}),
             of('v1', 'ConfigMap', 'new' + evil, {'namespace': evil}, data={key: evil})]
    live = copy.deepcopy(before)
    live[0]['spec']['replicas'] = 5
    live[0]['spec']['template']['spec']['hostNetwork'] = True
    fields = {'f:spec': {'f:replicas': {}, 'f:template': {'f:spec': {'f:hostNetwork': {}}}}}
    live[0]['metadata']['managedFields'] = [managed('m' + evil, fields)]
    return Page(cl, browser, 'hostile', before, after, live)


def is_harmless(cl, check):
    with Browser() as browser:
        page = hostile_page(cl, browser).open()
        no_trouble(check, page, 'a hostile report')
        text = page.browser.run('return document.getElementById("page").textContent')
        for name, start in {'a name': 'shop/web', 'a value': 'i', 'a manager in a message': 'owned by m', 'a manager in a warning': 'set by m',
                            'a namespace': 'ConfigMap '}.items():
            check.true(name + ' is shown as it is', start + EVIL + SHOWN_INVISIBLE in text, text[:3000])
        check.true('a key is shown as in paths', '["k' + in_path(EVIL) + '\\u202eabc\\u2066 \\u001b[31m' in text, text[:3000])
        check.equal('markup of the report', page.browser.run('return [document.scripts.length, document.images.length]'), [2, 0])
        check.equal('its direction', page.browser.run('return document.getElementById("page").textContent.match(/[\\u202e\\u2066\\x1b\\u200b]/)'), None)
        check.equal('a long value is folded', page.browser.run('return [...document.querySelectorAll(".line button")].length'), 1)
        page.browser.run('document.querySelector(".line button").click()')
        check.true('and can be unfolded', LONG.strip() in page.browser.run('return document.getElementById("page").textContent'), 'it is cut')
        page.choose('text', EVIL)
        page.choose('text', 'onerror="window.pwned=2"')
        page.choose('text', '')
        page.click_link('article .permalink')
        page.click_link('article .row .place')
        linked = page.browser.run('const hash = new URLSearchParams(location.hash.slice(1)); return [hash.get("at"), hash.get("row")]')
        check.equal('its link', [EVIL in linked[0], in_path(EVIL) in linked[1]], [True, True])
        page.open('#at=%3Cscript%3E&row=__proto__&text=%3Cimg%20onerror%3E&kind=constructor&action=%ff')
        no_trouble(check, page, 'a hostile link')
        check_policy(cl, check, page)


def in_path(text):
    """A key is a JSON string there, with the escapes of Go."""
    escapes = {'<': '\\u003c', '>': '\\u003e', '&': '\\u0026'}
    return ''.join(escapes.get(c, c) for c in json.dumps(text, ensure_ascii=False)[1:-1])


def check_policy(cl, check, page):
    """The policy stops what would have got into the page, and the console would have told."""
    injected = page.text.replace('<main>', '<main><script>window.pwned = 1</script><img src="x.png" onerror="window.pwned = 2">')
    cl.write('injected.html', injected)
    page.browser.open('file://' + cl.path('injected.html'))
    check.equal('an injected script', page.browser.run('return window.pwned ?? null'), None)
    check.true('the console tells of it', len(page.browser.console()) >= 2, 'it does not')
    failed = page.browser.run('try { document.body.innerHTML = "x"; return "" } catch (error) { return error.name }')
    check.equal('a text that would become markup', failed, 'TypeError')
    page.browser.console()


# --- a report of several kinds

def story(cl, browser):
    before = [deployment('web'), deployment('api'), config_map('c', {'namespace': 'shop'}, conf=''.join('line %d\n' % i for i in range(99)), old='x'),
              config_map('same', {'namespace': 'shop'}, a='b'), of('v1', 'Secret', 'database', {'namespace': 'shop'}, stringData={'password': 'hunter2hunter2'})]
    before += [deployment('worker-%d' % i) for i in range(4)]
    live = copy.deepcopy(before)
    live[4] = of('v1', 'Secret', 'database', {'namespace': 'shop'}, data={'password': 'aHVudGVyMmh1bnRlcjI='})
    live[0] = merge(live[0], {'spec': {'replicas': 5, 'template': {'spec': {'containers': [{'name': 'app', 'image': 'nginx:1.28'}]}}}})
    live[0]['metadata']['managedFields'] = [
        managed('horizontal-pod-autoscaler', {'f:spec': {'f:replicas': {}}}, subresource='scale'),
        managed('kubectl-set', {'f:spec': {'f:template': {'f:spec': {'f:containers': {'k:{"name":"app"}': {'f:image': {}}}}}}})]
    after = copy.deepcopy(before)
    after[0] = deployment('web', 'nginx:1.29')
    after[0]['metadata']['labels'] = {'team': 'shop'}
    after[1] = merge(deployment('api', 'api:2'), {'spec': {'selector': {'matchLabels': {'app': 'other'}}}})
    after[2]['data'] = {'conf': before[2]['data']['conf'].replace('line 50\n', 'line fifty\n')}
    after[4]['stringData'] = {'password': 'changed-changed'}
    after[5:] = [deployment('worker-%d' % i, 'nginx:1.30') for i in range(4)]
    after.append(config_map('new', {'namespace': 'shop'}, a='1'))
    return Page(cl, browser, 'story', before, after, live, statuses=(2,))


ALL = ['shop/api', 'shop/web', 'shop/c', 'shop/database', 'shop/worker-0', 'shop/new']


def shows_what_matters_first(page, check):
    page.open()
    check.equal('headline', page.text_of('h1'), '10 objects: 1 to create, 7 to change (5 with new Pods), 1 unchanged, 1 refused')
    check.equal('title', page.browser.run('return document.title'), '10 objects: 1 to create, 7 to change (5 with new Pods), 1 unchanged, 1 refused – explain-diff')
    check.has('first', page.text_of('#first'), '1 object with an error or refusal', 'spec.selector: foretold: field is immutable', '1 conflict', 'nginx:1.28 → nginx:1.29',
              'takes spec.replicas from horizontal-pod-autoscaler', '1 drift')
    check.equal('objects', page.names(), ALL)
    check.equal('tiles', page.browser.run('return [...document.querySelectorAll(".tile")].map((tile) => tile.textContent)'), ['!1 with errors', '~7 to change', '+1 to create', '=1 unchanged'])
    check.equal('rows', page.rows('shop/web'), ['+ metadata.labels', '~ spec.replicas', '~ spec.template.spec.containers[name=app].image'])
    web = page.text_of('article.change')
    check.has('an object', web, 'nginx:1.28 → nginx:1.29', 'owned by kubectl-set (Update; last write 2026-01-02T03:04:05Z)', 'conflict', 'drift', 'Deployment shop/web')
    check.has('a text', page.text_of('#objects'), '48 unchanged lines', 'line fifty', 'a: "1"')
    check.equal('marks', page.browser.run('return [...document.querySelectorAll("mark")].map((mark) => mark.textContent)'), ['50', 'fifty'])
    check.has('the same changes once', page.text_of('.alike'), '… the same change in 3 more objects: shop/worker-1, shop/worker-2, shop/worker-3')
    check.has('legend', page.text_of('#legend'), 'drift', 'live changed, the manifest did not')
    check.has('errors are also on stderr', page.stderr, 'field is immutable')
    check.has('secrets', page.text, 'database', lacks=('hunter2', 'aHVudGVyM', 'changed-changed', 'Y2hhbmdlZC'))
    no_trouble(check, page, 'a report')


def filters(page, check):
    page.open()
    count = lambda: page.text_of('#count')
    check.equal('all', count(), '9 of 10 objects, 12 changes')
    for name, value, objects, said in (
            ('kind', 'ConfigMap', ['shop/c', 'shop/new'], '2 of 10 objects, 2 changes'),
            ('reason', 'conflict', ['shop/web'], '1 of 10 objects, 1 change'),
            ('manager', 'horizontal-pod-autoscaler', ['shop/web'], '1 of 10 objects, 1 change'),
            ('change', '-', ['shop/c'], '1 of 10 objects, 1 change'),
            ('text', 'nginx:1.30', ['shop/worker-%d' % i for i in range(4)], '4 of 10 objects, 4 changes'),
            ('text', 'FIFTY', ['shop/c'], '1 of 10 objects, 1 change'),
            ('text', 'shop/web replicas', ['shop/web'], '1 of 10 objects, 1 change'),
            ('text', 'shop/same', ['shop/same'], '1 of 10 objects, 0 changes'),
            ('text', 'no such text', [], '0 of 10 objects, 0 changes')):
        page.choose(name, value)
        check.equal('%s %s' % (name, value), (page.names(), count(), page.fragment()), (objects, said, '#%s=%s' % (name, value.replace(' ', '+'))))
        page.choose(name, '')
    page.choose('reason', 'drift')
    check.equal('rows that do not match are hidden', page.rows('shop/web'), ['~ spec.replicas'])
    check.has('and counted', page.text_of('article.change'), '2 other changes of this object are filtered out')
    page.choose('kind', 'ConfigMap')
    check.equal('two filters', page.names(), [])
    page.browser.click('#clear')
    check.equal('cleared', (page.names(), page.fragment()), (ALL, ''))
    page.browser.click('.tile.unchanged')
    check.equal('unchanged', (page.names(), page.browser.run('return document.querySelector(".tile.unchanged").ariaPressed')), (['shop/same'], 'true'))
    page.browser.click('.tile.unchanged')
    page.browser.click('.alike button')
    check.equal('unfolded', page.names(), ALL[:4] + ['shop/worker-%d' % i for i in range(4)] + ['shop/new'])
    page.open('#kind=ConfigMap&change=%2B')
    check.equal('a link with filters', (page.names(), page.browser.run('return document.getElementById("kind").value')), (['shop/new'], 'ConfigMap'))


def links(page, check):
    in_view = '''const box = document.querySelector(".target").getBoundingClientRect();
        return box.top >= -1 && box.top < innerHeight;'''
    page.open('#at=Deployment.apps%2Fshop%2Fworker-2')
    check.true('a folded object', 'shop/worker-2' in page.names() and page.is_open('shop/worker-2'), page.names())
    check.equal('has the focus', (page.focused(), page.browser.run(in_view)), ('shop/worker-2', True))
    page.open('#at=ConfigMap%2Fshop%2Fsame')
    check.true('an unchanged object', page.is_open('shop/same'), page.names())
    page.open('#at=Deployment.apps/shop/web&row=spec.template.spec.containers[name=app].image')
    check.equal('a row', (page.text_of('.target .path'), page.browser.run(in_view)), ('spec.template.spec.containers[name=app].image', True))
    page.open()
    page.click_link('article.create .permalink')
    check.equal('the link of an object', (page.fragment(), page.focused()), ('#at=ConfigMap/shop/new', 'shop/new'))
    page.click_link('#first .conflicts a')
    check.has('the link of a conflict', page.text_of('.target'), 'nginx:1.29')
    page.browser.press('Enter')
    check.equal('Enter on a row', page.is_open('shop/web'), False)
    page.follow('history.back()')
    check.equal('back', page.focused(), 'shop/new')
    page.click_link('#first .surprises a')
    check.equal('the link of a reason', (page.names(), page.fragment()), (['shop/web'], '#reason=drift'))


def keys(page, check):
    page.open()
    press = page.browser.press
    press('/')
    check.equal('/', page.focused(), 'text')
    press('j', 'o', '?', 'Escape')
    check.equal('keys are text there', page.browser.run('return document.getElementById("text").value'), '')
    page.choose('text', '')
    page.browser.run('document.activeElement.blur()')
    for key, wanted in (('j', 'shop/api'), ('n', 'shop/web'), ('j', 'shop/c'), ('p', 'shop/web'), ('k', 'shop/api'), ('k', 'shop/api')):
        press(key)
        check.equal(key, page.focused(), wanted)
    was = page.is_open('shop/api')
    press('Enter')
    check.equal('Enter', page.is_open('shop/api'), not was)
    press('o')
    check.equal('o', page.is_open('shop/api'), was)
    press('e')
    check.equal('e', [page.is_open(name) for name in ALL], [not was] * len(ALL))
    press('?')
    check.equal('?', page.browser.role_and_name('#help'), ('dialog', 'Keys'))
    page.browser.click('#keys')
    press('Escape')
    press('/')
    check.true('keys can be turned off', page.focused() != 'text', 'they work')
    press('?')
    page.browser.run('document.getElementById("help-button").click()')
    page.browser.click('#keys')
    page.browser.click('#help form button')
    press('/')
    check.equal('and on', page.focused(), 'text')
    page.open()
    press('Tab')
    check.equal('Tab shows the way to the objects', page.focused(), 'skip')
    press('Enter')
    check.equal('which takes it', page.focused(), 'objects')
    ring = 'const style = getComputedStyle(document.activeElement); return style.outlineStyle + " " + style.outlineWidth'
    press('Tab')
    check.equal('the focus is visible', page.browser.run(ring), 'solid 2px')


# --- how it looks

def ground(page):
    return page.browser.run('return getComputedStyle(document.body).backgroundColor')


def shot(page, name):
    if os.environ.get('SMP_SHOTS'):
        page.browser.screenshot(os.path.join(os.environ['SMP_SHOTS'], name + '.png'))


def check_contrasts(check, page, name):
    ratios = page.browser.run(CONTRASTS)
    check.true(name + ': texts', len(ratios) > 25, '%d are measured' % len(ratios))
    check.equal(name + ': contrast below 4.5', [(what, round(ratio, 2)) for what, ratio in ratios if ratio < 4.5], [])


def themes(page, check):
    light, dark = 'rgb(255, 255, 255)', 'rgb(20, 23, 28)'
    browser = page.browser
    for scheme, wanted in (('light', light), ('dark', dark)):
        browser.emulate(prefers_color_scheme=scheme)
        page.open()
        check.equal('the system is ' + scheme, ground(page), wanted)
        check_contrasts(check, page, scheme)
        shot(page, scheme)
    page.choose('theme', 'light')
    check.equal('the choice is light', ground(page), light)
    page.open()
    check.equal('and stays', ground(page), light)
    page.choose('theme', 'dark')
    browser.emulate(prefers_color_scheme='light')
    check.equal('the choice is dark', ground(page), dark)
    browser.emulate(media='print')
    check.equal('paper is light', ground(page), light)
    check.equal('without controls', browser.run('return document.getElementById("filters").checkVisibility()'), False)
    browser.emulate()
    page.choose('theme', 'light dark')
    page.open('#at=ConfigMap/shop/new')
    for motion, wanted in (('reduce', 'none'), ('no-preference', 'arrive')):
        browser.emulate(prefers_reduced_motion=motion)
        check.equal('motion ' + motion, browser.run('return getComputedStyle(document.querySelector(".target")).animationName'), wanted)
    browser.emulate()


def fits_a_narrow_window(page, check):
    for width in (1280, 640, 360):
        page.browser.resize(width, 900)
        page.open()
        wide = page.browser.run('return document.documentElement.scrollWidth - document.documentElement.clientWidth')
        check.equal('%d pixels: too wide by' % width, wide, 0)
        shot(page, 'width-%d' % width)
    page.browser.resize(1280, 900)


def long_values_have_room(cl, check):
    """Beside a path that is as wide as the page, and in an object that has no end."""
    key, image = 'example.com/' + 'long-' * 30, 'registry.example.com/a/path/to/an/image:v%d'
    before = [deployment('web', image % 1, annotations={key: 'a'}),
              config_map('large', {'namespace': 'shop'}, text=''.join('line %d\n' % i for i in range(300)))]
    after = [deployment('web', image % 2, annotations={key: 'b'}), config_map('large', {'namespace': 'shop'}, text='x\n' * 300)]
    after += [config_map('new-%d' % i, {'namespace': 'shop'}, a='%d' % i) for i in range(2)]
    with Browser() as browser:
        page = Page(cl, browser, 'long', before, after, before).open()
        check.has('a warning of two objects', page.text_of('#first'), '1 warning\n', 'so it counts as new (2 objects) ConfigMap shop/new-0 ConfigMap shop/new-1')
        heights = browser.run('return [...document.querySelectorAll(".values")].map((values) => values.getBoundingClientRect().height)')
        check.true('values beside a long path', len(heights) == 2 and 0 < max(heights) < 60, heights)
        check.equal('a large object is closed at first', [page.is_open(name) for name in page.names()], [True, False, True, True])
        browser.click('article:nth-child(2) h3 button')
        check.equal('its lines are folded', page.text_of('.lines .rest'), 'show 500 of 580 more lines')
        for _ in range(2):
            browser.run('document.querySelector(".lines .rest button").click()')
        check.equal('and can be unfolded', browser.run('return document.querySelectorAll("article:nth-child(2) .line").length'), 600)


def prints_what_is_folded(page, check):
    page.open()
    page.browser.click('#toggle-all')
    check.equal('closed', page.is_open('shop/web'), False)
    page.browser.run('addEventListener("beforeprint", () => { window.printed = document.querySelectorAll("article.open").length; })')
    page.browser.pdf(os.devnull)
    check.equal('opened for paper', page.browser.run('return window.printed'), len(ALL))
    check.equal('and closed again', page.is_open('shop/web'), False)


def check_names(check, page, inside, least):
    numbers = page.browser.run(CONTROLS, inside)
    names = {number: page.browser.role_and_name('[data-test="%s"]' % number)[1] for number in numbers}
    check.true(inside + ': controls', len(names) >= least, '%d' % len(names))
    check.equal(inside + ': controls without a name', [number for number, name in names.items() if not name.strip()], [])


def is_accessible(page, check):
    page.open()
    check_names(check, page, '#page > :not(dialog)', 30)
    page.browser.run('document.getElementById("help").showModal()')
    check_names(check, page, '#page > dialog', 2)
    page.browser.run('document.getElementById("help").close()')
    for selector, wanted in {'main': ('main', ''), '#filters': ('search', 'Filter'), '#text': ('searchbox', 'Text'), '#kind': ('combobox', 'Kind'),
                             '#count': ('status', ''), '#first': ('region', 'Look at this first'), '#actions': ('group', 'Filter by action'),
                             'article.create': ('article', 'ConfigMap shop/new'), 'article.change h3 button': ('button', 'Deployment shop/web'),
                             '.tile.change': ('button', '7 to change')}.items():
        check.equal(selector, page.browser.role_and_name(selector), wanted)
    levels = page.browser.run('return [...document.querySelectorAll("h1, h2, h3")].filter((one) => one.checkVisibility()).map((one) => +one.tagName[1])')
    steps = [pair for pair in zip(levels, levels[1:]) if pair[1] > pair[0] + 1]
    check.equal('headings', (levels[0], levels.count(1), steps), (1, 1, []))
    check.equal('ids that are not unique', page.browser.run(REPEATED_IDS), [])
    check.equal('signs in words', page.browser.role_and_name('.row.changed .sign'), ('image', 'changed'))
    check.equal('language', page.browser.run('return document.documentElement.lang'), 'en')


def works_without_javascript(page, check):
    page.browser.without_scripts(True)
    page.open()
    text = page.browser.evaluate('document.body.innerText')
    check.has('without JavaScript', text, 'does not run here', 'Deployment shop/web: will change', 'error: Deployment shop/api',
              'nginx:1.28 → nginx:1.29', '10 objects: 1 to create, 7 to change (5 with new Pods), 1 unchanged, 1 refused')
    page.browser.without_scripts(False)


def behaves(cl, check):
    with Browser() as browser:
        page = story(cl, browser)
        for part in (shows_what_matters_first, filters, links, keys, themes, fits_a_narrow_window, prints_what_is_folded, is_accessible,
                     works_without_javascript):
            check.guard(part.__name__, part, page, check)


# --- many objects

def thousand(cl, check):
    """The figures are printed; the bounds are far above them."""
    before = [deployment('web-%04d' % i) for i in range(1000)]
    after = [deployment('web-%04d' % i, 'nginx:1.%d' % (100 + i), 3) for i in range(1000)]
    with Browser() as browser:
        page = Page(cl, browser, 'thousand', before, after, before).open()
        timing = browser.run('const [entry] = performance.getEntriesByType("navigation"); return entry.domContentLoadedEventEnd')
        browser.wait_for('requestAnimationFrame(() => setTimeout(arguments[0], 100))')
        painted = browser.run('return performance.getEntriesByName("first-contentful-paint")[0].startTime')
        check.equal('objects', len(page.names()), 1000)
        times = {name: browser.wait_for('''
            const [name, value, done] = arguments, started = performance.now();
            const control = document.getElementById(name);
            if (value === null) control.click();
            else { control.value = value; control.dispatchEvent(new Event(name === "text" ? "input" : "change")); }
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));''', control, value)
                 for name, control, value in (('text', 'text', 'web-05'), ('more text', 'text', 'web-051'), ('text cleared', 'text', ''),
                                              ('change', 'change', '~'), ('all opened', 'toggle-all', None))}
        page.choose('text', 'nginx:1.1099')
        check.equal('the last', page.names(), ['shop/web-0999'])
        print('1,000 objects, 2,000 changes, %d KB: opened in %.0f ms, painted after %s ms; %s' % (
            len(page.text) // 1024, timing, round(painted), ', '.join('%s %.0f ms' % pair for pair in times.items())))
        check.true('opened', timing < 20_000, timing)
        check.true('filtered', max(times.values()) < 20_000, times)
        no_trouble(check, page, '1,000 objects')


def ten_thousand_rows(cl, check):
    """Of one object; they are made when they are asked for."""
    before, after = ([config_map('large', **{'key-%05d' % i: value + str(i) for i in range(10_000)})] for value in 'ab')
    with Browser() as browser:
        page = Page(cl, browser, 'rows', before, after, before).open()
        check.equal('rows', (len(page.rows('large')), page.text_of('.rest')), (200, 'show 500 of 9,800 more changes'))
        page.choose('text', 'key-09999')
        check.equal('the last', page.rows('large'), ['~ data.key-09999'])
        page.choose('text', '')
        page.open('#at=ConfigMap/large&row=data.key-05000')
        check.equal('a link to one that is folded', (page.text_of('.target .path'), page.rows('large')[0]), ('data.key-05000', '~ data.key-05000'))
        check.equal('and those before it', page.text_of('.rest'), 'show 5,000 changes before this')
        browser.run('document.querySelector(".rest button").click()')
        check.equal('are shown', page.rows('large')[0], '~ data.key-00000')


# --- a cluster

def shows_a_cluster(cl, check):
    space = Space(cl, 'html')
    must(space.apply(web_yaml()))
    must(space.kubectl('scale', 'deployment/web', '--replicas=5'))
    space.patch('deployment web', {'metadata': {'labels': {'team': 'x'}}})
    must(space.kubectl('label', 'deployment/web', 'level=y', '--field-manager=constructor'))
    done = space.apply(web_yaml().replace('1.27', '1.29'), '-o', 'html', command='explain-diff')
    check.says('of a cluster', done, 1, err='')
    with Browser() as browser:
        browser.open('file://' + space.path(space.write('page.html', done.stdout)))
        first = browser.run('return document.getElementById("first").innerText + document.querySelector("article").innerText')
        check.has('managers', first, '1 drift', '5 → 2', 'owned by kubectl (Update of scale', 'set by somebody (Update; last write')
        head = browser.run('return document.getElementById("context").innerText')
        check.has('context', head, cl.config()['clusters'][0]['cluster']['server'], space.name)
        check.true('when', re.search(r'made at\s+20\d\d-\d\d-\d\d \d\d:\d\d UTC', head), head)
        check.has('not asked', browser.run('return document.getElementById("notes").innerText'), 'use --ask-server')
        managers = browser.run('return [...document.querySelectorAll("#manager option")].map((option) => option.value)')
        check.true('managers to filter by', {'kubectl', 'somebody', 'constructor', 'kubectl-client-side-apply'} <= set(managers), managers)
        named = browser.run('return document.querySelector("#manager option[value=constructor]").textContent')
        check.equal('a manager whose name every object inherits', named, 'constructor (1)')
        check.equal('console', browser.console(), [])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, is_harmless, behaves, long_values_have_room, thousand, ten_thousand_rows, shows_a_cluster))
