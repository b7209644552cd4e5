import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { fillPath } from './path.ts';

const zone_id = 'a'.repeat(32);

function refusal(status: number, headers: Record<string, string> = {}): Response {
  const body = { result: null, success: false, errors: [{ code: 1, message: 'not now' }], messages: [] };
  return Response.json(body, { status, headers });
}

const success = (): Response =>
  Response.json({ result: { id: zone_id }, success: true, errors: [], messages: [] });

/** A client with a server that gives these answers in order, and the requests that the server received. */
function clientOf(...answers: readonly (() => Response)[]): { client: Client; methods: string[] } {
  const methods: string[] = [];
  const client = new Client({
    url: 'http://127.0.0.1/client/v4',
    async fetch(_, { method }) {
      const answer = answers[methods.length] ?? success;
      methods.push(method!);
      return answer();
    },
  });
  return { client, methods };
}

const silence = (): never => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
};

test('Client repeats a read while the server cannot answer, and no longer than it may', async () => {
  const { client, methods } = clientOf(
    () => refusal(503),
    silence,
    () => refusal(429),
  );
  equal((await client.get('/zones/{zone_id}', { zone_id })).result.id, zone_id);
  deepEqual(methods, ['GET', 'GET', 'GET', 'GET']);
  const given = clientOf(silence, silence, silence, silence, success);
  await rejects(given.client.get('/zones/{zone_id}', { zone_id }), ConnectionError);
  equal(given.methods.length, 4);
});

test('Client repeats a write only if the server has not begun', async () => {
  const edit = { zone_id, body: { paused: true } };
  const limited = clientOf(() => refusal(429, { 'retry-after': '0' }));
  await limited.client.patch('/zones/{zone_id}', edit);
  equal(limited.methods.length, 2);
  for (const answer of [silence, () => refusal(503), () => refusal(502), () => refusal(500)]) {
    const { client, methods } = clientOf(answer);
    await rejects(client.patch('/zones/{zone_id}', edit));
    equal(methods.length, 1);
  }
});

test('Client does not wait for as long as a server likes, nor once it is told to stop', async () => {
  const later = clientOf(() => refusal(429, { 'retry-after': '3600' }));
  await rejects(later.client.get('/zones/{zone_id}', { zone_id }), ApiError);
  equal(later.methods.length, 1);
  const { client, methods } = clientOf(() => refusal(503, { 'retry-after': '20' }));
  const reason = new Error('enough');
  const controller = new AbortController();
  const call = client.get('/zones/{zone_id}', { zone_id, signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await rejects(call, reason);
  equal(methods.length, 1);
});

test('fillPath writes what is given, so that nothing in it can name another path', () => {
  equal(fillPath('/zones/{zone_id}/x', { zone_id: '../accounts?a#b' }), '/zones/..%2Faccounts%3Fa%23b/x');
  const query = { a: ['1', '2'], b: '', c: undefined, d: false, e: 0 };
  equal(fillPath('/zones', {}, query), '/zones?a=1&a=2&d=false&e=0');
  throws(() => fillPath('/zones/{zone_id}', {}), /a call of \/zones\/\{zone_id\} needs zone_id/);
});

test('Client does not compile with what no row has', () => {
  const { client } = clientOf();
  const unused = (): unknown[] => [
    // @ts-expect-error -- there is no such path
    client.get('/zoness'),
    // @ts-expect-error -- the path has a name
    client.get('/zones/{zone_id}'),
    // @ts-expect-error -- the row has no such parameter
    client.get('/zones', { query: { nam: 'a' } }),
    // @ts-expect-error -- a body is needed
    client.post('/zones/{zone_id}/filters', { zone_id }),
    // @ts-expect-error -- and of this kind
    client.post('/zones/{zone_id}/filters', { zone_id, body: { expression: 1 } }),
    // @ts-expect-error -- answers have the fields of their row
    client.get('/zones/{zone_id}', { zone_id }).then(({ result }) => result.nam),
  ];
  equal(typeof unused, 'function');
});
