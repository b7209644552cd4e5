import { checkLinear } from '../../../tools/count-work.ts';
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledZone, ManagedPrograms, type ZoneConfiguration } from '#firewall';
import { type RequestDescription, requestFrom } from '#request';
import { createEvent } from '../testing.ts';
import { explainJudgement } from './explain-judgement.ts';
import type { Judged, JudgedPart } from './judged.ts';
import { printExplained } from './print-judged.ts';

function zoneOf(...expressions: readonly string[]): CompiledZone {
  const configuration: ZoneConfiguration = {
    version: 7,
    zone: { id: 'zone', name: 'example.com', plan: 'enterprise', accountId: 'account', isPaused: false },
    migration: 'complete',
    firewallRules: expressions.map((expression, index) => ({
      id: `rule ${index}`,
      action: index === expressions.length - 1 ? 'block' : 'log',
      products: [],
      description: `finds ${index}`,
      ref: '',
      expression,
    })),
    entryPoints: [],
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists: [],
    edge: { origin: undefined, overInspectionLimit: 'log' },
  };
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
  const printed = printExplained(event, judged);
  // oxlint-disable-next-line no-control-regex -- the test checks that there are none
  doesNotMatch(printed, /\u001b/);
  match(printed, /^block by firewallrules rule rule 0/);
  match(printed, /version 7 .*\n {2}firewallrules.*: 1 of 1 rules, matched: rule 0, decided by rule 0\n/);
  match(
    printed,
    /<- this event\n {2}true {2}http\.user_agent contains "red" and ssl\n {4}true {2}http\.user_agent/,
  );
  match(printExplained(event, undefined), /no explanation/);
});
