/** Queries as scripts send them, and as attackers might. */
import { countWorkOf } from '../../tools/count-work.ts';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { TestControl } from './harness.ts';
import { eventId, SecurityZone } from './security-zone.ts';
import { makeToken } from './token-maker.ts';

const hourMs = 3_600_000;

interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly data: any;
  readonly errors:
    | readonly {
        readonly message: string;
        readonly path: readonly string[] | null;
        readonly extensions: { readonly timestamp: string; readonly code?: string };
      }[]
    | null;
}

let control: TestControl;
let zone: SecurityZone;
before(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'business');
  await zone.record([
    { number: 1, agoMs: 2 * hourMs, action: 'log', clientIP: '198.51.100.1' },
    { number: 2, agoMs: hourMs + 500, action: 'block', ruleId: 'a', edgeResponseStatus: 403 },
    {
      number: 3,
      agoMs: hourMs,
      action: 'block',
      ruleId: 'b',
      edgeResponseStatus: 403,
      userAgent: 'sqlmap/1',
    },
    { number: 4, agoMs: 60_000, action: 'block', ruleId: 'b', edgeResponseStatus: 429 },
    { number: 5, agoMs: 1_000, action: 'challenge', metadata: [{ key: 'k', value: 'v' }] },
  ]);
});
after(() => control.close());

async function ask(
  query: string,
  variables?: object,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly operationName?: string } = {},
): Promise<Answer> {
  const { operationName, ...rest } = options;
  const body = {
    query,
    ...(variables === undefined ? {} : { variables }),
    ...(operationName === undefined ? {} : { operationName }),
  };
  const { status, headers: _, ...answer } = await control.call('POST /graphql', { body, ...rest });
  equal(status, 200);
  return answer as unknown as Answer;
}

/** Numbers of the events that a filter finds. */
async function found(filter: string, more = ''): Promise<number[]> {
  const { data, errors } = await ask(
    `{ viewer { zones(filter: { zoneTag: "${zone.id}" }) { firewallEventsAdaptive(filter: ${filter} ${more}) { id } } } }`,
  );
  equal(errors, null, JSON.stringify(errors));
  return data.viewer.zones[0].firewallEventsAdaptive.map(({ id }: { id: string }) => Number.parseInt(id, 16));
}

async function refusal(query: string, variables?: object): Promise<string> {
  const { data, errors } = await ask(query, variables);
  equal(data, null);
  ok(errors!.length > 0 && errors!.length <= 50);
  for (const { extensions } of errors!) match(extensions.timestamp, /^\d{4}-.*Z$/);
  return errors![0]!.message;
}

function inZone(selection: string): string {
  return `{ viewer { zones(filter: { zoneTag: "${zone.id}" }) { ${selection} } } }`;
}

const at = (agoMs: number): string => new Date(control.clock.now() - agoMs).toISOString();

test('graphql.query answers the query of the tutorial', async () => {
  const query = `
    query ListFirewallEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
      viewer {
        zones(filter: { zoneTag: $zoneTag }) {
          firewallEventsAdaptive(filter: $filter, limit: 2, orderBy: [datetime_DESC]) {
            action clientAsn clientCountryName clientIP clientRequestPath clientRequestQuery
            datetime source userAgent ruleId rayName matchIndex edgeResponseStatus
            metadata { key value }
          }
        }
      }
    }`;
  const filter = { datetime_geq: at(24 * hourMs), datetime_leq: at(0) };
  const answer = await ask(query, { zoneTag: zone.id, filter }, { operationName: 'ListFirewallEvents' });
  equal(answer.errors, null);
  const events = answer.data.viewer.zones[0].firewallEventsAdaptive;
  equal(events.length, 2);
  deepEqual(events[0], {
    action: 'challenge',
    clientAsn: '64496',
    clientCountryName: 'DE',
    clientIP: '192.0.2.1',
    clientRequestPath: '/',
    clientRequestQuery: '',
    datetime: '2025-12-31T23:59:59Z',
    source: 'firewallCustom',
    userAgent: 'curl/8',
    ruleId: 'rule',
    rayName: eventId(5).slice(0, -2),
    matchIndex: 0,
    edgeResponseStatus: 403,
    metadata: [{ key: 'k', value: 'v' }],
  });
});

