/** The cost of managed rules that are not in force. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf } from '../../src/rules/firewall/testing.ts';
import { countWork } from '../../tools/count-work.ts';
import { RequestView } from '#expressions';
import { CompiledZone, type ConfiguredLegacyWaf, type ZoneConfiguration } from '#firewall';
import type { Ruleset } from '#rulesets';
import { legacyGroups, managedParts, managedRulesets } from '#managed';
import { RequestFields, splitUri } from '#request';

const on: ConfiguredLegacyWaf = {
  waf: 'on',
  packages: {},
  groups: {},
  rules: {},
  overrides: [],
  pageRules: [],
};

function compile(more: Partial<ZoneConfiguration>): CompiledZone {
  return new CompiledZone(configurationOf(more), managedParts);
}

const form = Array.from({ length: 100 }, (_, index) => `field${index}=some+ordinary+text`).join('&');

/** The work of judging a form of 2 KB, and the fields that were read for it. */
function judge(zone: CompiledZone): { readonly work: number; readonly fields: ReadonlySet<string> } {
  const fields = new Set<string>();
  const createView = (): RequestView =>
    new RequestView(
      new RequestFields({
        method: 'POST',
        version: 'HTTP/1.1',
        uri: splitUri('https://example.com/orders?page=2'),
        path: '/orders',
        headers: [
          ['host', 'example.com'],
          ['user-agent', 'Mozilla/5.0'],
          ['cookie', 'session=abc'],
          ['content-type', 'application/x-www-form-urlencoded'],
        ],
        body: form,
        bodySize: form.length,
        isBodyTruncated: false,
        ip: undefined,
        place: { country: '', asn: undefined },
        receivedAtMs: 0,
        response: { status: undefined, headers: [] },
        known: (key) => {
          fields.add(key);
          return undefined;
        },
      }),
    );
  // The first request compiles what later ones use.
  zone.judge({ view: createView(), clearance: undefined });
  const work = countWork(() => zone.judge({ view: createView(), clearance: undefined }));
  return { work, fields };
}

const empty = judge(compile({}));
const legacyOn = judge(compile({ migration: 'start', previous: on }));

test('a zone with the legacy rules off pays for the three that ignore the switch', () => {
  const zone = compile({ migration: 'start' });
  const { work, fields } = judge(zone);
  deepEqual([...fields].toSorted(), [
    'http.request.headers.values',
    'raw.http.request.uri.path',
    'raw.http.request.uri.query',
  ]);
  ok(work - empty.work < 0.05 * (legacyOn.work - empty.work), `${work} steps, ${legacyOn.work} if on`);
});

test('a zone with all groups of the legacy rules off pays nothing', () => {
  const groups = Object.fromEntries([...legacyGroups.keys()].map((id) => [id, 'off' as const]));
  const zone = compile({ migration: 'start', previous: { ...on, groups } });
  const { work, fields } = judge(zone);
  deepEqual([[...fields], zone.readsBody], [[], false]);
  ok(work - empty.work < 100, `${work} steps, ${empty.work} without rules`);
});

test('a zone that executes managed rulesets with all rules disabled pays for the execute rules', () => {
  const rules = [...managedRulesets.values()]
    .filter(({ phase }) => phase === 'http_request_firewall_managed')
    .map(({ id }) => ({
      id: `execute-${id}`,
      version: '1',
      action: 'execute' as const,
      expression: 'true',
      enabled: true,
      ref: id,
      last_updated: '',
      action_parameters: { id, overrides: { enabled: false } },
    }));
  const entryPoint = {
    id: 'entry',
    name: '',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '',
    rules,
  } as unknown as Ruleset;
  const zone = compile({ entryPoints: [entryPoint] });
  const { work, fields } = judge(zone);
  deepEqual([[...fields], zone.readsBody], [[], false]);
  ok(work - empty.work < 300, `${work} steps, ${empty.work} without rules`);
});
