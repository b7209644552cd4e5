import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Dashboard } from '#dashboard';
import { TestControl } from './harness.ts';

test('RateLimit counts a user over all credentials, and refuses for a whole window who goes over', async () => {
  const control = await TestControl.open({
    rateLimit: { requests: 3, graphqlRequests: 3, windowMs: 300_000 },
  });
  const { token } = control.control.bootstrapped!;
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const first = await control.call('GET /zones');
  deepEqual(
    [first.headers['ratelimit'], first.headers['ratelimit-policy'], first.headers['retry-after']],
    ['"default";r=2;t=300', '"default";q=3;w=300', undefined],
  );
  await control.clock.advance(200_000);
  equal((await control.call('GET /zones', bearer)).headers['ratelimit'], '"default";r=1;t=100');
  equal((await control.call('GET /nowhere')).headers['ratelimit'], undefined);
  equal((await control.call('GET /zones')).status, 200);
  const over = await control.call('GET /zones', bearer);
  deepEqual(
    [over.status, over.errors, over.headers['ratelimit'], over.headers['retry-after']],
    [
      429,
      [{ code: 971, message: 'Please wait and consider throttling your request speed' }],
      '"default";r=0;t=300',
      '300',
    ],
  );
  await control.clock.advance(299_999);
  equal((await control.call('GET /zones')).status, 429);
  await control.clock.advance(1);
  equal((await control.call('GET /zones')).headers['ratelimit'], '"default";r=2;t=300');
  await control.close();
});

test('RateLimit limits failed logins from an address, but not valid ones of callers it knows', async () => {
  const control = await TestControl.open({
    rateLimit: { requests: 1200, graphqlRequests: 300, windowMs: 300_000 },
  });
  const guess = (address: string) =>
    control.call('GET /zones', { headers: { authorization: 'Bearer guess' }, address });
  equal((await control.call('GET /zones', { address: '192.0.2.1' })).status, 200);
  for (let count = 0; count < 100; count++) equal((await guess('192.0.2.1')).status, 403);
  const over = await guess('192.0.2.1');
  deepEqual([over.status, over.headers['retry-after']], [429, '300']);
  equal((await guess('192.0.2.2')).status, 403);
  equal((await control.call('GET /zones', { address: '192.0.2.1' })).status, 200);
  await control.close();
});

test('the API refuses keys of an account that fails too often, not where it signed in, nor its tokens', async () => {
  const control = await TestControl.open({ rateLimit: 'off' });
  const { email, token } = control.control.bootstrapped!;
  const call = (address: string) => control.call('GET /zones', { address });
  const guess = (address: string) =>
    control.call('GET /zones', { headers: { 'x-auth-email': email, 'x-auth-key': '0'.repeat(37) }, address });
  equal((await call('192.0.2.1')).status, 200);
  for (let count = 0; count < 50; count++) equal((await guess(`198.51.100.${count}`)).errors[0]!.code, 9103);
  const refused = await call('198.51.100.200');
  deepEqual([refused.status, refused.errors[0]!.code, refused.headers['retry-after']], [429, 971, '300']);
  equal((await call('192.0.2.1')).status, 200);
  const byToken = { headers: { authorization: `Bearer ${token}` }, address: '198.51.100.200' };
  equal((await control.call('GET /zones', byToken)).status, 200);
  await control.clock.advance(300_000);
  equal((await call('198.51.100.200')).status, 200);
  await control.close();
});

test('the dashboard refuses to sign in an address that failed 20 times, also with the right token, for five minutes', async () => {
  const control = await TestControl.open({ rateLimit: 'off' });
  const dashboard = new Dashboard({
    files: undefined,
    sessions: () => control.control,
    hosts: [],
    now: () => control.clock.now(),
    program: 'serve',
  });
  const signIn = async (token: string, address: string) =>
    (await dashboard.answer({
      method: 'POST',
      target: '/session',
      headers: { host: 'localhost', 'content-type': 'application/json' },
      address,
      readBody: async () => Buffer.from(JSON.stringify({ token })),
    }))!;
  const { token } = control.control.bootstrapped!;
  for (let count = 0; count < 20; count++) equal((await signIn('guess', '192.0.2.1')).status, 403);
  const refused = await signIn(token, '192.0.2.1');
  deepEqual([refused.status, refused.headers['retry-after']], [429, '300']);
  equal((await signIn(token, '192.0.2.2')).status, 200);
  await control.clock.advance(300_000);
  equal((await signIn(token, '192.0.2.1')).status, 200);
  await control.close();
});

test('RateLimit can be off', async () => {
  const control = await TestControl.open({ rateLimit: 'off' });
  equal((await control.call('GET /zones')).headers['ratelimit'], undefined);
  await control.close();
});

test('RateLimit gives GraphQL queries 300 of the calls of five minutes, and other calls go on', async () => {
  const control = await TestControl.open({
    rateLimit: { requests: 1200, graphqlRequests: 300, windowMs: 300_000 },
  });
  const query = () => control.call('POST /graphql', { body: { query: '{ viewer { __typename } }' } });
  const first = await query();
  deepEqual(
    [first.status, first.headers['ratelimit'], first.headers['ratelimit-policy']],
    [200, '"graphql";r=299;t=300', '"graphql";q=300;w=300'],
  );
  for (let count = 1; count < 300; count++) equal((await query()).status, 200);
  const over = await query();
  deepEqual([over.status, over.errors[0]!.code, over.headers['retry-after']], [429, 971, '300']);
  equal((await control.call('GET /zones')).headers['ratelimit'], '"default";r=898;t=300');
  await control.clock.advance(300_000);
  equal((await query()).status, 200);
  await control.close();
});