test('graphql.query groups by the dimensions that are selected', async () => {
  const { data, errors } = await ask(
    `query ($zoneTag: String!, $from: Time!, $limit: Int!) {
      viewer { scope: zones(filter: { zoneTag: $zoneTag }) {
        total: firewallEventsAdaptiveGroups(limit: 1, filter: { datetime_geq: $from }) { count }
        byRule: firewallEventsAdaptiveGroups(
          limit: $limit, filter: { datetime_geq: $from, action: "block" }, orderBy: [count_DESC]
        ) { count avg { sampleInterval } dimensions { ruleId ...what } }
        byHour: firewallEventsAdaptiveGroups(limit: 10, filter: { datetime_geq: $from }, orderBy: [datetimeHour_ASC]) {
          count dimensions { datetimeHour date }
        }
        byStep: firewallEventsAdaptiveGroups(limit: 1, orderBy: [datetimeMinute_DESC, count_DESC]) {
          dimensions { datetime datetimeMinute datetimeFiveMinutes datetimeFifteenMinutes }
        }
      } }
    }
    fragment what on FirewallEventsAdaptiveGroupsDimensions { action }`,
    { zoneTag: zone.id, from: at(24 * hourMs), limit: 100 },
  );
  equal(errors, null);
  const { total, byRule, byHour, byStep } = data.viewer.scope[0];
  deepEqual(total, [{ count: 5 }]);
  deepEqual(byRule, [
    { count: 2, avg: { sampleInterval: 1 }, dimensions: { ruleId: 'b', action: 'block' } },
    { count: 1, avg: { sampleInterval: 1 }, dimensions: { ruleId: 'a', action: 'block' } },
  ]);
  deepEqual(byHour, [
    { count: 2, dimensions: { datetimeHour: '2025-12-31T22:00:00Z', date: '2025-12-31' } },
    { count: 3, dimensions: { datetimeHour: '2025-12-31T23:00:00Z', date: '2025-12-31' } },
  ]);
  deepEqual(byStep[0].dimensions, {
    datetime: '2025-12-31T23:59:00Z',
    datetimeMinute: '2025-12-31T23:59:00Z',
    datetimeFiveMinutes: '2025-12-31T23:55:00Z',
    datetimeFifteenMinutes: '2025-12-31T23:45:00Z',
  });
});

test('graphql.query accepts variables with the types that scripts declare', async () => {
  const declared: [types: readonly [string, string, string, string], filter: string][] = [
    [['string', 'FirewallEventsAdaptiveFilter_InputObject', 'int', 'Time'], 'firewallEventsAdaptive'],
    [
      ['string!', 'ZoneFirewallEventsAdaptiveFilter_InputObject!', 'uint64!', 'Time!'],
      'firewallEventsAdaptive',
    ],
    [['String!', 'FirewallEventsAdaptiveFilter_InputObject!', 'Int!', 'DateTime!'], 'firewallEventsAdaptive'],
    [['ID', 'ZoneFirewallEventsAdaptiveFilter_InputObject', 'int64!', 'String!'], 'firewallEventsAdaptive'],
  ];
  for (const [[tag, filter, limit, since], node] of declared) {
    const { data, errors } = await ask(
      `query Q($zone: ${tag}, $filter: ${filter}, $limit: ${limit}, $since: ${since}) {
        viewer { zones(filter: { zoneTag: $zone }) {
          all: ${node}(filter: $filter, limit: $limit) { ruleId }
          some: ${node}(filter: { AND: [{ datetime_gt: $since }] }, limit: $limit) { ruleId }
        } }
      }`,
      { zone: zone.id, filter: { action: 'block' }, limit: 10, since: at(hourMs / 2) },
    );
    equal(errors, null, JSON.stringify(errors));
    deepEqual([data.viewer.zones[0].all.length, data.viewer.zones[0].some.length], [3, 2]);
  }
});

