/**
 * Load balancers at the edge: which origin gets a request, what happens when one does not respond, and notifications.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { createLog } from '#base';
import { HealthBoard } from '#edge';
import { eventually } from '../eventually.ts';
import { ServedEdge } from './served-edge.ts';
import { WorkerSite } from './worker-site.ts';

/** An origin that returns its name, and records its requests. */
class NamedOrigin implements AsyncDisposable {
  readonly name: string;
  readonly #server: Server;
  readonly got: string[] = [];
  probes = 0;
  status = 200;
  /** Whether it closes connections instead of answering. */
  isBroken = false;

  private constructor(name: string, server: Server) {
    this.name = name;
    this.#server = server;
  }

  static async listen(name: string): Promise<NamedOrigin> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = new NamedOrigin(name, server);
    server.on('request', (request, response) => {
      const { method, url = '' } = request;
      if (url === '/health') {
        origin.probes++;
        response.statusCode = origin.status;
        return void response.end(origin.status === 200 ? 'All is Well' : 'no');
      }
      origin.got.push(`${method} ${url} ${request.headers.host}`);
      if (origin.isBroken) return void request.socket.destroy();
      request.resume().on('end', () => response.end(name));
    });
    return origin;
  }

  get json(): object {
    return { name: this.name, address: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A port without a listener. */
async function findClosedPort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let served: ServedEdge;
let board: HealthBoard;
let account: string;
let zone: string;
before(async () => {
  board = new HealthBoard({
    addresses: { allowPrivate: true },
    log: createLog({ level: 'error', format: 'json', write: () => {} }),
    onStates: (states) => served.edge.receiveOriginStates(states),
    onReports: (reports) => void served.control.control.noteOriginHealth(reports),
  });
  served = await ServedEdge.open({
    onOriginMark: (state) => board.mark(state),
    onLoadBalancers: (balancers) => board.update(balancers),
  });
  await served.serve('enterprise');
  account = `/accounts/${served.control.control.directory.accountId}/load_balancers`;
  zone = `/zones/${served.control.zone('enterprise')}`;
});
after(async () => {
  board[Symbol.dispose]();
  await served[Symbol.asyncDispose]();
});

let made = 0;

/** A load balancer with one pool. Resolves to its host name and the id of the pool. */
async function balance(
  origins: readonly object[],
  { pool = {}, balancer = {} }: { readonly pool?: object; readonly balancer?: object } = {},
): Promise<{ readonly host: string; readonly pool: string }> {
  const name = `lb${++made}`;
  const { result } = await served.do(`POST ${account}/pools`, { name, origins, ...pool });
  const host = `${name}.${served.host('enterprise')}`;
  const pools = { default_pools: [result.id], fallback_pool: result.id };
  await served.do(`POST ${zone}/load_balancers`, { name: host, ...pools, ...balancer });
  return { host, pool: result.id };
}

async function ask(host: string, path = '/', sent: object = {}): Promise<string> {
  const { status, body } = await served.send(path, { host, ...sent });
  return status === 200 ? body : String(status);
}

test('requests of a name go to the origins of its pool, with their Host, and those of other names as before', async () => {
  await using one = await NamedOrigin.listen('one');
  await using two = await NamedOrigin.listen('two');
  const { host } = await balance([
    { ...two.json, weight: 0 },
    { ...one.json, header: { Host: ['app.internal'] } },
  ]);
  equal(await ask(host, '/a'), 'one');
  deepEqual([one.got, two.got], [['GET /a app.internal'], []]);
  match(await ask(served.host('enterprise'), '/b'), /^origin got GET \/b/);
  // Rules judge it first, and a rule that names another origin counts.
  const port = Number(new URL(served.origin.url).port);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_origin/entrypoint`, {
    rules: [
      {
        action: 'route',
        expression: 'http.request.uri.path eq "/elsewhere"',
        action_parameters: { origin: { host: '127.0.0.1', port } },
      },
    ],
  });
  match(await ask(host, '/elsewhere'), /^origin got/);
});

test('a request goes on to another origin if no connection was made, or if it can be repeated, and only then', async () => {
  await using well = await NamedOrigin.listen('well');
  await using broken = await NamedOrigin.listen('broken');
  broken.isBroken = true;
  const closed = { name: 'closed', address: '127.0.0.1', port: await findClosedPort() };
  const refused = await balance([closed, well.json]);
  for (let index = 0; index < 8; index++) equal(await ask(refused.host, '/a', { body: 'x' }), 'well');
  const both = await balance([broken.json, { ...well.json, header: { Host: ['second'] } }]);
  const answers: string[] = [];
  await eventually(async () => {
    answers.push(await ask(both.host, '/post', { body: 'x' }));
    return answers.includes('502');
  });
  const reached = broken.got.filter((line) => line.startsWith('POST')).length;
  equal(answers.filter((answer) => answer === '502').length, reached, 'what was sent is not sent again');
  for (let index = 0; index < 6; index++) equal(await ask(both.host, '/get'), 'well');
});

test('an origin that fails three times in a row gets nothing for some seconds, and the last one stays', async () => {
  await using well = await NamedOrigin.listen('well');
  await using broken = await NamedOrigin.listen('broken');
  broken.isBroken = true;
  const { host, pool } = await balance([broken.json, well.json]);
  await eventually(async () => {
    equal(await ask(host), 'well');
    return broken.got.length >= 3;
  });
  const firstEvent = async (): Promise<unknown> => {
    const { result } = await served.do(`GET ${account}/pools/${pool}/events`);
    return (result as { origin: object }[]).at(-1)?.origin;
  };
  await eventually(async () => (await firstEvent()) !== undefined);
  deepEqual(await firstEvent(), {
    name: 'broken',
    address: '127.0.0.1',
    healthy: false,
    failure_reason: 'it did not answer requests',
  });
  deepEqual(
    served.edge.stats().pools.filter(({ pool: name }) => name === `lb${made}`).map(({ origin, failures }) => [origin, failures]).toSorted(),
    [['broken', broken.got.length], ['well', 0]],
  ); // prettier-ignore
  // If it is the only one, it still gets the request.
  const alone = await balance([{ ...broken.json, header: { Host: ['alone'] } }]);
  for (let index = 0; index < 5; index++) equal(await ask(alone.host), '502');
  broken.isBroken = false;
  equal(await ask(alone.host), 'broken');
});

test('a monitor takes an origin out and brings it back; a target that hangs harms nobody', async () => {
  await using well = await NamedOrigin.listen('well');
  await using watched = await NamedOrigin.listen('watched');
  const hanging = createTcpServer(() => {});
  await once(hanging.listen(0, '127.0.0.1'), 'listening');
  const { result: monitor } = await served.do(`POST ${account}/monitors`, {
    path: '/health',
    expected_codes: '2xx',
    expected_body: 'all is well',
    interval: 3,
    timeout: 3,
    retries: 0,
  });
  const hung = { name: 'hung', address: '127.0.0.1', port: (hanging.address() as AddressInfo).port };
  const { host, pool } = await balance([well.json, watched.json, hung], { pool: { monitor: monitor.id } });
  const events = async (): Promise<string[]> => {
    const { result } = await served.do(`GET ${account}/pools/${pool}/events`);
    return (result as { origin: { name: string; healthy: boolean; failure_reason?: string } }[]).map(
      ({ origin }) => `${origin.name} ${origin.healthy ? 'up' : `down: ${origin.failure_reason}`}`,
    );
  };
  await eventually(async () => (await events()).includes('hung down: no answer within 3 s'));
  watched.status = 503;
  await eventually(async () => (await events()).includes('watched down: status 503 is not 2xx'));
  watched.got.length = 0;
  for (let index = 0; index < 20; index++) equal(await ask(host), 'well');
  deepEqual(watched.got, []);
  watched.status = 200;
  await eventually(async () => (await events()).includes('watched up'));
  await eventually(async () => (await ask(host)) === 'watched');
  ok(watched.probes > 2);
  hanging.close();
});

test('a visitor with a cookie stays with an origin, which is no address of one', async () => {
  await using one = await NamedOrigin.listen('one');
  await using two = await NamedOrigin.listen('two');
  const { host } = await balance([one.json, two.json], {
    balancer: { session_affinity: 'cookie', session_affinity_ttl: 1_800 },
  });
  const first = await served.send('/', { host });
  const cookie = String(first.headers['set-cookie']);
  match(cookie, /^__cflb=[\w-]{22}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/);
  const headers = { cookie: cookie.split(';')[0] };
  for (let index = 0; index < 12; index++) {
    const again = await served.send('/', { host, headers });
    deepEqual([again.body, again.headers['set-cookie']], [first.body, undefined]);
  }
});

test('edge processes know the same of origins, which are asked from one process for all of them', async (t) => {
  await using well = await NamedOrigin.listen('well');
  await using watched = await NamedOrigin.listen('watched');
  await using askedOnce = await NamedOrigin.listen('asked once');
  const site = await WorkerSite.start(t);
  const accountPath = `/accounts/${site.ready.account_id}/load_balancers`;
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(site.ready.api + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { result: { id: string } }).result.id;
  };
  const probe = { path: '/health', expected_codes: '200', interval: 2, timeout: 1, retries: 0 };
  const monitor = await create(`${accountPath}/monitors`, probe);
  const pool = await create(`${accountPath}/pools`, {
    name: 'p',
    origins: [well.json, watched.json],
    monitor,
  });
  const rarely = await create(`${accountPath}/monitors`, { ...probe, interval: 3_600 });
  const other = await create(`${accountPath}/pools`, {
    name: 'q',
    origins: [askedOnce.json],
    monitor: rarely,
  });
  const pools = { default_pools: [pool, other], fallback_pool: pool };
  await create(`/zones/${site.zone.id}/load_balancers`, { name: site.zone.name, ...pools });
  /** Waits until a number of connections in a row, served by both processes, have this result. */
  const awaitAll = (isWanted: (body: string) => boolean): Promise<void> => {
    let inRow = 0;
    return eventually(async () => {
      inRow = isWanted((await site.send('/')).body) ? inRow + 1 : 0;
      return inRow >= 20;
    });
  };
  await awaitAll((body) => body === 'well' || body === 'watched');
  watched.status = 500;
  await awaitAll((body) => body === 'well');
  const labels = '{pool="p",origin="watched"}';
  await eventually(async () => (await site.readMetric('gatehouse_pool_origin_healthy', labels)) === 0);
  // One of three processes runs the checks: by now all of them know the pool.
  equal(askedOnce.probes, 1);
});
