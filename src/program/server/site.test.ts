import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse, ApiRequest } from '#contract';
import { Reading } from '#metrics';
import { type ProgramState, ReadinessCheck } from './readiness.ts';
import { Site } from './site.ts';

const envelope = { status: 200, headers: {}, body: 'from the API' };

function site({
  hasAdmin = false,
  phase = 'running',
}: { hasAdmin?: boolean; phase?: ProgramState } = {}): Site {
  const readiness = new ReadinessCheck({
    probe: async () => {},
    onFailure: (error) => assert.fail(String(error)),
  });
  readiness.phase = phase;
  return new Site({
    version: '1.2.3',
    readiness,
    metrics: () => [new Reading('answer', 'The answer.', () => 42)],
    api: () => (phase === 'starting' ? undefined : async () => envelope),
    hasAdmin,
  });
}

function get(path: string, more: Partial<ApiRequest> = {}): ApiRequest {
  const readBody = async (): Promise<Uint8Array> => new Uint8Array();
  return { method: 'GET', target: path, headers: {}, address: '127.0.0.1', readBody, ...more };
}

function textOf(body: ApiResponse['body']): string {
  assert.ok(typeof body === 'string' || body instanceof Uint8Array);
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}

function statusOf({ status, body }: ApiResponse): [number, string] {
  return [status, textOf(body)];
}

test('Site serves the API, and pages about the program beside it', async () => {
  const { answer } = site();
  assert.equal(await answer(get('/client/v4/zones')), envelope);
  assert.equal(await answer(get('/client/v4')), envelope);
  assert.match(
    textOf((await answer(get('/'))).body),
    /^Gatehouse 1\.2\.3\n[^]*\/client\/v4[^]*\/openapi\.json/,
  );
  assert.deepEqual(statusOf(await answer(get('/livez'))), [200, 'ok\n']);
  assert.deepEqual(statusOf(await answer(get('/readyz?verbose'))), [200, 'ok\n']);
  assert.equal((await answer(get('/livez', { method: 'HEAD' }))).status, 200);
  const { headers, body } = await answer(get('/metrics'));
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(body, '# HELP answer The answer.\n# TYPE answer gauge\nanswer 42\n');
  const document = JSON.parse(textOf((await answer(get('/openapi.json'))).body));
  // Generated once: a megabyte for each request would block the program.
  assert.equal((await answer(get('/openapi.json'))).body, (await answer(get('/openapi.json'))).body);
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.servers[0].url, '/client/v4');
  assert.ok('/zones/{zone_id}/filters' in document.paths);
});

test('Site refuses other paths and methods in the envelope', async () => {
  const { answer } = site();
  const [status, body] = statusOf(await answer(get(`/nowhere/${'a'.repeat(1_000)}`)));
  assert.deepEqual([status, JSON.parse(body).errors[0].code], [404, 7003]);
  assert.ok(body.length < 500);
  for (const path of ['//client/v4/zones', '/Client/v4/zones', '/./livez', '*', '/livez/']) {
    assert.equal((await answer(get(path))).status, 404, path);
  }
  for (const method of ['POST', 'OPTIONS', 'TRACE', 'DELETE']) {
    const refused = await answer(get('/metrics', { method }));
    assert.deepEqual([refused.status, refused.headers['allow']], [405, 'GET, HEAD']);
    assert.equal(JSON.parse(textOf(refused.body)).errors[0].code, 10405);
  }
});

test('Site answers 503 while the program starts, and is not ready while it stops', async () => {
  const starting = site({ phase: 'starting' });
  const refused = await starting.answer(get('/client/v4/zones'));
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
  assert.equal(JSON.parse(textOf(refused.body)).errors[0].message, 'The service is starting');
  assert.deepEqual(statusOf(await starting.answer(get('/readyz'))), [503, 'starting\n']);
  assert.equal((await starting.answer(get('/livez'))).status, 200);
  assert.deepEqual(statusOf(await site({ phase: 'stopping' }).answer(get('/readyz'))), [503, 'stopping\n']);
});

test('Site shows metrics to this machine only, and with an admin listener only there', async () => {
  const { answer, answerAdmin } = site();
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '']) {
    assert.equal((await answer(get('/metrics', { address }))).status, 403, address);
    assert.equal((await answerAdmin(get('/metrics', { address }))).status, 200, address);
  }
  assert.equal((await answer(get('/metrics', { address: '::1' }))).status, 200);
  assert.equal((await site({ hasAdmin: true }).answer(get('/metrics'))).status, 403);
  assert.equal((await answerAdmin(get('/readyz'))).status, 200);
  assert.equal((await answerAdmin(get('/client/v4/zones'))).status, 404);
});