test('graphql.query filters by every operator, AND and OR', async () => {
  const cases: [filter: string, ids: number[]][] = [
    ['{}', [5, 4, 3, 2, 1]],
    ['{ action: "block" }', [4, 3, 2]],
    ['{ action_neq: "block" }', [5, 1]],
    ['{ action_in: ["log", "challenge"] }', [5, 1]],
    ['{ action_notin: ["log", "challenge"] }', [4, 3, 2]],
    ['{ userAgent_like: "sqlmap%" }', [3]],
    ['{ userAgent_notlike: "%/8", action: "block" }', [3]],
    ['{ edgeResponseStatus_gt: 403 }', [4]],
    ['{ edgeResponseStatus_leq: 403, action: "block" }', [3, 2]],
    ['{ OR: [{ action: "log" }, { ruleId: "a" }] }', [2, 1]],
    ['{ AND: [{ action: "block" }, { OR: [{ ruleId: "a" }, { edgeResponseStatus: 429 }] }] }', [4, 2]],
    [`{ datetime_geq: "${at(hourMs)}" }`, [5, 4, 3]],
    [`{ datetime_gt: "${at(hourMs)}" }`, [5, 4]],
    [`{ datetime_leq: "${at(hourMs)}" }`, [3, 2, 1]],
    [`{ datetime_lt: "${at(hourMs)}" }`, [2, 1]],
    [`{ datetime: "${at(hourMs)}" }`, [3]],
    [`{ datetime_neq: "${at(hourMs)}" }`, [5, 4, 2, 1]],
    [`{ datetime_in: ["${at(hourMs)}", "${at(60_000)}"] }`, [4, 3]],
    ['{ date: "2025-12-31" }', [5, 4, 3, 2, 1]],
    ['{ date_gt: "2025-12-31" }', []],
    ['{ datetimeHour: "2025-12-31T22:00:00Z" }', [2, 1]],
  ];
  for (const [filter, ids] of cases) deepEqual(await found(filter), ids, filter);
  deepEqual(await found('{}', 'orderBy: [datetime_ASC] limit: 2'), [1, 2]);
  deepEqual(await found('{}', 'orderBy: [clientIP_DESC, datetime_ASC] limit: 2'), [1, 2]);
  deepEqual(await found('{}', 'orderBy: datetime_ASC limit: 1'), [1]);
});

test('graphql.query shows the zones that the token may read, and says which it may not', async () => {
  const other = control.zone('free');
  const token = await makeToken(control, { groups: ['Analytics Read'], on: [`zone.${zone.id}`] });
  const listed = await ask('{ viewer { zones { zoneTag } } }', undefined, { headers: token.headers });
  deepEqual(listed.data.viewer.zones, [{ zoneTag: zone.id }]);
  const query = 'query ($in: [string!]) { viewer { zones(filter: { zoneTag_in: $in }) { zoneTag } } }';
  const all = await ask(query, { in: [zone.id, other] });
  deepEqual(all.data.viewer.zones.length, 2);
  const refused = await ask(query, { in: [zone.id, other] }, { headers: token.headers });
  equal(refused.data, null);
  deepEqual([refused.errors![0]!.path, refused.errors![0]!.extensions.code], [['viewer', 'zones'], 'authz']);
  match(refused.errors![0]!.message, new RegExp(other));
});

test('graphql.query refuses times that the plan does not keep, and says where', async () => {
  const { errors } = await ask(
    inZone(`firewallEventsAdaptive(filter: { datetime_geq: "${at(10 * 24 * hourMs)}" }) { action }`),
  );
  equal(errors![0]!.message, 'cannot request data older than 259200s');
  deepEqual(errors![0]!.path, ['viewer', 'zones', '0', 'firewallEventsAdaptive']);
});

test('graphql.query says what is wrong with a query', async () => {
  const cases: [query: string, message: RegExp][] = [
    ['{', /^Syntax Error/],
    ['{ viewer { nothing } }', /Cannot query field "nothing"/],
    [inZone('firewallEventsAdaptive(limit: 0) { action }'), /limit must be a positive number/],
    [inZone('firewallEventsAdaptive(limit: 10001) { action }'), /not greater than 10000/],
    [inZone('firewallEventsAdaptive(filter: { acton: "a" }) { action }'), /acton/],
    [inZone('firewallEventsAdaptive(filter: { datetime_gt: "soon" }) { action }'), /Time/],
    [inZone('firewallEventsAdaptive(orderBy: [luck_ASC]) { action }'), /luck_ASC/],
    [
      inZone('firewallEventsAdaptiveGroups(orderBy: [ruleId_ASC]) { count dimensions { action } }'),
      /ruleId is not/,
    ],
    ['mutation { viewer { zones { zoneTag } } }', /mutation/i],
    ['query A { viewer { zones { zoneTag } } } query B { viewer { zones { zoneTag } } }', /operation name/],
  ];
  for (const [query, message] of cases) match(await refusal(query), message, query);
  const wrong =
    'query ($f: string) { viewer { zones(filter: { zoneTag: "ZONE" }) { firewallEventsAdaptive(filter: $f) { action } } } }';
  match(await refusal(wrong.replace('ZONE', zone.id), { f: 'text' }), /filter must be an object/);
  const typed =
    'query ($v: FirewallEventsAdaptiveFilter_InputObject) { viewer { zones(filter: { zoneTag: "ZONE" }) { firewallEventsAdaptive(filter: { edgeResponseStatus: $v, action: $v }) { action } } } }';
  match(await refusal(typed.replace('ZONE', zone.id), { v: { action: 'x' } }), /must be of type/);
  const { status, errors } = await control.call('POST /graphql', {
    body: { query: '{ viewer { zones { zoneTag } } }', variables: [] },
  });
  deepEqual([status, errors[0]!.code], [400, 10026]);
});

