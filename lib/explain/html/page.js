// Shows the report in the block of JSON (explain/html_data.cc). All of it is put into text nodes: no text is ever parsed as
// HTML. What the page shows is in the fragment of its address, so that a link leads to the same view.
'use strict';

const report = JSON.parse(document.getElementById('data').textContent);

// What each sign says, for readers who do not see it.
const SIGN_WORDS = {'+': 'added', '-': 'removed', '~': 'changed', '>': 'moved', '=': 'kept'};
const ACTION_SIGNS = {error: '!', prune: '-', recreate: '±', change: '~', create: '+', record: '~', unchanged: '='};
const FILTERS = ['text', 'action', 'kind', 'reason', 'manager', 'change'];
const MOST_LINES = 40;         // of a value, before it is folded
const MOST_CHARACTERS = 1000;  // of a line
const MOST_FIRST = 10;         // of one sort to look at first, before they are folded
const LEAST_SAME = 3;          // objects with the same changes
const MOST_NAMES = 5;          // of them
const MOST_ROWS = 400;         // of an object, before they are folded
const MOST_MORE = 500;         // of any list, when more are asked for
const MOST_NESTED = 20;        // changes in a value, before they are folded
const MOST_OPEN_LINES = 400;   // that are shown at first, in all open objects
const LARGE = 120;             // lines of an object that is closed at first, if there are others

const byId = (id) => document.getElementById(id);
const plural = (count, one, many = one + 's') => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

// Makes an element. Children are elements or texts; what is undefined is left out.
function element(name, attributes = {}, ...children) {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) out.setAttribute(key, value);
  }
  out.append(...children.filter((child) => child !== undefined && child !== false && child !== ''));
  return out;
}

function button(text, onClick, attributes = {}) {
  const out = element('button', {type: 'button', ...attributes}, text);
  out.addEventListener('click', onClick);
  return out;
}

// --- the state, which is in the address

const state = {};

function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const name of [...FILTERS, 'at', 'row']) state[name] = parameters.get(name) ?? '';
}

function address(values) {
  const parameters = new URLSearchParams();
  for (const name of [...FILTERS, 'at', 'row']) {
    if (values[name]) parameters.set(name, values[name]);
  }
  return '#' + parameters.toString();
}

const writeAddress = () => history.replaceState(null, '', address(state));

// A browser may refuse to store anything for a file.
function stored(name) {
  try {
    return localStorage.getItem('explain-diff.' + name);
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    localStorage.setItem('explain-diff.' + name, value);
  } catch {
    // Then it holds for this visit only.
  }
}

// --- values

// A character that is spoken as a word, and copied as it is.
const symbol = (attributes, character, word) => element('span', {...attributes, role: 'img', 'aria-label': word}, character);

const sign = (character) => symbol({class: 'sign'}, character, SIGN_WORDS[character]);

