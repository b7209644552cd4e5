import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configurationOf } from '../../src/rules/firewall/testing.ts';
import { readTestRules } from '../../src/rules/seclang/crs/testing.ts';
import { StepBudget } from '#work';
import { coreRulesFrom } from '#seclang';
import { CompiledZone, type Judgement, type ZoneConfiguration } from '#firewall';
import type { Overrides } from '#rulesets';
import { type RequestDescription, requestFrom } from '#request';
import {
  findDeployable,
  legacyGroups,
  legacyPackages,
  legacyRules,
  listCategories,
  managedParts,
  managedRules,
  managedRulesets,
  replaceCoreRules,
} from '#managed';
import { form, get, json, post, query } from '../../src/rules/managed/testing.ts';

const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const lastId = '6179ae15870a4bb7b2d480d4843b323c';
const scoresId = 'c504870194831cd12c3fc0284f294abb';

before(() => replaceCoreRules(readTestRules()));
after(() => replaceCoreRules(undefined));

function zoneOf(change: Partial<ZoneConfiguration> & { readonly overrides?: Overrides } = {}): CompiledZone {
  const { overrides, ...more } = change;
  const parameters = { id: owaspId, ...(overrides === undefined ? {} : { overrides }) };
  const rule = {
    id: 'deploy',
    version: '1',
    action: 'execute',
    expression: 'true',
    enabled: true,
    ref: 'deploy',
  };
  return new CompiledZone(
    configurationOf({
      zone: { name: 'shop.example' },
      entryPoints: [
        {
          id: 'entry',
          name: 'default',
          description: '',
          kind: 'zone',
          version: '1',
          phase: 'http_request_firewall_managed',
          last_updated: '2026-01-01T00:00:00.000000Z',
          rules: [{ ...rule, action_parameters: parameters, last_updated: '2026-01-01T00:00:00.000000Z' }],
        },
      ] as unknown as ZoneConfiguration['entryPoints'],
      ...more,
    }),
    managedParts,
  );
}

const judge = (zone: CompiledZone, request: RequestDescription): Judgement =>
  zone.judge({ view: requestFrom(request) });

/** Levels above this one are off. */
function levels(max: number, rules: Overrides['rules'] = []): Overrides {
  const off = [1, 2, 3, 4].filter((level) => level > max);
  return { categories: off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })), rules };
}

const threshold = (score_threshold: number, more: object = {}): NonNullable<Overrides['rules']> => [
  { id: lastId, score_threshold, ...more },
];

/** `50310:20` for each rule that scored. */
function ledger({ triggered }: Judgement): readonly string[] {
  const { score } = triggered.at(-1) ?? {};
  return (score?.contributions ?? []).map((each) => `${each.description.slice(0, 5)}:${each.score}`);
}

test('OWASP ruleset has the installed rules, with ids that are derived from their numbers', () => {
  const ruleset = managedRulesets.get(owaspId)!;
  deepEqual(ruleset.content, { state: 'installed', version: '1.0.0' });
  deepEqual([ruleset.version, ruleset.lastUpdated], ['10000', '2026-01-01T00:00:00.000000Z']);
  const [last, ...rules] = ruleset.rules.toReversed();
  equal(last!.id, lastId);
  const script = rules.find(({ description }) => description === '50210: A script element')!;
  deepEqual(script.categories, ['paranoia-level-1', 'application-multi', 'attack-xss', 'capec-1000-152-242']);
  deepEqual(
    [script.action, script.scoreIncrement, script.enabled, script.expression],
    ['score', 20, true, undefined],
  );
  // The first 32 digits of sha256("4814384a9e5d4991b9815dcfc25d2f1f/50210").
  equal(script.id, '94a6bdb04979099adb23cd047c775d8a');
  equal(managedRules.get(script.id)!.rule, script);
  // Severities have the scores of CRS.
  const scoreOf = (number: string) =>
    rules.find(({ description }) => description.startsWith(number))!.scoreIncrement;
  deepEqual(['50110', '51130'].map(scoreOf), [5, 2]);
  // Those about the response are there, too; rules that initialise or decide by themselves are not.
  equal(scoreOf('59210'), 4);
  for (const { description } of rules) ok(!/^(?:50001|50010|51010|59110)/.test(description));
  equal(findDeployable(owaspId)!.rule(script.id)!.hasThreshold, false);
  equal(listCategories(ruleset).has('attack-rce'), true);
});

