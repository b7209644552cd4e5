/** Credentials and limits with the SDK: accepted callers, and the errors of refused ones. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import Cloudflare from 'cloudflare';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { tell } from './session.ts';

tell('credentials', {
  'a client with a token and a key sends both, and is let in': async (session) => {
    const { token, email, key, account_id } = session.ready;
    const client = session.clientWith({ apiToken: token!, apiEmail: email, apiKey: key! });
    equal((await client.accounts.get({ account_id })).id, account_id);
  },

  'a client without credentials learns what is missing, from the SDK or from the server': async (session) => {
    const { account_id } = session.ready;
    const half = session.clientWith({ apiEmail: session.ready.email });
    await session.refuses(() => half.zones.list(undefined, { headers: { 'X-Auth-Email': 'a@b.c' } }), {
      status: 400,
      code: 9107,
    });
    const none = session.clientWith({ apiToken: 'x' });
    await session.refuses(() => none.accounts.get({ account_id }, { headers: { Authorization: null } }), {
      status: 400,
      code: 9106,
    });
  },

  'a client with wrong credentials gets the error class of the status, once': async (session) => {
    const unknown = session.clientWith({ apiToken: 'x'.repeat(40) });
    await session.refuses(() => unknown.zones.list(), { status: 403, code: 9109 });
    await session.refuses(() => unknown.user.tokens.verify(), { status: 401, code: 1000 });
    const stranger = session.clientWith({ apiEmail: 'nobody@example.com', apiKey: 'ab'.repeat(18) });
    await session.refuses(() => stranger.zones.list(), { status: 400, code: 9103 });
    const malformed = session.clientWith({ apiEmail: 'nobody@example.com', apiKey: 'no key' });
    await session.refuses(() => malformed.zones.list(), { status: 400, code: 6003 });
  },
});

test('cloudflare SDK: a client that goes over the limit learns for how long', async (t) => {
  const { ready } = await Gatehouse.start(t, {
    directory: temporary(t),
    args: ['--durability', 'os', '--rate-limit-requests', '2'],
  });
  const options = { baseURL: ready.api, apiToken: ready.token!, apiEmail: null, apiKey: null };
  const client = new Cloudflare({ ...options, maxRetries: 0 });
  const { response } = await client.zones.list().withResponse();
  match(response.headers.get('ratelimit')!, /^"default";r=1;t=300$/);
  equal(response.headers.get('ratelimit-policy'), '"default";q=2;w=300');
  await client.zones.list();
  const error: unknown = await client.zones.list().catch((thrown: unknown) => thrown);
  ok(error instanceof Cloudflare.RateLimitError);
  deepEqual([error.errors[0]?.code, error.headers.get('retry-after')], [971, '300']);
});