// A path may be broken before each step.
const steps = (text) => (text ?? '').split(/(?=[.[])/).flatMap((step) => [element('wbr'), step]);

function path(row) {
  return element('code', {class: 'path'}, element('span', {class: 'above'}, ...steps(row.above)),
                 element('span', {class: 'last'}, ...steps(row.path)));
}

function lineText(line, text) {
  if (line.length === 4) {
    text.append(line[1], element('mark', {}, line[2]), line[3]);
  } else {
    text.append(line[1]);
  }
}

// A line of thousands of characters shows what is around its change.
function shortLine(line, text) {
  const whole = line.slice(1).join('');
  const from = line.length === 4 ? Math.max(0, line[1].length - 200) : 0;
  const to = Math.min(whole.length, from + MOST_CHARACTERS);
  const rest = whole.length - (to - from);
  if (from > 0) text.append('… ');
  text.append(whole.slice(from, to), to < whole.length ? ' … ' : ' ');
  text.append(button(`show ${plural(rest, 'more character')}`, () => {
    text.replaceChildren();
    lineText(line, text);
  }));
}

const LINE_CLASSES = {'+': 'added', '-': 'removed', '…': 'gap'};

function diffLine(line) {
  const text = element('span', {class: 'text'});
  const long = line.slice(1).reduce((sum, part) => sum + part.length, 0) > MOST_CHARACTERS;
  (long ? shortLine : lineText)(line, text);
  return element('li', {class: 'line ' + (LINE_CLASSES[line[0]] ?? 'same')}, element('span', {class: 'sign'}, line[0]), text);
}

function diffLines(lines) {
  return element('ul', {class: 'lines'}, ...folded(lines, MOST_LINES, 'line', diffLine));
}

function inlineValues(row) {
  const out = element('span', {class: 'values'});
  if (row.cell !== undefined) out.append(element('span', {class: 'cell'}, row.cell));
  if (row.before !== undefined) out.append(element('del', {}, row.before));
  if (row.before !== undefined && row.after !== undefined) {
    out.append(symbol({class: 'arrow'}, ' → ', 'becomes'));
  }
  if (row.after !== undefined) out.append(element(row.sign === '=' ? 'span' : 'ins', {}, row.after));
  return out;
}

const rowClass = (row) => 'row ' + (SIGN_WORDS[row.sign] ?? '');

// Returns the elements of the first items, and a button that brings more: a page with all of them may be slow.
function folded(items, most, one, make) {
  if (items.length <= most) return items.map(make);
  const first = Math.ceil(most / 2);
  return [...items.slice(0, first).map(make), moreButton(items.slice(first), one, make)];
}

function moreButton(rest, one, make) {
  const next = rest.slice(0, MOST_MORE);
  const text = next.length === rest.length ? plural(rest.length, `more ${one}`) :
      `${next.length.toLocaleString('en')} of ${plural(rest.length, `more ${one}`)}`;
  const more = element('li', {class: 'rest'}, button(`show ${text}`, () => {
    more.replaceWith(...folded(next, next.length, one, make), ...(next.length < rest.length ? [moreButton(rest.slice(MOST_MORE), one, make)] : []));
  }));
  return more;
}

const nestedRow = (row) => element('li', {class: rowClass(row)}, sign(row.sign), path(row), inlineValues(row), longValues(row) ?? '');

// The lines or the changes in a value that does not fit beside its path; undefined if it does.
function longValues(row) {
  if (row.lines) return diffLines(row.lines);
  return row.rows && element('ul', {class: 'rows nested'}, ...folded(row.rows, MOST_NESTED, 'change', nestedRow));
}

// --- rows

const reasons = new Map(report.reasons.map((reason) => [reason.name, reason]));

function rowLink(object, row) {
  const place = row.place ?? '#';
  const href = address({at: object.id, row: row.id});
  const link = element('a', {class: row.place ? 'place' : 'place permalink', href, title: 'link to this change'}, place);
  link.setAttribute('aria-label', `${row.place ? `line ${place.slice(1)}, ` : ''}link to ${row.id} of ${object.name}`);
  return link;
}

function rowElement(object, row) {
  const reason = reasons.get(row.reason);
  const badge = element('span', {class: 'reason' + (reason.surprise ? ' surprise' : ''), title: reason.meaning}, row.reason);
  return element('li', {class: rowClass(row), tabindex: '-1'}, sign(row.sign), path(row), inlineValues(row), badge, rowLink(object, row),
                 longValues(row) ?? '', row.note && element('p', {class: 'note'}, row.note));
}

// --- objects

// How many lines a change has, roughly.
const linesOf = (row) => 1 + (row.note ? 1 : 0) + (row.lines?.length ?? 0) + (row.rows ?? []).reduce((sum, inner) => sum + linesOf(inner), 0);

function linesOfObject(object) {
  const rows = (object.rows ?? []).reduce((sum, row) => sum + linesOf(row), 0);
  return 1 + rows + (object.manifest?.length ?? 0) + (object.warnings?.length ?? 0) + (object.error ? 1 : 0);
}

// What is shown of each object: its elements, and the texts that the filter searches.
const views = report.objects.map((object) => ({object, rows: object.rows ?? [], rowElements: [], start: 0, lines: linesOfObject(object)}));
const viewById = new Map(views.map((view) => [view.object.id, view]));

function titleOf(object) {
  return [object.kind, object.name].filter(Boolean).join(' ');
}

function headElement(view) {
  const {object} = view;
  const name = element('span', {class: 'name'}, object.kind && element('span', {class: 'kind'}, object.kind + ' '),
                       element('span', {class: 'own'}, object.name));
  view.button = button('', () => setOpen(view, !view.open), {'aria-expanded': 'false', 'aria-controls': `body-${view.index}`});
  view.button.append(element('span', {class: 'fold', 'aria-hidden': 'true'}),
                     element('span', {class: 'sign', 'aria-hidden': 'true'}, ACTION_SIGNS[object.action]), name);
  const link = element('a', {class: 'permalink', href: address({at: object.id}), title: 'link to this object'}, '#');
  link.setAttribute('aria-label', `link to ${titleOf(object)}`);
  return element('header', {}, element('h3', {}, view.button), element('span', {class: 'fields'}, object.fields ?? ''),
                 object.warnings && element('span', {class: 'flag'}, `⚠ ${plural(object.warnings.length, 'warning')}`),
                 view.lines > LARGE && element('span', {class: 'size'}, plural(view.lines, 'line')),
                 element('span', {class: 'action'}, object.words.split(/[:(]/)[0].trim()),
                 element('span', {class: 'place'}, object.place ?? ''), link);
}

function articleOf(view, index) {
  view.index = index;
  view.body = element('div', {class: 'body', id: `body-${index}`, hidden: ''});
  view.article = element('article', {class: 'object ' + view.object.action, 'aria-label': titleOf(view.object)},
                         headElement(view), view.body);
  return view.article;
}

function remark(kind, word, text) {
  return element('p', {class: 'remark ' + kind}, element('strong', {}, word + ': '), text);
}

// Bodies are made when they are first opened: a thousand of them would take a second.
function fillBody(view) {
  if (view.filled) return;
  view.filled = true;
  const {object} = view;
  const body = view.body;
  if (object.words.length > 40) body.append(element('p', {class: 'words'}, object.words));
  if (object.error) body.append(remark('error', 'error', object.error));
  for (const warning of object.warnings ?? []) body.append(remark('warning', 'warning', warning));
  if (object.unasked) body.append(remark('unasked', 'the server could not be asked', object.unasked));
  if (object.manifest) body.append(diffLines(object.manifest));
  view.list = element('ul', {class: 'rows'});
  if (view.rows.length > 0) body.append(view.list);
  view.others = element('p', {class: 'others', hidden: ''});
  body.append(view.others);
  for (const note of object.notes ?? []) body.append(element('p', {class: 'note'}, note));
  if (!body.firstElementChild.nextSibling && view.others === body.firstElementChild) {
    body.append(element('p', {class: 'note'}, 'Nothing changes.'));
  }
  showRows(view);
}

function setOpen(view, open) {
  view.open = open;
  if (open) fillBody(view);
  view.body.hidden = !open;
  view.button.setAttribute('aria-expanded', String(open));
  view.article.classList.toggle('open', open);
}

// --- objects with the same changes, which are shown once

function keyOfChanges({object, rows}) {
  const changes = rows.map(({place, managers, ...change}) => change);
  return JSON.stringify([object.action, object.kind, object.manifest, object.notes, changes]);
}

const isAlone = ({object}) => object.action === 'unchanged' || object.error || object.warnings || object.unasked;

function groupViews() {
  const groups = new Map();
  for (const view of views.filter((candidate) => !isAlone(candidate))) {
    const key = keyOfChanges(view);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(view);
  }
  return [...groups.values()].filter((members) => members.length >= LEAST_SAME)
      .map((members) => ({members, open: false, element: element('p', {class: 'alike'})}));
}

const groups = groupViews();

function unfold(group) {
  group.open = true;
  filter();
}

function sameLine(group, first, others) {
  const names = others.map(({object}) => object.name);
  const changes = first.object.changes > 1 ? `the same ${plural(first.object.changes, 'change')}` : 'the same change';
  const what = first.object.action === 'change' ? changes : 'the same';
  const rest = names.length - MOST_NAMES;
  group.element.replaceChildren(`… ${what} in ${plural(names.length, 'more object')}: `, names.slice(0, MOST_NAMES).join(', '));
  if (rest > 0) {
    group.element.append(element('span', {class: 'on-screen'}, ` and ${plural(rest, 'more', 'more')}`),
                         element('span', {class: 'on-paper'}, ', ' + names.slice(MOST_NAMES).join(', ')));
  }
  const show = button('Show', () => unfold(group));
  show.setAttribute('aria-label', `Show the ${plural(names.length, 'other object')} with the changes of ${titleOf(first.object)}`);
  group.element.append(' ', show);
}

// Of the members that match the filter, all but the first are folded.
function foldGroup(group) {
  const shown = group.members.filter((view) => view.shown);
  const folds = !group.open && !state.text && shown.length >= LEAST_SAME;
  shown.forEach((view, index) => { view.folded = folds && index > 0; });
  group.element.hidden = !folds;
  if (!folds) return;
  sameLine(group, shown[0], shown.slice(1));
  shown[0].article.after(group.element);
}

// --- the filter

const isVisible = (view) => view.shown && !view.folded;
const visibleViews = () => views.filter(isVisible);

const lower = (...texts) => texts.flat(3).filter((text) => typeof text === 'string').join('\n').toLowerCase();

function textsOfRow(row) {
  return [row.id, row.above, row.path, row.before, row.after, row.cell, row.note, row.reason, row.managers, row.lines ?? [],
          ...(row.rows ?? []).map(textsOfRow)];
}

function addSearchTexts(view) {
  const {object} = view;
  view.nameText = lower(object.id, object.kind, object.name, object.place, object.words);
  view.headText = lower(view.nameText, object.error, object.warnings ?? [], object.notes ?? [], object.manifest ?? []);
  view.rowTexts = view.rows.map((row) => lower(...textsOfRow(row)));
}

// Unchanged objects of which there is nothing to say are listed on request.
const isQuiet = ({object, rows}) => object.action === 'unchanged' && rows.length === 0 && !object.warnings && !object.unasked;

const isFiltered = () => FILTERS.some((name) => state[name]);

const filtersRows = () => state.text || state.reason || state.manager || state.change;

function rowMatches(view, index, words) {
  const row = view.rows[index];
  return (!state.reason || row.reason === state.reason) && (!state.change || row.sign === state.change) &&
      (!state.manager || (row.managers ?? []).includes(state.manager)) &&
      words.every((word) => view.nameText.includes(word) || view.rowTexts[index].includes(word));
}

// Objects that come or go as a whole have no rows.
const signOf = ({object, rows}) => (rows.length === 0 && ['create', 'prune'].includes(object.action) ? ACTION_SIGNS[object.action] : undefined);

// Returns true if the object itself, without any row, is what the filter asks for.
function headMatches(view, words) {
  if (state.reason || (state.change && state.change !== signOf(view))) return false;
  if (state.manager && !(view.object.managers ?? []).includes(state.manager)) return false;
  return words.every((word) => view.headText.includes(word));
}

function matchObject(view, words) {
  const {object} = view;
  view.matching = view.rows.map((row, index) => rowMatches(view, index, words));
  const asked = state.action || state.text;
  view.shown = (!state.action || object.action === state.action) && (!state.kind || object.kind === state.kind) &&
      (asked || !isQuiet(view)) && (!filtersRows() || view.matching.includes(true) || headMatches(view, words));
}

// Rows are made when they are first shown.
function rowAt(view, index) {
  view.rowElements[index] ??= rowElement(view.object, view.rows[index]);
  return view.rowElements[index];
}

// A link to a row of a long list shows it and those that follow.
function rowsBefore(view) {
  if (view.start === 0) return [];
  const show = button(`show ${plural(view.start, 'change')} before this`, () => {
    view.start = 0;
    showRows(view);
  });
  return [element('li', {class: 'rest'}, show)];
}

// Shows the rows that match, counts the others, and folds a long list.
function showRows(view) {
  if (!view.filled || !view.matching) return;
  const some = view.matching.includes(true) && view.start === 0;
  const wanted = [...view.rows.keys()].filter((index) => !some || view.matching[index]);
  view.list.replaceChildren(...rowsBefore(view), ...folded(wanted.slice(view.start), MOST_ROWS, 'change', (index) => rowAt(view, index)));
  const others = view.rows.length - wanted.length;
  view.others.hidden = others === 0;
  view.others.replaceChildren(others > 0 ? `${plural(others, 'other change')} of this object ${others === 1 ? 'is' : 'are'} filtered out` : '');
}

function countShown() {
  const shown = views.filter((view) => view.shown);
  const changes = shown.reduce((sum, view) => sum + view.matching.filter((matches, i) => matches && view.rows[i].sign !== '=').length, 0);
  const quiet = views.filter((view) => !view.shown && isQuiet(view)).length;
  byId('count').textContent = `${shown.length.toLocaleString('en')} of ${plural(views.length, 'object')}, ${plural(changes, 'change')}`;
  const filtered = isFiltered();
  byId('clear').disabled = !filtered;
  byId('end').replaceChildren();
  if (shown.length === 0) byId('end').append(element('p', {}, filtered ? 'Nothing matches these filters.' : 'Nothing would change.'));
  if (quiet > 0 && !filtered) {
    byId('end').append(element('p', {}, `${plural(quiet, 'unchanged object')} ${quiet === 1 ? 'is' : 'are'} not listed. `,
                               button('Show', () => setFilter('action', 'unchanged'))));
  }
}

function showFilters() {
  if (byId('text').value !== state.text) byId('text').value = state.text;
  for (const name of ['kind', 'reason', 'manager', 'change']) {
    byId(name).value = state[name];
    byId(name).classList.toggle('set', state[name] !== '');
  }
  for (const tile of byId('actions').children) tile.setAttribute('aria-pressed', String(tile.dataset.action === state.action));
}

function filter() {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const view of views) {
    if (view.headText === undefined && words.length > 0) addSearchTexts(view);
    matchObject(view, words);
    view.folded = false;
    showRows(view);
  }
  groups.forEach(foldGroup);
  for (const view of views) {
    if (view.article.hidden === isVisible(view)) view.article.hidden = !isVisible(view);
  }
  showFilters();
  countShown();
  showToggleAll();
}

function setFilter(name, value) {
  for (const view of views) view.start = 0;
  state[name] = value;
  state.at = state.row = '';
  writeAddress();
  filter();
}

function clearFilters() {
  for (const name of FILTERS) state[name] = '';
  setFilter('text', '');
}

// --- links

// Opens what the address names, and brings it into view.
function goToTarget() {
  for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
  const view = viewById.get(state.at);
  if (!view) return;
  const group = groups.find(({members}) => members.includes(view));
  if (view.folded && group) unfold(group);
  view.article.hidden = false;
  view.shown = true;
  setOpen(view, true);
  const index = state.row ? view.rows.findIndex((row) => row.id === state.row) : -1;
  const target = index < 0 ? view.article : rowAt(view, index);
  if (!target.isConnected) {
    view.start = index;
    showRows(view);
  }
  target.classList.add('target');
  target.scrollIntoView({block: index < 0 ? 'start' : 'center'});
  (index < 0 ? view.button : target).focus({preventScroll: true});
}

function followAddress() {
  readAddress();
  filter();
  goToTarget();
  if (!state.at && isFiltered()) byId('changes-title').scrollIntoView();
}

// --- what to look at first

const objectLink = (view, row) => element('a', {href: address({at: view.object.id, row: row?.id})}, titleOf(view.object));

const says = (text) => element('span', {class: 'says'}, text);

const firstItem = ([view, row, text]) => element('li', {}, objectLink(view, row), row && path(row), text && says(text));

// A warning of several objects is told once.
function firstWarning([text, about]) {
  if (about.length === 1) return firstItem([about[0], undefined, text]);
  const links = about.slice(0, MOST_NAMES).map((view) => element('span', {}, objectLink(view), ' '));
  const rest = about.length - links.length;
  return element('li', {}, says(`${text} (${plural(about.length, 'object')}) `), ...links, rest > 0 && says(`and ${plural(rest, 'more', 'more')}`));
}

function firstGroup(name, title, items, one, make = firstItem) {
  if (items.length === 0) return '';
  return element('div', {class: 'group ' + name}, element('h3', {}, title), element('ul', {}, ...folded(items, MOST_FIRST, one, make)));
}

const viewsOf = (action) => views.filter(({object}) => object.action === action);
const rowsOf = (reason) => views.flatMap((view) => view.rows.filter((row) => row.reason === reason).map((row) => [view, row]));

function valuesOf(row) {
  return [row.cell, row.before, row.after].filter((text) => text !== undefined).join(' → ');
}

function otherSurprises() {
  const links = [...reasons.values()].filter((reason) => reason.surprise && reason.name !== 'conflict').map((reason) => {
    const count = rowsOf(reason.name).length;
    const link = element('a', {href: address({reason: reason.name})}, `${count.toLocaleString('en')} ${reason.name}`);
    return element('li', {}, link, says(reason.meaning));
  });
  return links.length === 0 ? '' :
      element('div', {class: 'group surprises'}, element('h3', {}, 'Other changes that the manifest alone does not explain'), element('ul', {}, ...links));
}

// What is said of few objects comes before what is said of many.
function warningsByText() {
  const byText = new Map();
  for (const view of views) {
    for (const text of view.object.warnings ?? []) byText.set(text, [...(byText.get(text) ?? []), view]);
  }
  return [...byText].sort(([, a], [, b]) => a.length - b.length);
}

function firstGroups() {
  const errors = viewsOf('error').map((view) => [view, undefined, view.object.error]);
  const deletions = [...viewsOf('prune'), ...viewsOf('recreate')].map((view) => [view, undefined, view.object.words]);
  const conflicts = rowsOf('conflict').map(([view, row]) => [view, row, valuesOf(row)]);
  const warnings = warningsByText();
  return [
    firstGroup('errors', plural(errors.length, 'object with an error or refusal', 'objects with errors or refusals'), errors, 'error'),
    firstGroup('deletions', plural(deletions.length, 'object that will be deleted', 'objects that will be deleted'), deletions, 'deletion'),
    firstGroup('conflicts', plural(conflicts.length, 'conflict'), conflicts, 'conflict'),
    firstGroup('warnings', plural(warnings.length, 'warning'), warnings, 'warning', firstWarning),
    otherSurprises(),
  ].filter((group) => group !== '');
}

function showFirst() {
  const groups = firstGroups();
  if (groups.length === 0) groups.push(element('p', {class: 'calm'}, '✓ No errors, deletions of objects, conflicts or warnings.'));
  byId('first').append(...groups);
}

// --- the rest of the page

function showHeadline() {
  byId('headline').textContent = report.summary;
  document.title = `${report.summary} – explain-diff${report.context?.name ? ' ' + report.context.name : ''}`;
  const terms = {context: report.context?.name, server: report.context?.server, namespace: report.context?.namespace,
                 user: report.context?.user, live: report.context ? undefined : 'read from files', 'made at': report.madeAt};
  for (const [term, text] of Object.entries(terms)) {
    if (text) byId('context').append(element('div', {}, element('dt', {}, term), element('dd', {}, text)));
  }
}

function actionTile({name, words}) {
  const count = viewsOf(name).length;
  if (count === 0) return '';
  const tile = button('', () => setFilter('action', state.action === name ? '' : name), {class: 'tile ' + name, 'data-action': name});
  tile.append(element('span', {class: 'sign', 'aria-hidden': 'true'}, ACTION_SIGNS[name]),
              element('b', {}, count.toLocaleString('en')), ' ' + words);
  return tile;
}

// Fills in a select: the values with their counts, the most frequent first. `labels`: a Map, because a manager may have the name of
// something that every object inherits.
function fillSelect(id, values, labels = new Map()) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  byId(id).append(element('option', {value: ''}, 'all'),
                  ...sorted.map(([value, count]) => element('option', {value}, `${labels.get(value) ?? value} (${count.toLocaleString('en')})`)));
  byId(id).disabled = sorted.length === 0;
  byId(id).addEventListener('change', () => setFilter(id, byId(id).value));
}