test('OWASP ruleset acts when the score reaches the threshold, and its ledger has rule, score and argument', () => {
  const attack = query("1' union select 1 from users -- <script>", 'id');
  const { verdict, triggered } = judge(zoneOf({ overrides: levels(1) }), attack);
  equal(verdict.kind, 'block');
  const { ruleId, score } = triggered.at(-1)!;
  deepEqual([ruleId, score!.total, score!.threshold], [lastId, 55, 40]);
  deepEqual(
    score!.contributions.map(({ description, score: added, values }) => [
      description,
      added,
      values![0]!.name,
    ]),
    [
      ['50210: A script element', 20, 'ARGS:id'],
      ['50310: A union of statements', 20, 'ARGS:id'],
      ['50320: A statement', 15, 'ARGS:id'],
    ],
  );
  match(score!.contributions[1]!.values![0]!.value, /union select/);
});

test('OWASP ruleset differs by threshold: 60, 40 and 25', () => {
  const requests = {
    'one sign': query('<script>'),
    'a sign and a half': query('<script> select 1 from x'),
    'two signs': query('<script>alert(1)</script>'),
    'three signs': get('/?a=%3Cscript%3Ealert(1)&b=../../x'),
    'an ordinary one': json({ name: "Sinéad O'Brien", note: 'select a size from the list' }),
  };
  const stopped = (value: number, change: Partial<ZoneConfiguration> = {}) => {
    const zone = zoneOf({ overrides: levels(1, threshold(value)), ...change });
    return Object.entries(requests).flatMap(([name, request]) =>
      judge(zone, request).verdict.kind === 'block' ? [name] : [],
    );
  };
  deepEqual(
    [60, 40, 25, 20].map((value) => stopped(value)),
    [
      ['three signs'],
      ['two signs', 'three signs'],
      ['a sign and a half', 'two signs', 'three signs'],
      ['one sign', 'a sign and a half', 'two signs', 'three signs'],
    ],
  );
  // A zone may choose that signs which no detector takes for an attack are only logged.
  const edge = { origin: undefined, overInspectionLimit: 'default', unconfirmedScores: 'log' } as const;
  deepEqual(stopped(20, { edge }), ['one sign', 'two signs', 'three signs']);
});

test('OWASP ruleset counts a rule once, however many arguments it matches', () => {
  const { triggered } = judge(
    zoneOf({ overrides: levels(1, threshold(1)) }),
    get('/?a=%3Cscript%3E&b=%3Cscript%3E&c=%3Cscript%3E'),
  );
  const [only, ...others] = triggered[0]!.score!.contributions;
  deepEqual(others, []);
  deepEqual(
    only!.values!.map(({ name }) => name),
    ['ARGS:a', 'ARGS:b', 'ARGS:c'],
  );
});

test('OWASP ruleset goes as far as the paranoia level, whatever the set-up file chooses', () => {
  const odd = query('<b>a--b</b> (1=1; {x})');
  const found = (max: number) => ledger(judge(zoneOf({ overrides: levels(max, threshold(1)) }), odd));
  deepEqual([1, 2, 3, 4].map(found), [
    [],
    ['51110:20', '51120:3', '51130:2'],
    ['51110:20', '51120:3', '51130:2', '52110:3'],
    ['51110:20', '51120:3', '51130:2', '52110:3', '53110:5'],
  ]);
});

