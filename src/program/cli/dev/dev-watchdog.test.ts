/** How `gatehouse dev` handles code that never ends. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { call, Gatehouse, temporary } from '../testing.ts';

const stuck = {
  'index.ts': `import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  async hit(): Promise<number> {
    const hits = ((await this.ctx.storage.get<number>('hits')) ?? 0) + 1;
    await this.ctx.storage.put('hits', hits);
    return hits;
  }
  loop(): never { console.error('held'); for (;;); }
  query(): unknown {
    console.error('held');
    return this.ctx.storage.sql.exec('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n').one();
  }
}
  export default {
  async fetch(request: Request, env: any): Promise<Response> {
    const { pathname } = new URL(request.url);
    const room = env.Room.getByName(pathname);
    if (pathname === '/loop') return Response.json(await room.loop());
    if (pathname === '/query') return Response.json(await room.query());
    return Response.json(await room.hit());
  },
};`,
};

// Long enough that a busy machine that loads code is not mistaken for a loop.
test('gatehouse dev replaces a process that a loop or a query without end holds, on the same port', async (t) => {
  const dev = new Gatehouse(
    t,
    'dev',
    join(temporary(t, stuck), 'index.ts'),
    '--no-watch',
    '--hosts',
    '1',
    '--cpu-ms',
    '2000',
  );
  const url = await dev.url();
  let hits = 0;
  const endings = {
    '/loop': /error: a process has ended; restarting it: its event loop did not turn for \d+ ms/,
    '/query': /error: a process has ended; restarting it: an SQL statement exceeded its time limit/,
  };
  for (const [path, ended] of Object.entries(endings)) {
    assert.equal(await call(url), ++hits);
    await assert.rejects(call(url + path), 'the connection ends with the process');
    await dev.says(ended);
    assert.equal(await dev.url(), url);
    assert.match(await call(url + path), /Durable Object is paused until/);
  }
  assert.equal(await call(url), ++hits);
  assert.equal(await dev.end('SIGTERM'), 0);
});

test('gatehouse dev ends at a signal while a loop without end holds it', async (t) => {
  const dev = new Gatehouse(t, 'dev', join(temporary(t, stuck), 'index.ts'), '--no-watch');
  const held = call(`${await dev.url()}/loop`).catch(() => 'the connection ended');
  await dev.says(/held/);
  assert.equal(await dev.end('SIGTERM'), 0);
  assert.equal(await held, 'the connection ended');
});

test('gatehouse dev whose Worker cannot start says why, once, and ends', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, [main, 'dev', '/does/not/exist', '--port', '0'], (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  );
  assert.deepEqual(ended, {
    code: 1,
    stderr: 'gatehouse: there is no such file or directory: /does/not/exist\n',
  });
});

test('gatehouse dev gives up code that does not finish loading, and code that replaces its globals harms nobody', async (t) => {
  const directory = temporary(t);
  const path = join(directory, 'index.mjs');
  const write = (before: string): void =>
    writeFileSync(path, `${before}\nexport default { fetch: () => new Response('${before.length}') };`);
  const vandal =
    'globalThis.process = undefined; console = {}; delete globalThis.performance; delete globalThis.Response;';
  write(`const { Response } = globalThis; ${vandal}`);
  const limit = ['--cpu-ms', '4000', '--dashboard-port', 'off'];
  const dev = new Gatehouse(t, 'dev', path, ...limit);
  const url = await dev.url();
  const answer = await call(url);
  await dev.says(/GET \/ 200/);
  write('await new Promise(() => {});');
  await dev.says(
    /index\.mjs does not finish loading: after 4000 ms, an await at the top of one of its modules/,
  );
  await dev.says(/the code from before this change keeps running/);
  assert.equal(await call(url), answer);
  assert.equal(await dev.end('SIGTERM'), 0);
  const refused = new Gatehouse(t, 'dev', path, ...limit);
  await refused.says(/index\.mjs does not finish loading/);
  write('for (;;);');
  const held = new Gatehouse(t, 'dev', path, ...limit);
  await held.says(
    /error: the Worker does not start: .*event loop did not turn for \d+ ms \(loading .*index\.mjs\)/,
  );
});
