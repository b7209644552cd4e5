import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
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

test('RateLimit limits failed logins from an address, but not valid ones', async () => {
  const control = await TestControl.open({
    rateLimit: { requests: 1200, graphqlRequests: 300, windowMs: 300_000 },
  });
  const guess = (address: string) =>
    control.call('GET /zones', { headers: { authorization: 'Bearer guess' }, address });
  for (let count = 0; count < 100; count++) equal((await guess('192.0.2.1')).status, 403);
  const over = await guess('192.0.2.1');
  deepEqual([over.status, over.headers['retry-after']], [429, '300']);
  equal((await guess('192.0.2.2')).status, 403);
  equal((await control.call('GET /zones', { address: '192.0.2.1' })).status, 200);
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