test('OWASP ruleset takes overrides by rule, by tag and of the whole ruleset, and actions of the last rule', () => {
  const attack = query("1' union select 1 from users -- <script>");
  const idOf = (number: string) =>
    managedRulesets.get(owaspId)!.rules.find(({ description }) => description.startsWith(number))!.id;
  const found = (overrides: Overrides) => ledger(judge(zoneOf({ overrides }), attack));
  deepEqual(found(levels(1, [...threshold(1), { id: idOf('50310'), enabled: false }])), [
    '50210:20',
    '50320:15',
  ]);
  const { categories } = levels(1);
  deepEqual(
    found({ categories: [...categories!, { category: 'attack-sqli', enabled: false }], rules: threshold(1) }),
    ['50210:20'],
  );
  deepEqual(
    found({
      enabled: false,
      rules: [...threshold(1, { enabled: true }), { id: idOf('50320'), enabled: true }],
    }),
    ['50320:15'],
  );
  for (const [action, kind] of [
    ['log', 'pass'],
    ['managed_challenge', 'challenge'],
    ['block', 'block'],
  ] as const) {
    equal(judge(zoneOf({ overrides: levels(1, threshold(25, { action })) }), attack).verdict.kind, kind);
  }
  // A score that no rule compares has no effect.
  deepEqual(judge(zoneOf({ overrides: { rules: [{ id: lastId, enabled: false }] } }), attack).triggered, []);
});

test('OWASP ruleset reads forms, JSON, cookies, headers, the path and the body as the application does', () => {
  const zone = zoneOf({ overrides: levels(1, threshold(1)) });
  const placeOf = (request: RequestDescription) =>
    judge(zone, request).triggered[0]?.score!.contributions[0]!.values![0]!.name;
  equal(placeOf(form({ comment: '<script>' })), 'ARGS:comment');
  equal(placeOf(json({ items: [{ note: '<script>' }] })), 'ARGS:json.items.0.note');
  equal(placeOf(get('/', { cookie: 'sid=<script>' })), 'REQUEST_COOKIES:sid');
  equal(placeOf(get('/', { referer: '/../<script>' })), 'REQUEST_HEADERS:referer');
  equal(placeOf(get('/a/%3Cscript%3E')), 'REQUEST_FILENAME');
  equal(placeOf({ ...post('/', 'text/plain', 'x'), method: 'GET' }), 'REQUEST_METHOD');
  equal(placeOf(get('/products?page=2', { 'user-agent': 'Mozilla/5.0' })), undefined);
});

test('OWASP ruleset gives up with the rule it was at when the steps of the request are used up', () => {
  const zone = zoneOf({ overrides: levels(1) });
  const view = requestFrom(form({ text: `${'<'.repeat(50_000)} union select` }));
  const { exhausted, verdict } = zone.judge({ view, budget: new StepBudget(20_000) });
  deepEqual([verdict.kind, exhausted!.rulesetId], ['block', owaspId]);
  match(exhausted!.description, /^5\d{4}: /);
});

test('OWASP ruleset judges the response in the same transaction, within a budget of its own, where the zone wants it', () => {
  const settings = { origin: undefined, overInspectionLimit: 'default', responseRules: 'log' } as const;
  const request = get('/', { 'user-agent': 'Mozilla/5.0' });
  equal(judge(zoneOf({ overrides: levels(1) }), request).responseRules, undefined);
  const response = { status: 500, headers: [], body: `${'.'.repeat(100_000)} stack` };
  const respond = (change: Partial<ZoneConfiguration>, steps: number): Judgement => {
    const zone = zoneOf({ overrides: levels(1), edge: settings, ...change });
    return zone.judgeResponse(judge(zone, request), response, new StepBudget(steps));
  };
  const judged = respond({}, 1_000_000);
  deepEqual([judged.verdict.kind, ledger(judged)], ['pass', ['59210:4']]);
  equal(respond({ edge: { ...settings, responseRules: 'block' } }, 1_000_000).verdict.kind, 'block');
  // A ruleset that only watches blocks nothing.
  const watched = respond({ edge: { ...settings, responseRules: 'block' }, isWatched: true }, 1_000_000);
  deepEqual([watched.verdict.kind, ledger(watched)], ['pass', ['59210:4']]);
  const exhausted = respond({}, 3);
  deepEqual([exhausted.verdict.kind, exhausted.triggered[0]!.ruleId], ['block', 'judging-budget']);
  const off = levels(1, [{ id: managedRulesets.get(owaspId)!.rules.at(-2)!.id, enabled: false }]);
  deepEqual(ledger(respond({ ...zoneOf({ overrides: off, edge: settings }).configuration }, 1_000_000)), []);
});

