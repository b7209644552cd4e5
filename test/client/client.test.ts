/** The client against a real control plane: the server behaves as the types promise. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiError, Client, ConnectionError, fetchFrom } from '#client';
import { TestControl } from '../control/harness.ts';

const control = await TestControl.open();
after(() => control.close());
const zone_id = control.zone('enterprise');

/** The network traffic of a program, without a network. */
const client = new Client({
  url: 'http://gatehouse.test/client/v4/',
  headers: () => control.owner,
  fetch: fetchFrom((request) => control.control.answer(request)),
});

test('Client creates, reads, changes and deletes, and types each answer by its row', async () => {
  const [created] = (
    await client.post('/zones/{zone_id}/filters', { zone_id, body: { expression: 'http.host eq "a"' } })
  ).result;
  equal(created!.paused, false);
  const filter_id = created!.id;
  const { result, version } = await client.get('/zones/{zone_id}/filters/{filter_id}', {
    zone_id,
    filter_id,
  });
  deepEqual(result, created);
  match(version!, /^"/);
  const body = { expression: 'http.host eq "b"', paused: true };
  const changed = await client.put('/zones/{zone_id}/filters/{filter_id}', {
    zone_id,
    filter_id,
    body,
    version,
  });
  equal(changed.result.paused, true);
  const removed = await client.delete('/zones/{zone_id}/filters/{filter_id}', { zone_id, filter_id });
  deepEqual(removed.result, { id: filter_id });
});

test('Client sends the version of a write, and a change by somebody else refuses it', async () => {
  const { version } = await client.get('/zones/{zone_id}/settings', { zone_id });
  await client.post('/zones/{zone_id}/filters', { zone_id, body: [{ expression: 'http.host eq "c"' }] });
  const refused = client.post('/zones/{zone_id}/filters', {
    zone_id,
    body: { expression: 'http.host eq "d"' },
    version,
  });
  await rejects(refused, (error) => error instanceof ApiError && error.status === 412);
});

test('Client.list follows pages, and cursors where a list has those', async () => {
  const expressions = Array.from({ length: 60 }, (_, index) => `http.host eq "list-${index}"`);
  await client.post('/zones/{zone_id}/filters', {
    zone_id,
    body: expressions.map((expression) => ({ expression })),
  });
  const query = { expression: 'list-' };
  const found = await Array.fromAsync(client.list('/zones/{zone_id}/filters', { zone_id, query }));
  deepEqual(
    found.map(({ expression }) => expression),
    expressions,
  );
  const small = client.list('/zones/{zone_id}/filters', { zone_id, query: { ...query, per_page: 7 } });
  deepEqual(await Array.fromAsync(small), found);
  const account_id = control.control.directory.accountId;
  const list = await client.post('/accounts/{account_id}/rules/lists', {
    account_id,
    body: { name: 'many', kind: 'ip' },
  });
  const list_id = list.result.id;
  const items = Array.from({ length: 120 }, (_, index) => ({ ip: `10.0.0.${index}` }));
  await client.post('/accounts/{account_id}/rules/lists/{list_id}/items', {
    account_id,
    list_id,
    body: items,
  });
  await control.clock.advance(60_000);
  const listed = client.list('/accounts/{account_id}/rules/lists/{list_id}/items', { account_id, list_id });
  equal((await Array.fromAsync(listed)).length, items.length);
});

test('ApiError has the call, the status, the codes and their places', async () => {
  const refused = client.post('/zones/{zone_id}/filters', {
    zone_id,
    body: [{ expression: 'http.hots eq "a"' }],
  });
  await rejects(refused, (error) => {
    if (!(error instanceof ApiError)) return false;
    deepEqual(
      [error.call, error.status, error.errors[0]?.source?.pointer],
      [`POST /zones/${zone_id}/filters`, 400, '/0/expression'],
    );
    return error.has(error.errors[0]!.code);
  });
});

test('Client.stream gives answers without an envelope as they come, and refusals as errors', async () => {
  const query = { format: 'ndjson' };
  const stream = await client.stream('/zones/{zone_id}/security/events/export', { zone_id, query });
  equal(await stream.text(), '');
  const unknown = 'f'.repeat(32);
  await rejects(client.stream('/zones/{zone_id}/security/events/export', { zone_id: unknown }), ApiError);
});

test('Client says that what answers is not the API', async () => {
  const page = new Client({
    url: 'http://gatehouse.test',
    retriesMax: 0,
    fetch: async () => new Response('<html>'),
  });
  await rejects(page.get('/zones'), (error) => {
    equal(error instanceof ConnectionError, true);
    match((error as Error).message, /is not the API: status 200 without its envelope/);
    return true;
  });
});