function showControls() {
  byId('actions').append(...report.actions.map(actionTile).filter((tile) => tile !== ''));
  const rows = views.flatMap((view) => view.rows);
  fillSelect('kind', views.map(({object}) => object.kind).filter(Boolean));
  fillSelect('reason', rows.map((row) => row.reason));
  fillSelect('manager', [...rows.flatMap((row) => [...new Set(row.managers ?? [])]), ...views.flatMap(({object}) => object.managers ?? [])]);
  fillSelect('change', [...rows.map((row) => row.sign), ...views.map(signOf).filter(Boolean)],
             new Map(Object.entries(SIGN_WORDS).map(([key, word]) => [key, `${key} ${word}`])));
  byId('text').addEventListener('input', () => setFilter('text', byId('text').value));
  byId('clear').addEventListener('click', clearFilters);
  byId('toggle-all').addEventListener('click', toggleAll);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
}

function showLegend() {
  const list = element('dl', {});
  for (const reason of report.reasons) {
    const badge = element('span', {class: 'reason' + (reason.surprise ? ' surprise' : '')}, reason.name);
    list.append(element('div', {}, element('dt', {}, badge), element('dd', {}, reason.meaning)));
  }
  byId('legend').append(list);
  byId('legend').append(element('p', {class: 'signs'}, 'Signs: ', Object.entries(SIGN_WORDS).map((pair) => pair.join(' ')).join(', ') + '.'));
  byId('legend').hidden = report.reasons.length === 0;
}

