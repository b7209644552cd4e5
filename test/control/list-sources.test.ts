/** Lists that fill themselves from a URL or from CrowdSec. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { TestControl } from './harness.ts';

let control: TestControl;
let lists: string;
let url: string;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => respond(request, response));

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  control = await TestControl.open({ origins: { allowPrivate: true } });
  lists = `/accounts/${control.control.directory.accountId}/rules/lists`;
});
after(async () => {
  await control.close();
  server.close();
});

async function createList(name: string): Promise<string> {
  const { result } = await control.call(`POST ${lists}`, { body: { name, kind: 'ip' } });
  return `${lists}/${result.id}`;
}

async function readItems(list: string): Promise<string[]> {
  return (await control.call(`GET ${list}/items`)).result.map(({ ip }: { ip: string }) => ip);
}

/** Advances time until the source reports it. */
async function waitFor(list: string, isSo: (source: Record<string, unknown>) => boolean): Promise<void> {
  await eventually(async () => {
    await control.clock.advance(20_000);
    return isSo((await control.call(`GET ${list}/source`)).result);
  }, 'the source');
}

test('a list follows its URL, and keeps its items when that fails or turns huge, empty or HTML', async () => {
  const list = await createList('from_url');
  let text = 'ip,why\n192.0.2.1,spam\n198.51.100.0/24,scan\n';
  let asked = 0;
  respond = (request, response) => {
    asked++;
    equal(request.headers.authorization, 'Bearer s3cret');
    response.end(text);
  };
  await control.call(`PUT ${list}/source`, {
    body: { url: `${url}/a.csv`, interval_seconds: 60, key: 's3cret' },
  });
  await waitFor(list, ({ fetched_on }) => fetched_on !== null);
  await eventually(async () => {
    await control.clock.advance(10);
    return (await readItems(list)).length === 2;
  }, 'the items');
  deepEqual(await readItems(list), ['192.0.2.1', '198.51.100.0/24']);
  const before = asked;
  for (const [bad, words] of [
    ['<html>Moved</html>', /HTML/],
    ['', /it is empty/],
    ['x'.repeat(9 * 1024 * 1024), /longer than/],
    ['192.0.2.1\noops', /line 2/],
  ] as const) {
    text = bad;
    await waitFor(list, ({ problem }) => words.test(String(problem)));
  }
  ok(asked > before);
  equal((await readItems(list)).length, 2, 'what was there stays');
  const { result } = await control.call(`GET ${list}/source`);
  ok(result.age_seconds >= 60 && result.has_key && !JSON.stringify(result).includes('s3cret'));
  text = '203.0.113.7\n';
  await waitFor(list, ({ problem }) => problem === null);
  await eventually(async () => {
    await control.clock.advance(10);
    return (await readItems(list)).join() === '203.0.113.7';
  }, 'the new items');
  await control.call(`DELETE ${list}/source`);
  equal((await control.call(`GET ${list}/source`)).errors[0]?.code, 10_070);
  deepEqual(await readItems(list), ['203.0.113.7']);
});

test('a list holds the bans of a local API of CrowdSec, and is empty when there are none', async () => {
  const list = await createList('from_crowdsec');
  let decisions: unknown = [
    { scope: 'Ip', type: 'ban', value: '192.0.2.9' },
    { scope: 'Range', type: 'ban', value: '198.51.100.0/24' },
    { scope: 'Ip', type: 'captcha', value: '192.0.2.10' },
    { scope: 'Country', type: 'ban', value: 'XX' },
  ];
  respond = (request, response) => {
    equal(request.url, '/v1/decisions/stream?startup=true');
    response.writeHead(request.headers['x-api-key'] === 'bouncer' ? 200 : 403);
    response.end(JSON.stringify({ new: decisions, deleted: null }));
  };
  const missing = await control.call(`PUT ${list}/source`, { body: { kind: 'crowdsec', url } });
  match(missing.errors[0]!.message, /key is required/);
  await control.call(`PUT ${list}/source`, { body: { kind: 'crowdsec', url, key: 'bouncer' } });
  await eventually(async () => {
    await control.clock.advance(1_000);
    return (await readItems(list)).length === 2;
  }, 'the bans');
  deepEqual(await readItems(list), ['192.0.2.9', '198.51.100.0/24']);
  decisions = null;
  await eventually(async () => {
    await control.clock.advance(10_000);
    return (await readItems(list)).length === 0;
  }, 'no bans');
});

test('sources refuse what could never be read, with the field', async () => {
  const list = await createList('refused');
  for (const [body, pointer] of [
    [{ url: 'file:///etc/passwd' }, '/url'],
    [{ url: 'https://user:pass@list.example/' }, '/url'],
    [{ url: 'http://169.254.169.254/latest' }, '/url'],
    [{ url, key: 'a b' }, '/key'],
  ] as const) {
    const { errors } = await control.call(`PUT ${list}/source`, { body });
    deepEqual([errors[0]?.code, errors[0]?.source?.pointer], [10_071, pointer], JSON.stringify(body));
  }
});
