import { checkLinear } from '../../../../tools/count-work.ts';
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledZone, ManagedPrograms } from '#firewall';
import { type RequestDescription, requestFrom } from '#request';
import { configurationOf } from '../../../rules/firewall/testing.ts';
import { createEvent } from '../testing.ts';
import { explainJudgement } from './explain-judgement.ts';
import { explainEvent } from '../explained/explained-event.ts';
import type { Judged, JudgedMatch, JudgedPart } from './judged.ts';
import { printExplained } from '../explained/print-judged.ts';
import { listFound } from './summary.ts';

function zoneOf(...expressions: readonly string[]): CompiledZone {
  const configuration = configurationOf({
    version: 7,
    firewallRules: expressions.map((expression, index) => ({
      id: `rule ${index}`,
      action: index === expressions.length - 1 ? 'block' : 'log',
      products: [],
      description: `finds ${index}`,
      ref: '',
      expression,
    })),
    edge: { origin: undefined, overInspectionLimit: 'log' },
  });
  const catalogue = { rulesets: new Map(), legacyPackages: [] };
  return new CompiledZone(configuration, { catalogue, programs: new ManagedPrograms() });
}

function explainRules(request: RequestDescription, ...expressions: readonly string[]): Judged {
  const zone = zoneOf(...expressions);
  const view = requestFrom(request);
  return explainJudgement(zone, view, zone.judge({ view }));
}

function tree(request: RequestDescription, expression: string): JudgedPart {
  return explainRules(request, expression).rules[0]!.tree!;
}

test('explainJudgement shows the version, each step, and the values that a rule saw', () => {
  const judged = explainRules(
    { url: 'https://example.com/admin/x', ip: '192.0.2.1' },
    'http.host eq "example.com"',
    'http.request.uri.path contains "min/" and not ip.src in {10.0.0.0/8} and (ssl or http.host eq "x")',
  );
  equal(judged.version, 7);
  deepEqual(
    judged.steps.map(({ source, reached, ruleCount, matched, end }) => [
      source,
      reached,
      ruleCount,
      matched,
      end,
    ]),
    [['firewallrules', 2, 2, ['rule 0', 'rule 1'], 'decided by rule 1']],
  );
  deepEqual(
    judged.rules.map(({ ruleId, action }) => [ruleId, action]),
    [
      ['rule 0', 'log'],
      ['rule 1', 'block'],
    ],
  );
  const [path, , either] = judged.rules[1]!.tree!.parts!;
  deepEqual(path, {
    text: 'http.request.uri.path contains "min/"',
    result: 'true',
    field: 'http.request.uri.path',
    value: '/admin/x',
    matched: [{ text: 'min/', start: 3, end: 7 }],
  });
  deepEqual(
    either!.parts!.map(({ result }) => result),
    ['true', 'not reached'],
  );
});

test('explainJudgement keeps credentials out, whichever field shows them', () => {
  const request: RequestDescription = {
    method: 'POST',
    url: 'https://example.com/login',
    headers: {
      Authorization: 'Bearer SesamOpen77',
      Cookie: 'session=c00kieValue; theme=dark',
      'X-Api-Key': 'keyKEYkey',
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Other': 'visible',
    },
    body: 'user=jane&password=hun%20ter22&comment=hello',
  };
  const secrets = /SesamOpen77|c00kieValue|keyKEYkey|hun.{1,3}ter22|dark/i;
  for (const expression of [
    'any(http.request.headers.values[*] contains "e")',
    'any(lower(http.request.headers.values[*])[*] contains "e")',
    'http.cookie contains "session"',
    'lower(http.cookie) contains "session"',
    'any(http.request.headers["authorization"][*] contains "Sesam")',
    'http.request.body.raw contains "user"',
    'http.request.body.raw contains "password=hun"',
    'url_decode(http.request.body.raw) contains "user"',
    'any(http.request.body.form.values[*] contains "e")',
    'any(http.request.body.form["password"][*] contains "hun")',
    'any(http.request.cookies["session"][*] contains "c00")',
  ]) {
    const part = tree(request, expression);
    equal(part.result, 'true', expression);
    doesNotMatch(
      JSON.stringify(part.parts ?? part).replaceAll(/"text":"(?:[^"\\]|\\.)*"/g, ''),
      secrets,
      expression,
    );
  }
  match(JSON.stringify(tree(request, 'any(http.request.headers.values[*] contains "visible")')), /visible/);
  match(
    JSON.stringify(tree(request, 'http.request.body.raw contains "user"')),
    /user=jane&password=\(hidden\)/,
  );
});

