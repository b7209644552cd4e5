/**
 * The created data, as the API and the Worker return it: every read operation, with the ids of the created resources.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { operations } from '#contract';
import type { Made, Maker } from './maker.ts';

type Ids = Readonly<Record<string, string>>;

/** The ids for a path parameter whose meaning differs by operation, by the prefix of the operation's name. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filters: { zone_id: 'legacy_zone_id' },
  firewallRules: { zone_id: 'legacy_zone_id', rule_id: 'firewall_rule_id' },
  rateLimits: { zone_id: 'legacy_zone_id' },
  wafPackages: { zone_id: 'legacy_zone_id' },
  wafGroups: { zone_id: 'legacy_zone_id' },
  wafRules: { zone_id: 'legacy_zone_id', rule_id: 'waf_rule_id' },
  wafOverrides: { zone_id: 'legacy_zone_id', override_id: 'override_id' },
  accessRules: { rule_id: 'access_rule_id' },
  accountAccessRules: { rule_id: 'account_access_rule_id' },
  userAccessRules: { rule_id: 'user_access_rule_id' },
  accountTokens: { token_id: 'account_token_id' },
  accountRulesets: { ruleset_id: 'account_ruleset_id' },
  listSources: { list_id: 'feed_list_id' },
};

/** Operations that are not compared, by name or prefix, with reasons. */
const unread: Readonly<Record<string, string>> = {
  'edge.feed': 'a stream; what it sends is read by the operations beside it',
  'security.tail': 'a stream of what happens from now on',
  'metrics.list': 'of the process, not of the directory',
  'tokens.verify': 'of the token that asks',
  'accountTokens.verify': 'of a token of the account that asks',
  'workers.listTails': 'of the process',
  'workers.listTailing': 'of the process',
  'filters.validateExpression': 'stores nothing',
  'migration.config': 'of a zone in the first phase of a migration',
  'accountRulesets.getVersionByTag': 'rules of the account have no tags',
  'certificatePacks.get': 'its list has all of it',
  'accounts.getMember': 'its list has all of it',
  'accounts.getRole': 'its list has all of it',
  'workers.getDomain': 'its list has all of it',
  'workers.getBindingContent': 'the content of the Worker has it',
  'customPages.get': 'its list has all of it',
  'accountCustomPages.get': 'its list has all of it',
  objects: 'the objects behind the others: their databases are compared as files',
};

/** By default they return data up to now. */
const periods: ReadonlySet<string> = new Set(['traffic.get', 'security.summarize']);

export interface Reading {
  readonly [operation: string]: unknown;
}

export async function readEverything(
  maker: Maker,
  ids: Ids,
  askWorker: () => Promise<string>,
): Promise<Reading> {
  const reading: Record<string, unknown> = {};
  for (const [id, { method, path }] of Object.entries(operations)) {
    if (method !== 'GET' || findReason(unread, id) !== undefined) continue;
    const name = id as keyof typeof operations;
    const query = periods.has(id) ? `?since=${ids['since']}&until=${ids['until']}&interval=1m` : '';
    const answer = await maker.send(name, findParams(id, path, ids), undefined, query);
    const text = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').includes('json');
    const { result = text } = isJson ? parse(text) : {};
    reading[id] = answer.ok ? dropVolatile(result) : { status: answer.status, text };
  }
  reading['the Worker'] = JSON.parse(await askWorker());
  return reading;
}

/** The reason of an operation: its own, or that of its prefix. */
function findReason(reasons: Readonly<Record<string, string>>, id: string): string | undefined {
  return reasons[id] ?? reasons[id.split('.', 1)[0]!];
}

export function findParams(id: string, path: string, ids: Ids): Record<string, string> {
  const meaning = meanings[id.split('.', 1)[0]!] ?? {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ids[meaning[name] ?? name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function parse(text: string): { readonly result?: Made } {
  try {
    return JSON.parse(text) as { readonly result?: Made };
  } catch {
    return { result: text };
  }
}

/** Fields that depend on the time of the call, or on the caller. */
const volatile = new Set(['last_used_on', 'bookmark', 'next_on', 'age_seconds']);

/** Another server listens on another port. */
const edgePort = /^(https?:\/\/[^/:]+):\d+(?=\/|$)/;

function dropVolatile(value: Made): Made {
  if (typeof value === 'string') return value.replace(edgePort, '$1');
  if (Array.isArray(value)) return value.map(dropVolatile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !volatile.has(key))
      .map(([key, each]) => [key, dropVolatile(each)]),
  );
}

/** All created data exists. */
export function checkReading(reading: Reading): void {
  for (const [id, answer] of Object.entries(reading)) {
    const { status } = (answer ?? {}) as { readonly status?: unknown };
    ok(typeof status !== 'number', `${id}: ${JSON.stringify(answer)}`);
  }
  equal(typeof reading['the Worker'], 'object');
}

/** Lists the operations whose responses differ, and the differences. */
export function compareReadings(actual: Reading, expected: Reading): void {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const different = [...names].filter((name) => !isDeepStrictEqual(actual[name], expected[name]));
  const pick = (reading: Reading): unknown =>
    Object.fromEntries(different.map((name) => [name, reading[name]]));
  deepEqual(pick(actual), pick(expected));
}
