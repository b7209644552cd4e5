/** Zones behind an uploaded Worker while the program is stopped: their requests wait for the restarted Worker. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { type Asked, domain, UploadSite } from './upload-site.ts';

const code = `
import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  async fetch() { return new Response('room'); }
}
export default {
  fetch: (request, env) =>
    new URL(request.url).pathname === '/room' ? env.ROOM.getByName('a').fetch(request) : new Response('shop'),
};`;

function findProgram(site: UploadSite): number | undefined {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines) {
    const [, pid, parent, title] = /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line) ?? [];
    if (Number(parent) === site.server.process.pid && title?.startsWith('gatehouse: program') === true)
      return Number(pid);
  }
  return undefined;
}

/** Requests both paths continuously, and counts the responses. */
class Visitors {
  readonly outcomes = new Map<string, number>();
  readonly #end = new AbortController();
  readonly #visits: Promise<void>[];

  constructor(t: TestContext, ask: (path: string) => Promise<Asked>) {
    this.#visits = ['/', '/room', '/'].map((path) => this.#visit(() => ask(path)));
    t.after(() => this.#end.abort());
  }

  get answered(): number {
    return this.outcomes.get('200') ?? 0;
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#visits);
  }

  async #visit(ask: () => Promise<Asked>): Promise<void> {
    while (!this.#end.signal.aborted) {
      const outcome = await ask().then(
        ({ status, body }) => (status === 200 ? '200' : `${status} ${body}`),
        (error: NodeJS.ErrnoException) => error.code ?? String(error),
      );
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      await new Promise(setImmediate);
    }
  }
}

async function start(t: TestContext, directory: string, ...args: readonly string[]): Promise<UploadSite> {
  return await UploadSite.start(t, {
    directory,
    args,
    environment: { GATEHOUSE_WATCHDOG: 'true', GATEHOUSE_EDGE_WORKERS: '2' },
  });
}

async function deploy(site: UploadSite): Promise<void> {
  const metadata = {
    bindings: [{ type: 'durable_object_namespace', name: 'ROOM', class_name: 'Room' }],
    migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Room'] }] },
  };
  ok((await site.deploy('shop', { code, metadata })).success);
  let inRow = 0;
  await eventually(async () => {
    inRow = (await site.ask(`shop.${domain}`)).status === 200 ? inRow + 1 : 0;
    return inRow >= 10;
  }, 'all workers of the edge have the zone');
}

test('a zone behind an uploaded Worker answers all requests while the program is killed and comes back', async (t) => {
  const site = await start(t, temporary(t));
  await deploy(site);
  const visitors = new Visitors(t, (path) => site.ask(`shop.${domain}`, path));
  for (let kills = 0; kills < 2; kills++) {
    const before = findProgram(site)!;
    const seen = visitors.answered;
    await eventually(() => visitors.answered > seen + 10, 'it serves');
    process.kill(before, 'SIGKILL');
    await eventually(() => {
      const now = findProgram(site);
      return now !== undefined && now !== before;
    }, 'another program');
    const waited = visitors.answered;
    await eventually(() => visitors.answered > waited + 10, 'it serves again');
  }
  await visitors.stop();
  deepEqual([...visitors.outcomes.keys()], ['200']);
  equal((await site.ask(`none.${domain}`)).status === 200, false, 'who does not exist is not waited for');
});

test('a zone behind an uploaded Worker is never 502 while the program is stopped and started again', async (t) => {
  const directory = temporary(t);
  const first = await start(t, directory);
  await deploy(first);
  const port = new URL(first.ready.edge).port;
  const visitors = new Visitors(t, (path) => first.ask(`shop.${domain}`, path));
  await eventually(() => visitors.answered > 10, 'it serves');
  equal(await first.server.end('SIGTERM'), 0);
  const stopped = visitors.answered;
  const second = await start(t, directory, '--edge-port', port);
  await eventually(() => visitors.answered > stopped + 10, 'it serves again');
  await visitors.stop();
  const unexpected = [...visitors.outcomes.keys()].filter((each) => !/^(?:200|E[A-Z]+)$/.test(each));
  deepEqual(unexpected, [], JSON.stringify([...visitors.outcomes]));
  equal((await second.ask(`shop.${domain}`)).status, 200);
});
