/**
 * Every row of the route table with every kind of credentials. The permissions of a row are stated here a second time,
 * by the path and with the displayed names; a route without a line below fails the test.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Operation, operations, permissionGroups } from '#contract';
import { TestControl } from './harness.ts';
import { everything, makeToken, type Wanted } from './token-maker.ts';

interface Need {
  readonly paths: RegExp;
  /** Each of these groups alone is enough; for reading, so is the matching write group. None: any credentials. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

function need(paths: RegExp, names: readonly string[]): Need {
  const named = (level: string): string[] => names.map((name) => `${name} ${level}`);
  return { paths, read: named('Read'), write: named('Write') };
}

/** The first line that matches a path counts. */
const needs: readonly Need[] = [
  need(/^\/(?:user|accounts\/\{account_id\})\/tokens\/verify$/, []),
  need(/^\/accounts$/, []),
  need(/^\/filters\/validate-expr$/, []),
  need(/^\/user\/tokens/, ['API Tokens']),
  need(/^\/user$/, ['User Details']),
  need(/^\/memberships$/, ['Memberships']),
  need(/\/audit_logs/, ['Account Audit Logs', 'Account Settings']),
  need(/^\/accounts\/\{account_id\}\/(?:metrics|certificates)$/, ['Account Settings']),
  need(/^\/accounts\/\{account_id\}(?:\/(?:members|roles|custom_pages)|$)/, ['Account Settings']),
  need(/^\/accounts\/\{account_id\}\/tokens/, ['Account API Tokens']),
  need(/^\/accounts\/\{account_id\}\/rules\/lists/, ['Account Rule Lists']),
  need(/^\/accounts\/\{account_id\}\/rulesets/, ['Account Rulesets', 'Account WAF']),
  need(/^\/(?:user|accounts\/\{account_id\})\/firewall\/access_rules/, ['Account Firewall Access Rules']),
  need(/^\/accounts\/\{account_id\}\/edge/, ['Account Edge']),
  need(/^\/accounts\/\{account_id\}\/load_balancers/, ['Load Balancing: Monitors and Pools']),
  need(/^\/zones\/\{zone_id\}\/load_balancers/, ['Load Balancers']),
  need(/^\/zones\/\{zone_id\}\/logpush/, ['Logs']),
  need(/^\/accounts\/\{account_id\}\/alerting\//, ['Notifications']),
  need(/^\/accounts\/\{account_id\}\/object(?:s|_alarms)/, ['Account Objects']),
  need(/\/workers\/scripts\/\{script_name\}\/tails/, ['Workers Scripts', 'Workers Tail']),
  need(/^\/accounts\/\{account_id\}\/workers\//, ['Workers Scripts']),
  need(/^\/accounts\/\{account_id\}\/storage\/kv\//, ['Workers KV Storage']),
  need(/^\/accounts\/\{account_id\}\/d1\//, ['D1']),
  need(/^\/accounts\/\{account_id\}\/queues/, ['Queues']),
  need(/^\/accounts\/\{account_id\}\/r2\//, ['Workers R2 Storage']),
  need(/^\/zones\/\{zone_id\}\/workers\/routes/, ['Workers Routes']),
  need(/^\/zones(?:\/\{zone_id\})?$/, ['Zone']),
  need(/^\/zones\/\{zone_id\}\/(?:available_plans|subscription)/, ['Zone']),
  need(/^\/zones\/\{zone_id\}\/(?:filters|firewall)/, ['Firewall Services']),
  need(/^\/zones\/\{zone_id\}\/(?:settings|edge|url_normalization|protection|learning|custom_pages)/, [
    'Zone Settings',
  ]),
  need(/^\/zones\/\{zone_id\}\/pagerules/, ['Page Rules']),
  need(/^\/zones\/\{zone_id\}\/(?:custom_certificates|ssl\/)/, ['SSL and Certificates']),
  need(/^\/zones\/\{zone_id\}\/(?:rulesets|rate_limit(?:s|_keys|_suggestion))/, ['Zone WAF']),
  // It shows the contents of the activity log.
  need(/^\/zones\/\{zone_id\}\/waf_migration\/comparison$/, ['Analytics']),
  need(/^\/zones\/\{zone_id\}\/waf_migration/, ['Zone WAF', 'Firewall Services']),
  need(/^\/zones\/\{zone_id\}\/(?:export|import)$/, [
    'Firewall Services',
    'Zone WAF',
    'Page Rules',
    'Zone Settings',
  ]),
  need(/^\/zones\/\{zone_id\}\/expressions/, ['Firewall Services', 'Zone WAF', 'Analytics']),
  need(/^\/zones\/\{zone_id\}\/security\/trace$/, ['Zone WAF']),
  {
    paths: /^\/zones\/\{zone_id\}\/security\/events\/\{event_id\}\/exceptions$/,
    read: ['Analytics Read'],
    write: ['Zone WAF Write', 'Firewall Services Write', 'Zone Settings Write'],
  },
  {
    paths: /^\/zones\/\{zone_id\}\/security\/views/,
    read: ['Analytics Read'],
    write: ['Zone Write', 'Zone WAF Write', 'Firewall Services Write'],
  },
  need(/^\/zones\/\{zone_id\}\/security\/rules\/preview$/, ['Zone WAF', 'Firewall Services']),
  need(/^\/zones\/\{zone_id\}\/(?:security|traffic)/, ['Analytics']),
  need(/^\/graphql$/, ['Analytics']),
];

interface Row {
  readonly id: string;
  readonly operation: Operation;
  /** With real ids of the account and a zone, and unused ids for the rest. */
  readonly route: string;
  readonly groups: readonly string[];
}

const groupNames = Object.values(permissionGroups).map(({ name }): string => name);
const nobody = '0123456789abcdef'.repeat(2);

let control: TestControl;
let rows: readonly Row[];
before(async () => {
  control = await TestControl.open();
  rows = Object.entries(operations).map(([id, operation]) => rowOf(id, operation));
});
after(() => control.close());

function rowOf(id: string, operation: Operation): Row {
  const found = needs.find(({ paths }) => paths.test(operation.path));
  ok(found, `${id}, ${operation.method} ${operation.path}, needs a line in the table of this test`);
  const writing = found.read.map((name) => name.replace(/Read$/, 'Write'));
  const groups = (operation.isWrite ? found.write : [...found.read, ...writing]).filter((name) =>
    groupNames.includes(name),
  );
  return { id, operation, route: routeTo(id, operation, control.zone('enterprise')), groups };
}

function routeTo(id: string, operation: Operation, zone: string): string {
  const known: Readonly<Record<string, string>> = {
    zone_id: zone,
    account_id: control.control.directory.accountId,
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = operation.segments[name] ?? /^[0-9a-f]{32}$/;
    const candidates = [
      known[name] ?? nobody,
      '1',
      'a',
      'waf',
      'http_request_firewall_custom',
      'WP0025B',
      '0123456789abcdef-TEST-0',
      '01234567-89ab-4cde-8f01-23456789abcd',
    ];
    const fitting = candidates.find((candidate) => pattern.test(candidate));
    ok(fitting, `${id}: this test has nothing to put in place of {${name}}`);
    return fitting;
  });
  return `${operation.method} ${path}`;
}

type Headers = Readonly<Record<string, string>>;

interface Outcome {
  readonly status: number;
  readonly code: number | undefined;
}

async function ask(route: string, headers: Headers, address = '127.0.0.1'): Promise<Outcome> {
  const [method, path] = route.split(' ') as [string, string];
  const { status, body } = await control.control.answer({
    method,
    target: `/client/v4${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    address,
    readBody: async () => Buffer.from('{}'),
  });
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body) {
    await body[Symbol.asyncIterator]().return?.();
    return { status, code: undefined };
  }
  const { errors = [] } = JSON.parse(String(body ?? '{}')) as { errors?: { code: number }[] };
  return { status, code: errors[0]?.code };
}

/**
 * A digest of all stored data: every change adds a line to an audit log, and every change of the account a revision.
 */
async function fingerprint(): Promise<unknown> {
  const { accountId, revision } = control.control.directory;
  const { result } = await control.call(`GET /accounts/${accountId}/audit_logs/verify`);
  return [revision, result];
}

/** Calls the routes of some rows, each with its credentials, and checks that no call changes anything. */
async function checkDenied(
  which: (row: Row) => boolean,
  credentials: (row: Row) => Headers | Promise<Headers>,
  expected: (row: Row) => Outcome,
  address?: string,
): Promise<void> {
  const asked = rows.filter(which);
  ok(asked.length > 0);
  const headers = new Map<Row, Headers>();
  for (const row of asked) headers.set(row, await credentials(row));
  const before = await fingerprint();
  const wrong: [string, Outcome][] = [];
  for (const row of asked) {
    const outcome = await ask(row.route, headers.get(row)!, address);
    if (!isDeepStrictEqual(outcome, expected(row))) wrong.push([row.id, outcome]);
    deepEqual(await fingerprint(), before, `${row.id} changed something`);
  }
  deepEqual(wrong, []);
}

const tokens = new Map<string, Promise<Headers>>();

/** The same token for the same permissions. */
function headersFor(wanted: Wanted): Promise<Headers> {
  const key = JSON.stringify(wanted);
  let headers = tokens.get(key);
  if (headers === undefined) {
    headers = makeToken(control, wanted).then((token) => token.headers);
    tokens.set(key, headers);
  }
  return headers;
}

const every = (): boolean => true;
const isGuarded = ({ groups }: Row): boolean => groups.length > 0;
const isVerification = ({ operation }: Row): boolean => operation.path.endsWith('/tokens/verify');
const invalid = { status: 403, code: 9109 };
const forbidden = { status: 403, code: 10000 };
/** An invalid token: the routes that Wrangler calls refuse it with the code that Wrangler explains. */
const unusable = ({ operation: { path } }: Row): Outcome =>
  /^\/accounts|^\/memberships$|\/workers\//.test(path) ? forbidden : invalid;
const unverifiable = { status: 401, code: 1000 };

test('no route answers without credentials', () =>
  checkDenied(
    every,
    () => ({}),
    (row) => (isVerification(row) ? unverifiable : { status: 400, code: 9106 }),
  ));

test('no route answers malformed credentials', () =>
  checkDenied(
    every,
    () => ({ authorization: 'Bearer not a token' }),
    () => ({ status: 400, code: 6003 }),
  ));

test('no route answers unknown credentials', async () => {
  const unknown = { authorization: `Bearer ${'x'.repeat(40)}` };
  const expected = (row: Row): Outcome => (isVerification(row) ? unverifiable : unusable(row));
  await checkDenied(every, () => unknown, expected);
  const key = { 'x-auth-email': 'owner@example.com', 'x-auth-key': '0'.repeat(37) };
  await checkDenied(
    every,
    () => key,
    (row) => (isVerification(row) ? unverifiable : { status: 400, code: 9103 }),
  );
});

test('no route answers a token that was revoked', async () => {
  const token = await makeToken(control, { groups: groupNames });
  equal((await control.call(`DELETE /user/tokens/${token.id}`)).status, 200);
  const expected = (row: Row): Outcome => (isVerification(row) ? unverifiable : unusable(row));
  await checkDenied(every, () => token.headers, expected);
});

test('no route but a verification answers a token that is disabled, not valid yet, or expired', async () => {
  const disabled = await makeToken(control, { groups: groupNames });
  const body = { ...(await control.call(`GET /user/tokens/${disabled.id}`)).result, status: 'disabled' };
  equal((await control.call(`PUT /user/tokens/${disabled.id}`, { body })).status, 200);
  const early = await makeToken(control, {
    groups: groupNames,
    with: { not_before: '2030-01-01T00:00:00Z' },
  });
  const expires_on = new Date(control.clock.now() + 1000).toISOString();
  const expired = await makeToken(control, { groups: groupNames, with: { expires_on } });
  await control.clock.advance(1000);
  for (const { headers } of [disabled, early, expired]) {
    await checkDenied(
      every,
      () => headers,
      (row) => (isVerification(row) ? { status: 200, code: undefined } : unusable(row)),
    );
  }
});

test('no route answers a token from an address it is not for', async () => {
  const condition = { request_ip: { in: ['192.0.2.0/24'] } };
  const headers = await headersFor({ groups: groupNames, with: { condition } });
  await checkDenied(
    every,
    () => headers,
    () => invalid,
    '198.51.100.1',
  );
});

test('no route answers a token with its permissions on another zone, account or user', () =>
  checkDenied(
    // A list contains only items that the token may see; the pipeline only knows whether it may see any.
    (row) => isGuarded(row) && row.id !== 'zones.list' && row.operation.path !== '/graphql',
    ({ groups }) => {
      const on = [`zone.${control.zone('free')}`, `account.${nobody}`, `user.${nobody}`];
      return headersFor({ groups, on });
    },
    () => forbidden,
  ));

test('no route answers a token that has every permission but the ones for it', () =>
  checkDenied(
    isGuarded,
    ({ groups }) => headersFor({ groups: groupNames.filter((name) => !groups.includes(name)) }),
    () => forbidden,
  ));

test('no route that writes answers a token that may read everything', () =>
  checkDenied(
    (row) => isGuarded(row) && row.operation.isWrite,
    () => headersFor({ groups: groupNames.filter((name) => name.endsWith('Read')) }),
    () => forbidden,
  ));

test('every route answers a token with any one of its permissions, on the resource alone', async () => {
  const others = everything(control).slice(1);
  const zone = await scratchZone('all.example');
  for (const { id, operation, groups } of rows) {
    for (const group of groups.length === 0 ? ['Analytics Read'] : groups) {
      const own = id === 'zones.delete' ? await scratchZone('deleted.example') : zone;
      const on = [id === 'zones.create' ? 'zone.*' : `zone.${own}`, ...others];
      const { status, code } = await ask(
        routeTo(id, operation, own),
        await headersFor({ groups: [group], on }),
      );
      ok(![401, 429, 500].includes(status), `${id} with ${group}: ${status}`);
      ok(![10000, 9109, 9106, 1001].includes(code ?? 0), `${id} with ${group}: ${code}`);
    }
  }
});

async function scratchZone(name: string): Promise<string> {
  const account = { id: control.control.directory.accountId };
  return (await control.call('POST /zones', { body: { name, account } })).result.id as string;
}
