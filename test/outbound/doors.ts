/** The ways in which a Worker runs, each with the Worker that tries to connect. */
import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { Gatehouse as Command } from '../../src/program/cli/testing.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from '../server/gatehouse.ts';

/** With the clients that need no package, or with all. */
const projects = {
  'built-in': resolve(import.meta.dirname, '../../projects/outbound'),
  all: resolve(import.meta.dirname, '../../projects/outbound/all'),
};

export interface Door {
  /** Sends a request to the Worker. */
  ask(path: string, body?: unknown): Promise<unknown>;
  /** Listeners of the program itself that its Worker must never reach. */
  readonly own: readonly string[];
}

type Clients = keyof typeof projects;

type Open = (t: TestContext, clients: Clients) => Promise<Door>;

export const doors = {
  dev: async (t, clients) => {
    const command = new Command(t, 'dev', projects[clients], '--persist-to', temporary(t));
    return { ask: askAt(await command.url()), own: [] };
  },
  run: (t, clients) => run(t, clients, []),
  'run, two object hosts': (t, clients) => run(t, clients, ['--object-hosts', '2']),
  'run, private networks': (t, clients) => run(t, clients, ['--allow-private-origins', 'true']),
  serve: (t, clients) => serve(t, clients, 'false'),
  'serve, private networks': (t, clients) => serve(t, clients, 'true'),
} satisfies Record<string, Open>;

async function run(t: TestContext, clients: Clients, args: readonly string[]): Promise<Door> {
  const all = [projects[clients], '--admin-port', '0', ...args];
  const { ready } = await Gatehouse.start(t, { command: 'run', directory: temporary(t), args: all });
  const { url, admin } = ready as unknown as { readonly url: string; readonly admin: string };
  return { ask: askAt(url), own: [admin] };
}

async function serve(t: TestContext, clients: Clients, allowsPrivate: 'true' | 'false'): Promise<Door> {
  const settings = ['--admin-port', '0', '--allow-private-origins', allowsPrivate, '--rate-limit', 'false'];
  const { ready } = await Gatehouse.start(t, {
    directory: temporary(t),
    args: [...settings, '--edge-port', '0', '--workers', `outbound=${projects[clients]}`],
  });
  const { api, admin, edge, token, zones } = ready as ReadyFacts & { readonly edge: string };
  const { id, name } = zones.find(({ plan }) => plan === 'free')!;
  const written = await fetch(`${api}/zones/${id}/edge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ origin: { worker: 'outbound' } }),
  });
  equal(written.status, 200);
  const ask = askAt(edge, name);
  await eventually(async () => {
    await ask('/');
    return true;
  }, 'the Worker answers');
  return { ask, own: [new URL(api).origin, admin!] };
}

/** With the name of a zone, if it has one. */
function askAt(url: string, zone = new URL(url).host): Door['ask'] {
  return async (path, body) => {
    const outgoing = request(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: zone },
      agent: false,
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = await text(incoming);
    equal(incoming.statusCode, 200, answer);
    return JSON.parse(answer) as unknown;
  };
}