test('explainJudgement keeps secrets of JSON bodies out', () => {
  const body = '{"user":"jane","auth":{"new_password":"hunter22","apiKey":"abc123"},"note":"hunter22 is it"}';
  const shown = JSON.stringify(tree({ method: 'POST', body }, 'http.request.body.raw contains "jane"'));
  doesNotMatch(shown, /hunter22|abc123/);
  match(shown, /note.*\(hidden\) is it/);
});

test('explainJudgement cuts long values around the match', () => {
  const body = `${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}`;
  const { value, matched } = tree({ body }, 'http.request.body.raw contains "needle"');
  match(value!, /^…a{64}needleb+…$/);
  equal(value!.length < 300, true);
  deepEqual(matched, [{ text: 'needle', start: 5_000, end: 5_006 }]);
  const long = Array.from({ length: 100 }, (_, index) => `http.host eq "${index}"`).join(' or ');
  const part = tree({ url: 'http://99/' }, long);
  equal(part.text.length < 600, true);
});

/** The matches of a rule, and the cookie, argument or field that each is in. */
function found(request: RequestDescription, expression: string): readonly JudgedMatch[] {
  return listFound(tree(request, expression));
}

test('explainJudgement names the cookie, argument, header and field that a rule matched', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };
  const cases: [RequestDescription, expression: string, where: unknown][] = [
    [
      { headers: { Cookie: 'theme=dark; session=%3Cscript%3E' } },
      'url_decode(http.cookie, "ru") contains "<script"',
      { kind: 'cookie', name: 'session', start: 0 },
    ],
    [
      { headers: { Cookie: 'a=1; b=xyz' } },
      'http.cookie contains "yz"',
      { kind: 'cookie', name: 'b', start: 1 },
    ],
    [
      { headers: { Cookie: 'a=1; b=xyz' } },
      'any(http.request.cookies["b"][*] contains "yz")',
      { kind: 'cookie', name: 'b', start: 1 },
    ],
    [
      { headers: { Cookie: 'b=xyz; a=1' } },
      'any(http.request.cookies[*][*] contains "xyz")',
      { kind: 'cookie', name: 'b', start: 0 },
    ],
    [
      { url: '/s?page=1&q=1%27%20UNION%20SELECT' },
      'url_decode(raw.http.request.uri.query, "ru") matches "(?i)union select"',
      { kind: 'argument', name: 'q', start: 3 },
    ],
    [
      { url: '/s?page=1&q=etc' },
      'raw.http.request.uri contains "etc"',
      { kind: 'argument', name: 'q', start: 0 },
    ],
    [{ url: '/etc/s?page=1' }, 'raw.http.request.uri contains "etc"', { kind: 'path', name: '', start: 1 }],
    [
      { url: '/?a=1&%3Cb%3E=2' },
      'url_decode(http.request.uri.query) contains "<b>="',
      { kind: 'argument', name: '<b>' },
    ],
    [
      { headers: { 'X-One': '1', 'X-Two': 'abc' } },
      'any(lower(http.request.headers.values[*])[*] contains "bc")',
      { kind: 'header', name: 'X-Two', start: 1 },
    ],
    [
      { headers: { 'User-Agent': 'sqlmap' } },
      'http.user_agent contains "map"',
      { kind: 'header', name: 'user-agent', start: 3 },
    ],
    [
      { method: 'POST', headers: form, body: 'name=jane&comment=%3cimg' },
      'url_decode(gatehouse.request.body.text, "ru") contains "<img"',
      { kind: 'form field', name: 'comment', start: 0 },
    ],
    [
      { method: 'POST', headers: form, body: 'name=jane&comment=x' },
      'any(http.request.body.form.values[*] contains "x")',
      { kind: 'form field', name: 'comment', start: 0 },
    ],
    [
      { method: 'POST', headers: json, body: '{"user": {"tags": ["a", "b \\u003cimg"]}}' },
      'url_decode(gatehouse.request.body.text, "ru") contains "<img"',
      { kind: 'JSON value', name: 'user.tags[1]', start: 2 },
    ],
    [
      {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=X' },
        body: '--X\r\nContent-Disposition: form-data; name="one"\r\n\r\nplain\r\n--X\r\nContent-Disposition: form-data; name="two"; filename="a.php"\r\n\r\n<?php\r\n--X--',
      },
      'http.request.body.raw contains "<?php" and any(http.request.body.multipart.filenames[*][*] contains ".php")',
      { kind: 'multipart field', name: 'two', start: 0 },
    ],
  ];
  for (const [request, expression, where] of cases) {
    const [first] = found(request, expression);
    deepEqual(first?.where, where, expression);
  }
  const [, filename] = found(...(cases.at(-1)!.slice(0, 2) as [RequestDescription, string]));
  deepEqual(filename?.where, { kind: 'multipart field', name: 'two', start: 1 });
});

