/** Writes with `If-Match`: done only if the zone or account has not changed since the version that the caller read. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Operation, operations } from '#contract';
import { type Envelope, type RequestOptions, TestControl } from './harness.ts';

let control: TestControl;
let zone: string;
let owner: Readonly<Record<string, string>>;
beforeEach(async () => {
  control = await TestControl.open();
  zone = `/zones/${control.zone('pro')}`;
  const { email, key } = control.control.bootstrapped!;
  owner = { 'x-auth-email': email, 'x-auth-key': key };
});
afterEach(() => control.close());

function write(route: string, tag: string, body?: RequestOptions['body']): Promise<Envelope> {
  return control.call(route, { body, headers: { ...owner, 'if-match': tag } });
}

async function readTag(path: string): Promise<string> {
  const { status, headers } = await control.call(`GET ${path}`);
  equal(status, 200);
  match(headers['etag']!, /^"\d+-[0-9a-f]{16}"$/);
  return headers['etag']!;
}

const codes = ({ status, errors }: Envelope) => [status, ...errors.map(({ code }) => code)];

test('a write with the version that was read is done, and tells the version that it made', async () => {
  const path = `${zone}/url_normalization`;
  const seen = await readTag(path);
  equal(await readTag(path), seen, 'reading changes nothing');
  const first = await write(`PUT ${path}`, seen, { type: 'cloudflare', scope: 'incoming' });
  equal(first.status, 200);
  notEqual(first.headers['etag'], seen);
  equal(await readTag(path), first.headers['etag']);
  const second = await write(`PUT ${path}`, first.headers['etag']!, { type: 'cloudflare', scope: 'both' });
  equal(second.status, 200);
});

test('a write with an older version is refused and changes nothing, for every kind of write', async () => {
  const { result: filters } = await control.call(`POST ${zone}/filters`, { body: [{ expression: 'ssl' }] });
  const filter = `${zone}/filters/${filters[0].id}`;
  const seen = await readTag(filter);
  const theirs = { ...filters[0], description: 'theirs' };
  equal((await control.call(`PUT ${filter}`, { body: theirs })).status, 200);
  const refused = [
    write(`PUT ${filter}`, seen, { ...filters[0], description: 'mine' }),
    write(`PUT ${zone}/filters`, seen, [{ ...filters[0], description: 'mine' }]),
    write(`DELETE ${filter}`, seen),
    write(`POST ${zone}/filters`, seen, [{ expression: 'not ssl' }]),
    write(`PATCH ${zone}/settings/waf`, seen, { value: 'on' }),
  ];
  for (const answer of await Promise.all(refused)) deepEqual(codes(answer), [412, 10412]);
  equal((await control.call(`GET ${filter}`)).result.description, 'theirs');
  equal((await control.call(`GET ${zone}/filters`)).result.length, 1);
});

test('of writes that arrive together with one version, one is done', async () => {
  const seen = await readTag(`${zone}/filters`);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((port) =>
      write(`POST ${zone}/filters`, seen, [{ expression: `cf.edge.server_port eq ${port}` }]),
    ),
  );
  deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412]);
  equal((await control.call(`GET ${zone}/filters`)).result.length, 1);
});

test('a condition on a list compares the account, also where zones are asked as well', async () => {
  const [account] = (await control.call('GET /accounts')).result;
  const lists = `/accounts/${account.id}/rules/lists`;
  const { result } = await control.call(`POST ${lists}`, { body: { name: 'office', kind: 'ip' } });
  const seen = await readTag(`${lists}/${result.id}`);
  equal((await write(`PUT ${lists}/${result.id}`, seen, { description: 'first' })).status, 200);
  deepEqual(codes(await write(`PUT ${lists}/${result.id}`, seen, { description: 'second' })), [412, 10412]);
  deepEqual(codes(await write(`DELETE ${lists}/${result.id}`, seen)), [412, 10412]);
  const { result: now, headers } = await control.call(`GET ${lists}/${result.id}`);
  equal(now.description, 'first');
  equal((await write(`DELETE ${lists}/${result.id}`, headers['etag']!)).status, 200);
});

test('If-Match takes a list of tags and a star, and refuses what is no tag', async () => {
  const path = `${zone}/url_normalization`;
  const body = { type: 'cloudflare', scope: 'both' };
  const put = (tag: string) => write(`PUT ${path}`, tag, body).then(codes);
  deepEqual(await put('*'), [200]);
  deepEqual(await put(`"other", ${await readTag(path)}`), [200]);
  deepEqual(await put(`W/${await readTag(path)}`), [412, 10412], 'a weak tag never matches');
  deepEqual(await put(`"${'x'.repeat(80)}"`), [412, 10412]);
  for (const tag of ['untagged', '"open', '""", "', '', `"${'x'.repeat(101)}"`, '"a",'.repeat(30)])
    deepEqual(await put(tag), [400, 10409], tag);
});

test('every write either takes a condition or refuses to be done with one', () => {
  const rows: readonly (readonly [string, Operation])[] = Object.entries(operations);
  const writes = rows.filter(([, { isWrite }]) => isWrite);
  const without = writes.filter(([, { versionOf }]) => versionOf === undefined);
  for (const [id, { answeredBy }] of without) equal(answeredBy, 'several objects', id);
});

test('an operation that has no version is not done with a condition', async () => {
  const [account] = (await control.call('GET /accounts')).result;
  const restore = `/accounts/${account.id}/objects/Zone/${control.zone('pro')}/restore`;
  deepEqual(codes(await write(`POST ${restore}`, '"1"', { bookmark: 'x' })), [412, 10411]);
});