function showNotes() {
  byId('notes').append(...(report.notes ?? []).map((note) => element('p', {}, note)));
}

const allOpen = () => visibleViews().every((view) => view.open);

// Opens what one can read at once; a large object does not push the others away.
function openTheFirst() {
  const shown = visibleViews();
  let lines = 0;
  for (const view of shown) {
    if (view.lines > LARGE && shown.length > 1) continue;
    lines += view.lines;
    if (lines > MOST_OPEN_LINES && shown.length > 1) break;
    setOpen(view, true);
  }
  showToggleAll();
}

function showToggleAll() {
  byId('toggle-all').textContent = allOpen() ? 'Collapse all' : 'Expand all';
}

function toggleAll() {
  const open = !allOpen();
  for (const view of visibleViews()) setOpen(view, open);
  showToggleAll();
}

// --- theme

function setTheme(theme) {
  document.documentElement.style.colorScheme = theme;
  byId('theme').value = theme;
}

function startTheme() {
  const theme = stored('theme');
  setTheme(['light', 'dark'].includes(theme) ? theme : 'light dark');
  byId('theme').addEventListener('change', () => {
    setTheme(byId('theme').value);
    store('theme', byId('theme').value);
  });
}

// --- keys

function currentView() {
  const article = document.activeElement?.closest('article');
  return views.find((view) => view.article === article);
}