test('the legacy OWASP package runs the rules of the first two levels under their numbers, in its groups', () => {
  const { rules, groups } = legacyPackages.find(({ id }) => id === scoresId)!;
  deepEqual(
    rules.filter(({ id }) => /^5[123]/.test(id)).map(({ id }) => id),
    ['51110', '51120', '51130'],
  );
  const groupOf = (id: string) => legacyGroups.get(legacyRules.get(id)!.groupId)!.name;
  deepEqual(['50120', '50210', '50310', '50420'].map(groupOf), [
    'OWASP Bad Robots',
    'OWASP XSS Attacks',
    'OWASP SQL Injection Attacks',
    'OWASP Generic Attacks',
  ]);
  deepEqual(groups.flatMap(({ ruleIds }) => ruleIds).toSorted(), rules.map(({ id }) => id).toSorted());
});

test('the legacy OWASP package has its own thresholds, higher ones for scripts, and modes of rules and groups', () => {
  const legacy = (change: Partial<ZoneConfiguration['previous']>, sensitivity: 'low' | 'medium' | 'high') =>
    zoneOf({
      migration: 'start',
      entryPoints: [],
      previous: {
        waf: 'on',
        packages: { [scoresId]: { sensitivity, action: 'block' } },
        groups: Object.fromEntries(legacyPackages[0]!.groups.map(({ id }) => [id, 'off'] as const)),
        rules: {},
        overrides: [],
        pageRules: [],
        ...change,
      },
    });
  const path = '/search?q=%3Cscript%3Ealert(1)%3C/script%3E';
  const two = get(path);
  const scripted = get(path, { 'x-requested-with': 'XMLHttpRequest' });
  const verdicts = (request: RequestDescription) =>
    (['low', 'medium', 'high'] as const).map(
      (sensitivity) => judge(legacy({}, sensitivity), request).verdict.kind,
    );
  deepEqual(verdicts(get(path, { 'user-agent': 'Mozilla/5.0' })), ['pass', 'block', 'block']);
  deepEqual(verdicts(scripted), ['pass', 'pass', 'pass']);
  const off = judge(legacy({ rules: { '50220': 'off' } }, 'medium'), two);
  deepEqual(
    [off.verdict.kind, off.steps.find(({ rulesetId }) => rulesetId === scoresId)!.matched],
    ['pass', ['50210', '51130']],
  );
  const { score, ruleId } = judge(legacy({}, 'medium'), two).triggered[0]!;
  deepEqual([ruleId, score!.total, score!.contributions[0]!.ruleId], ['981176', 42, '50210']);
});

test('replaceCoreRules replaces the rules for zones that are compiled from then on, and none at all for the same', async () => {
  const attack = query('<script>alert(1)</script>');
  const before = zoneOf({ overrides: levels(1) });
  const rules = readTestRules();
  equal(await replaceCoreRules(rules), false);
  const changed = rules.files.map(({ name, text }) => ({
    name,
    text: text.replaceAll('<script[^>]*>', '<applet'),
  }));
  equal(
    await replaceCoreRules(coreRulesFrom('1.1.0', { ...rules, files: changed }, rules.installedAt)),
    true,
  );
  deepEqual(
    [before, zoneOf({ overrides: levels(1) })].map((zone) => judge(zone, attack).verdict.kind),
    ['block', 'pass'],
  );
  equal(await replaceCoreRules(undefined), true);
  equal(judge(zoneOf({ overrides: levels(1) }), attack).verdict.kind, 'pass');
  equal(await replaceCoreRules(rules), true);
  equal(judge(zoneOf({ overrides: levels(1) }), attack).verdict.kind, 'block');
});
