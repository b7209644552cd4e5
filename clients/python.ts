/**
 * Cloudflare's SDK for Python (`pip install cloudflare`) against a real server, resource by resource.
 *
 *     npm run clients:python
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GatehouseServer } from './server.ts';

interface Tried {
  readonly what: string;
  readonly problem: string | null;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-python-'));
try {
  await using server = await GatehouseServer.start(directory);
  const zone = await server.createZone('enterprise');
  const { api, token, account_id } = server.facts;
  const child = spawn('python3', [join(import.meta.dirname, 'python-sdk.py')], {
    env: {
      ...process.env,
      GATEHOUSE_API: api,
      GATEHOUSE_TOKEN: token,
      GATEHOUSE_ACCOUNT: account_id,
      GATEHOUSE_ZONE: zone.id,
      GATEHOUSE_ZONE_NAME: zone.name,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  const tried = lines.map((line) => JSON.parse(line) as Tried);
  for (const { what, problem } of tried)
    console.log(`${problem === null ? 'ok    ' : 'FAILED'} ${what}${problem === null ? '' : `: ${problem}`}`);
  const failed = tried.filter(({ problem }) => problem !== null).length;
  console.log(`${tried.length} tried, ${failed} failed`);
  process.exitCode = tried.length > 0 && failed === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
