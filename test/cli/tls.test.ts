/** `gatehouse tls` against a real edge. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { runCaptured } from '../../src/program/cli/testing.ts';
import type { TlsScan } from '#certificates';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';

test('gatehouse tls says what a scanner would, and what the settings of the zone have to do with it', async (t) => {
  const { ready } = await Gatehouse.start(t, {
    directory: temporary(t),
    args: ['--edge-https-port', '0'],
    environment: { GATEHOUSE_EDGE_WORKERS: '1' },
  });
  const { edge_https: url, ca_file: caFile } = ready as unknown as { edge_https: string; ca_file: string };
  const { id, name } = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const change = async (setting: string, value: unknown): Promise<void> => {
    const answer = await fetch(`${ready.api}/zones/${id}/settings/${setting}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    });
    equal(answer.status, 200);
  };
  const args = ['tls', name, '--connect', new URL(url).host, '--json'];
  const scan = async (...more: string[]): Promise<TlsScan> =>
    JSON.parse((await runCaptured(...args, ...more)).stdout) as TlsScan;
  await eventually(async () => (await runCaptured(...args)).code !== 4, 'the zone is served');

  const usual = await scan('--ca-file', caFile);
  deepEqual(Object.keys(usual.protocols), ['TLSv1.2', 'TLSv1.3']);
  ok(usual.protocols['TLSv1.3']!.includes('TLS_AES_256_GCM_SHA384'));
  deepEqual(usual.applications, ['h2', 'http/1.1']);
  equal(usual.resumes_sessions, true);
  ok(usual.chain[0]!.names.includes(name));
  equal(usual.chain[0]!.key, 'ec prime256v1');
  ok(usual.expires_in_days > 300);
  deepEqual(usual.problems, []);
  const { stdout } = await runCaptured('tls', name, '--connect', new URL(url).host);
  match(stdout, /! browsers do not trust the certificate/, 'the local authority is nobody’s');

  await change('tls_1_3', 'off');
  await change('http2', 'off');
  await change('ciphers', ['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-SHA']);
  await eventually(async () => (await scan()).applications.join() === 'http/1.1', 'HTTP/2 is off');
  const weak = await scan('--ca-file', caFile);
  equal('TLSv1.3' in weak.protocols, false);
  deepEqual(
    weak.protocols['TLSv1.2'],
    ['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-SHA'],
    'in the order of the zone',
  );
  ok(weak.problems.some((problem) => problem.includes('set tls_1_3 of the zone to on')));
  ok(weak.problems.some((problem) => /^weak cipher suites.*: ECDHE-ECDSA-AES128-SHA$/.test(problem)));
});

test('gatehouse tls says what is wrong with its arguments, and with a server that speaks no TLS', async (t) => {
  equal((await runCaptured('tls', 'a.example', '--connect', 'nowhere')).code, 2);
  const { ready } = await Gatehouse.start(t, { directory: temporary(t) });
  const { host } = new URL(ready.api);
  const { code, stderr } = await runCaptured('tls', 'a.example', '--connect', host);
  equal(code, 4);
  match(stderr, /no TLS with 127\.0\.0\.1/);
});