function move(step) {
  const shown = visibleViews();
  const at = shown.indexOf(currentView());
  const next = shown[at < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(at + step, 0), shown.length - 1)];
  if (!next) return;
  next.button.focus({preventScroll: true});
  next.article.scrollIntoView({block: 'nearest'});
}

function toggleCurrent() {
  const view = currentView();
  if (view) setOpen(view, !view.open);
}

function openHelp() {
  byId('help').showModal();
  byId('close-help').focus();
}

const KEYS = {
  '/': () => byId('text').focus(),
  j: () => move(1),
  n: () => move(1),
  k: () => move(-1),
  p: () => move(-1),
  o: toggleCurrent,
  Enter: toggleCurrent,
  e: toggleAll,
  x: clearFilters,
  '?': openHelp,
};

const isField = (target) => target.matches('input:not([type=checkbox]), select');
const hasOwnEnter = (target) => target.matches('a, button');

function onKey(event) {
  if (event.key === 'Escape' && event.target === byId('text')) byId('text').blur();
  if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target) || byId('help').open || !byId('keys').checked) return;
  const action = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
  if (!action || (event.key === 'Enter' && hasOwnEnter(event.target))) return;
  event.preventDefault();
  action();
}

function startKeys() {
  byId('keys').checked = stored('keys') !== 'off';
  byId('keys').addEventListener('change', () => store('keys', byId('keys').checked ? 'on' : 'off'));
  byId('help-button').addEventListener('click', openHelp);
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('objects').focus();
  });
  document.addEventListener('keydown', onKey);
}

// Paper cannot be unfolded.
function startPrint() {
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = visibleViews().filter((view) => !view.open);
    for (const view of closed) setOpen(view, true);
  });
  addEventListener('afterprint', () => {
    for (const view of closed) setOpen(view, false);
  });
}

function start() {
  startTheme();
  showHeadline();
  showControls();
  byId('objects').append(...views.map(articleOf));
  showFirst();
  showLegend();
  showNotes();
  byId('page').hidden = false;
  readAddress();
  filter();
  openTheFirst();
  goToTarget();
  startKeys();
  startPrint();
  addEventListener('hashchange', followAddress);
}

start();