/**
 * The maximum cost of refusing a query, in steps. The introspection that every client starts with takes a third of it.
 */
const workMax = 1_000_000;

test('graphql.query bounds what a query can cost', async () => {
  const event = 'firewallEventsAdaptive(limit: 1) { action }';
  const hostile: [query: string, message: RegExp][] = [
    [`{${' viewer { zones { zoneTag } }'.repeat(1_000)} }`, /more than 2000 tokens/],
    ['{'.repeat(1_999), /Syntax Error/],
    [inZone(Array.from({ length: 31 }, (_, index) => `n${index}: ${event}`).join(' ')), /30 nodes/],
    [
      `{ ${Array.from({ length: 40 }, (_, index) => `v${index}: viewer { zones(filter: { zoneTag: "${zone.id}" }) { ${event} } }`).join(' ')} }`,
      /30 nodes/,
    ],
    [
      inZone(
        `firewallEventsAdaptive { ${Array.from({ length: 31 }, (_, index) => `f${index}: action`).join(' ')} }`,
      ),
      /30 fields/,
    ],
    [
      `${inZone('firewallEventsAdaptiveGroups { dimensions { ...a ...b } }')}
       fragment a on FirewallEventsAdaptiveGroupsDimensions { ${Array.from({ length: 20 }, (_, index) => `a${index}: action`).join(' ')} }
       fragment b on FirewallEventsAdaptiveGroupsDimensions { ${Array.from({ length: 20 }, (_, index) => `b${index}: action`).join(' ')} }`,
      /30 fields/,
    ],
    [
      `{ ${Array.from({ length: 3 }, (_, index) => `s${index}: __schema { types { name } }`).join(' ')} }`,
      /2 times/,
    ],
    [
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
      /introspection depth/i,
    ],
    [
      inZone(`firewallEventsAdaptive(filter: ${'{ AND: ['.repeat(40)}{}${'] }'.repeat(40)}) { action }`),
      /16 levels/,
    ],
    [`${inZone('...a')} fragment a on zone { ...b } fragment b on zone { ...a }`, /Cannot spread fragment/],
    [
      `${inZone('...f0')} ${Array.from({ length: 150 }, (_, index) => `fragment f${index} on zone { zoneTag ...f${index + 1} }`).join(' ')}`,
      /20 operations and fragments/,
    ],
  ];
  for (const [query, message] of hostile) {
    const work = await countWorkOf(async () => {
      match(await refusal(query), message, query.slice(0, 80));
    });
    ok(work <= workMax, `${work} steps: ${query.slice(0, 80)}`);
  }
});

test('graphql.query bounds filters that come as variables', async () => {
  const query = `query ($filter: FirewallEventsAdaptiveFilter_InputObject) ${inZone('firewallEventsAdaptive(filter: $filter) { action }')}`;
  const wide = (length: number) => ({ OR: Array.from({ length }, () => ({ action: 'block' })) });
  match(await refusal(query, { filter: wide(300) }), /200 tests/);
  match(await refusal(query, { filter: wide(20_000) }), /hold too much/);
  match(await refusal(query, { filter: { OR: Array(50_000).fill({}) } }), /hold too much/);
  const long = (length: number) => ({ action_in: Array.from({ length }, (_, index) => String(index)) });
  match(await refusal(query, { filter: long(3_000) }), /2000 values/);
  match(await refusal(query, { filter: long(10_000) }), /hold too much/);
  const unknown = Object.fromEntries(Array.from({ length: 4_900 }, (_, index) => [`k${index}`, 1]));
  const work = await countWorkOf(async () => {
    match(await refusal(query, { filter: { OR: [unknown, unknown] } }), /hold too much/);
  });
  ok(work <= workMax, `${work} steps`);
});

test('graphql.query describes itself', async () => {
  const { data, errors } = await ask(getIntrospectionQuery());
  equal(errors, null);
  const types = data.__schema.types as readonly { readonly name: string }[];
  const names = new Set(types.map(({ name }) => name));
  for (const name of ['string', 'Time', 'uint64', 'FirewallEventsAdaptiveFilter_InputObject'])
    ok(names.has(name), name);
});
