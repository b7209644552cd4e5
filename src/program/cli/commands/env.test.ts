import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCaptured } from '../testing.ts';

const api = 'http://127.0.0.1:8787/client/v4';

test('gatehouse env prints exports from a ready file, or for what is named', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-env-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'ready.json');
  const https = 'https://127.0.0.1:8443/client/v4';
  writeFileSync(
    file,
    JSON.stringify({
      api,
      api_https: https,
      ca_file: '/ca.crt',
      email: 'a@b',
      token: 'secret',
      account_id: 'ab',
    }),
  );
  const { stdout } = await runCaptured('env', '--for', 'wrangler', '--ready-file', file);
  assert.equal(
    stdout,
    `export CLOUDFLARE_API_BASE_URL='${api}'\nexport CLOUDFLARE_API_TOKEN='secret'\nexport CLOUDFLARE_ACCOUNT_ID='ab'\n`,
  );
  const terraform = await runCaptured('env', '--for', 'terraform-v4', '--ready-file', file);
  assert.match(terraform.stdout, /^export CLOUDFLARE_API_HOSTNAME='127\.0\.0\.1:8443'\n/);
  assert.match(terraform.stdout, /^export SSL_CERT_FILE='\/ca\.crt'$/m);

  const named = await runCaptured('env', '--for', 'sdk', '--api', https, '--token', 't', '--ca-file', '/x');
  assert.equal(
    named.stdout,
    `export CLOUDFLARE_BASE_URL='${https}'\nexport CLOUDFLARE_API_TOKEN='t'\nexport NODE_EXTRA_CA_CERTS='/x'\n`,
  );
  // Secrets of one server are not passed to another.
  const other = await runCaptured(
    'env',
    '--for',
    'sdk',
    '--ready-file',
    file,
    '--api',
    'http://other/client/v4',
  );
  assert.doesNotMatch(other.stdout, /secret/);
});

test('gatehouse env says what is missing', async () => {
  const cases: [string[], number, RegExp][] = [
    [[], 2, /needs --for sdk\|terraform-v4\|terraform-v5\|wrangler\|curl\n$/],
    [['--for', 'ansible'], 2, /--for must be sdk or terraform-v4 or .*: ansible\n$/],
    [['--for', 'sdk'], 2, /needs --ready-file, --api, or CLOUDFLARE_BASE_URL\n$/],
    [['--for', 'sdk', '--api', 'file:///x'], 2, /--api must be a URL such as/],
    [
      ['--for', 'sdk', '--ready-file', '/does/not/exist'],
      1,
      /^gatehouse: there is no ready file \/does\/not\/exist: is the server running\?\n$/,
    ],
    [
      ['--for', 'terraform-v4', '--api', api],
      1,
      /^gatehouse: versions 3 and 4 of the Terraform provider require HTTPS/,
    ],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await runCaptured('env', ...args);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ''], args.join(' '));
    assert.match(outcome.stderr, message);
  }
});