test('explainJudgement names a cookie whose value it hides', () => {
  const request = { headers: { Cookie: 'theme=dark; session=s3cretValue' } };
  const part = tree(request, 'http.cookie contains "s3cret"');
  deepEqual([part.value, part.matched?.[0]?.text], ['(hidden)', '(hidden)']);
  deepEqual(part.matched?.[0]?.where, { kind: 'cookie', name: 'session', start: 0 });
});

test('explainJudgement does not name parts for ever', () => {
  const body = JSON.stringify(Array.from({ length: 900 }, (_, index) => `v${index}`));
  const isLast = 'url_decode(gatehouse.request.body.text) contains "v899"';
  const { rules } = explainRules({ method: 'POST', body }, ...Array.from({ length: 10 }, () => isLast));
  const places = rules.map((rule) => listFound(rule.tree!)[0]!.where?.name);
  deepEqual(places.slice(0, 2), ['[899]', '[899]']);
  equal(places.filter((name) => name === undefined).length > 5, true);
});

test('explainJudgement lists the rules that would have decided as well, with what they found', () => {
  const zone = zoneOf('http.request.uri.query contains "a=1"', 'http.request.uri.path eq "/x"');
  const configuration = {
    ...zone.configuration,
    firewallRules: zone.configuration.firewallRules.map((rule) => ({ ...rule, action: 'block' as const })),
  };
  const catalogue = { rulesets: new Map(), legacyPackages: [] };
  const blocking = new CompiledZone(configuration, { catalogue, programs: new ManagedPrograms() });
  const view = requestFrom({ url: '/x?a=1' });
  const judged = explainJudgement(blocking, view, blocking.judge({ view, clearance: undefined }));
  deepEqual(
    judged.rules.map(({ ruleId }) => ruleId),
    ['rule 0'],
  );
  deepEqual(judged.alsoDeciding, [
    {
      source: 'firewallrules',
      ruleId: 'rule 1',
      rulesetId: '',
      action: 'block',
      description: 'finds 1',
      found: [{ text: '/x', start: 0, end: 2, field: 'http.request.uri.path' }],
    },
  ]);
  const event = createEvent('ray-0', { ruleId: 'rule 0', description: 'finds 0' });
  equal(
    explainEvent(event, judged, undefined).summary,
    'block by firewallrules rule rule 0: finds 0; "a=1" in argument "a"; 1 more rule would have decided',
  );
  match(
    printExplained(explainEvent(event, judged, undefined)),
    /\nalso would have decided\n {2}block by .*rule 1/,
  );
});

