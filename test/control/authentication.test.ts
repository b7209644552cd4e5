import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let owner: { readonly 'x-auth-email': string; readonly 'x-auth-key': string };
let bearer: { readonly authorization: string };
before(async () => {
  control = await TestControl.open();
  const { email, key, token } = control.control.bootstrapped!;
  owner = { 'x-auth-email': email, 'x-auth-key': key };
  bearer = { authorization: `Bearer ${token}` };
});
after(() => control.close());

type HeadersSent = Readonly<Record<string, string | readonly string[]>>;

async function refusal(headers: HeadersSent, route = 'GET /zones'): Promise<unknown[]> {
  const answer = await control.call(route, { headers: headers as Record<string, string> });
  const [error] = answer.errors as unknown as { code: number; message: string; error_chain?: object[] }[];
  return [answer.status, error?.code, error?.message, ...(error?.error_chain ?? [])];
}

test('authenticate accepts a key with its email address in any case, a token, and both together', async () => {
  const shouting = { ...owner, 'x-auth-email': owner['x-auth-email'].toUpperCase() };
  for (const headers of [owner, shouting, bearer, { ...owner, ...bearer }]) {
    equal((await control.call('GET /user', { headers })).result.email, owner['x-auth-email']);
  }
});

test('authenticate says which credentials are missing', async () => {
  deepEqual(await refusal({}), [400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers']);
  deepEqual(await refusal({ 'x-auth-email': owner['x-auth-email'] }), [
    400,
    9107,
    'Missing X-Auth-Key header',
  ]);
  deepEqual(await refusal({ 'x-auth-key': owner['x-auth-key'] }), [400, 9106, 'Missing X-Auth-Email header']);
});

test('authenticate names a malformed header in the chain, whatever else there is', async () => {
  const cases: readonly (readonly [HeadersSent, number, string])[] = [
    [{ authorization: 'Bearer' }, 6111, 'Authorization'],
    [{ authorization: 'Basic YTpi' }, 6111, 'Authorization'],
    [{ authorization: `${bearer.authorization}, ${bearer.authorization}` }, 6111, 'Authorization'],
    [{ authorization: [bearer.authorization, bearer.authorization] }, 6111, 'Authorization'],
    [{ ...owner, authorization: 'Bearer a b' }, 6111, 'Authorization'],
    [{ ...owner, 'x-auth-key': 'no key' }, 6103, 'X-Auth-Key'],
    [{ ...bearer, 'x-auth-key': 'no key' }, 6103, 'X-Auth-Key'],
    [{ ...owner, 'x-auth-key': `${owner['x-auth-key']}, ${owner['x-auth-key']}` }, 6103, 'X-Auth-Key'],
    [{ ...owner, 'x-auth-email': 'nobody' }, 6102, 'X-Auth-Email'],
    [{ ...owner, 'x-auth-email': 'a@b.example, c@d.example' }, 6102, 'X-Auth-Email'],
  ];
  for (const [headers, code, name] of cases) {
    const chain = { code, message: `Invalid format for ${name} header` };
    deepEqual(await refusal(headers), [400, 6003, 'Invalid request headers', chain]);
  }
});

test('authenticate refuses an unknown pair, and accepts the valid one of two schemes', async () => {
  const wrongKey = { ...owner, 'x-auth-key': '0'.repeat(37) };
  deepEqual(await refusal(wrongKey), [400, 9103, 'Unknown X-Auth-Key or X-Auth-Email']);
  const wrongEmail = { ...owner, 'x-auth-email': 'nobody@example.com' };
  deepEqual(await refusal(wrongEmail), [400, 9103, 'Unknown X-Auth-Key or X-Auth-Email']);
  const wrongToken = { authorization: `Bearer ${'x'.repeat(40)}` };
  deepEqual(await refusal(wrongToken), [403, 9109, 'Invalid access token']);
  deepEqual(await refusal({ ...wrongToken, ...wrongKey }), [403, 9109, 'Invalid access token']);
  equal((await control.call('GET /zones', { headers: { ...bearer, ...wrongKey } })).status, 200);
  equal((await control.call('GET /zones', { headers: { ...owner, ...wrongToken } })).status, 200);
});

test('authenticate restricts a token to its addresses, and treats mapped ones as equal', async () => {
  const token = await makeToken(control, {
    groups: ['Zone Read'],
    on: ['zone.*'],
    with: {
      condition: { request_ip: { in: ['192.0.2.0/24', '2001:db8::/32'], not_in: ['192.0.2.66'] } },
    },
  });
  const status = async (address: string): Promise<number> =>
    (await control.call('GET /zones', { headers: token.headers, address })).status;
  equal(await status('192.0.2.1'), 200);
  equal(await status('::ffff:192.0.2.1'), 200);
  equal(await status('2001:db8:1::1'), 200);
  for (const address of ['192.0.2.66', '::ffff:192.0.2.66', '192.0.3.1', '2001:db9::1', '']) {
    equal(await status(address), 403);
  }
  const elsewhere = await control.call('GET /user/tokens/verify', {
    headers: token.headers,
    address: '198.51.100.7',
  });
  deepEqual(
    [elsewhere.status, elsewhere.errors],
    [403, [{ code: 9109, message: 'Cannot use the access token from location: 198.51.100.7' }]],
  );
});

test('tokens.verify answers for an expired token, and refuses a key', async () => {
  const verify = (headers: Readonly<Record<string, string>>) =>
    control.call('GET /user/tokens/verify', { headers });
  const soonMs = control.clock.now() + 60_000;
  const expires_on = new Date(soonMs).toISOString();
  const token = await makeToken(control, { groups: ['Zone Read'], on: ['zone.*'], with: { expires_on } });
  const active = await verify(token.headers);
  deepEqual(active.result, { id: token.id, status: 'active', expires_on: expires_on.replace('.000Z', 'Z') });
  deepEqual(active.messages, [{ code: 10000, message: 'This API Token is valid and active', type: null }]);
  await control.clock.advance(60_000);
  const expired = await verify(token.headers);
  deepEqual([expired.status, expired.result.status, expired.messages], [200, 'expired', []]);
  deepEqual(await refusal(token.headers), [403, 9109, 'Invalid access token']);
  for (const headers of [owner, {}, { authorization: `Bearer ${'x'.repeat(40)}` }]) {
    const { status, errors } = await verify(headers);
    deepEqual([status, errors], [401, [{ code: 1000, message: 'Invalid API Token' }]]);
  }
});

test('ApiPipeline names the allowed methods of a path that was called with another one', async () => {
  const answer = await control.call('DELETE /zones');
  deepEqual([answer.status, answer.headers['allow']], [405, 'GET, POST']);
});