test('explainJudgement keeps the trees of some of many rules, and of the one that decided', () => {
  const { rules } = explainRules({}, ...Array.from({ length: 100 }, () => 'not ssl'));
  const withTree = rules.flatMap(({ tree: kept }, index) => (kept === undefined ? [] : [index]));
  deepEqual([rules.length, withTree.length, withTree.at(-1)], [100, 21, 99]);
});

test('explainJudgement shows text that is not UTF-8, and searches it in linear time', () => {
  const prepare = (length: number): (() => void) => {
    const filler = Buffer.alloc(length, '"a" : ');
    const body = Buffer.concat([Buffer.from('{"'), filler, Buffer.from([0xff, 0xfe])]);
    return () => equal(tree({ body }, 'http.request.body.raw contains "a"').result, 'true');
  };
  checkLinear('explainJudgement', prepare, [15_000, 120_000]);
});

test('printExplained draws the tree, and no text of a request moves the cursor', () => {
  const judged = explainRules(
    { url: 'https://example.com/a%1b', headers: { 'User-Agent': '\u001b[31mred' } },
    'http.user_agent contains "red" and ssl',
  );
  const event = createEvent('ray-0', {
    ruleId: 'rule 0',
    userAgent: '\u001b[31mred',
    clientRequestPath: '/\u001b[2J',
  });
  const printed = printExplained(explainEvent(event, judged, undefined));
  // oxlint-disable-next-line no-control-regex -- the test checks that there are none
  doesNotMatch(printed, /\u001b/);
  match(
    printed,
    /^Blocked: the header "user-agent" matches "rule 0": "red"\.\nblock by firewallrules rule rule 0/,
  );
  match(printed, /version 7 .*\n {2}firewallrules.*: 1 of 1 rules, matched: rule 0, decided by rule 0\n/);
  match(
    printed,
    /<- this event\n {2}true {2}http\.user_agent contains "red" and ssl\n {4}true {2}http\.user_agent/,
  );
  match(printExplained(explainEvent(event, undefined, undefined)), /no explanation/);
});

test('explainJudgement says which argument a detector read, what, and why', () => {
  const cases: [RequestDescription, field: string, where: unknown, text: RegExp, why: RegExp][] = [
    [
      { url: `/?q=${encodeURIComponent("x' or '1'='1")}` },
      'gatehouse.attack.sql',
      { kind: 'argument', name: 'q', start: 1 },
      /^' or '1'='1$/,
      /^a condition that is always the same behind a quote/,
    ],
    [
      { body: JSON.stringify({ items: [1, 2, 3, { note: '<img src=x onerror=alert(1)>' }] }) },
      'gatehouse.attack.script',
      { kind: 'JSON value', name: 'items[3].note', start: 0 },
      /^<img/,
      /^an event handler, onerror,$/,
    ],
    [
      {
        body: '--b\r\nContent-Disposition: form-data; name="comment"\r\nContent-Transfer-Encoding: base64\r\n\r\nO2NhdCAvZXRjL3Bhc3N3ZA==\r\n--b--',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
      'gatehouse.attack.command',
      { kind: 'multipart field', name: 'comment', start: 0 },
      /^;cat/,
      /^the program cat behind a separator$/,
    ],
    [
      { headers: { cookie: 'a=b; sid=%2527%2520union%2520select%25201%252c2--' } },
      'gatehouse.attack.sql',
      { kind: 'cookie', name: 'sid' },
      /^\(hidden\)$/,
      /decoded: URL$/,
    ],
  ];
  for (const [request, field, where, text, why] of cases) {
    const [found] = tree(request, `${field} ge 80`).matched ?? [];
    deepEqual(found?.where, where, field);
    match(found!.text, text);
    match(found!.why ?? '', why);
  }
});
