/** In a separate process: the limits are in force until the end of the process. */
import { deepEqual, equal, match, rejects, throws } from 'node:assert/strict';
import childProcess from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, createServer, get, type RequestOptions } from 'node:http';
import { get as getSecurely } from 'node:https';
import { createRequire, register as registerThread } from 'node:module';
import { type AddressInfo, connect, createServer as createTcpServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { Worker as Thread } from 'node:worker_threads';
import { startOwn } from '#work';
import { connect as connectAsWorker } from '../modules/cloudflare-sockets.ts';
import { WebSocket } from '#sockets';
import { limitOutbound } from './limit-outbound.ts';

async function serve(t: TestContext): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const to = new URL(incoming.url!, 'http://a').searchParams.get('to');
    if (to === null) outgoing.end('reached');
    else outgoing.writeHead(302, { location: to }).end();
  });
  startOwn(() => server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** The code of its error, or 'reached'. */
function findOutcome(client: NodeJS.EventEmitter): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  client.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  for (const event of ['connect', 'response']) client.on(event, () => resolve('reached'));
  return promise;
}

async function findCause(url: string): Promise<string> {
  try {
    await fetch(url);
    return 'reached';
  } catch (error) {
    return String(((error as Error).cause as Error).message);
  }
}

test('limitOutbound refuses private addresses to fetch, sockets, connect and modules of Node', async (t) => {
  const port = await serve(t);
  limitOutbound({});
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', 'a.localhost']) {
    match(
      await findCause(`http://${host}:${port}/`),
      /is a private address, and allow_private_origins/,
      host,
    );
  }
  match(await findCause('http://169.254.169.254/latest'), /metadata service/);
  const opened = connectAsWorker(`127.0.0.1:${port}`).opened;
  await rejects(opened, /proxy request failed, cannot connect to the specified address/);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  const [closed] = await once(socket as unknown as EventTarget, 'close');
  equal(closed.code, 1006);
  for (const open of [
    () => connect(port, '127.0.0.1'),
    () => connect({ port, host: 'localhost' }),
    () => connectTls({ port, host: '127.0.0.1' }),
  ]) {
    const [error] = await once(open(), 'error');
    equal(error.code, 'CONNECTION_FORBIDDEN');
  }
});

test('limitOutbound refuses private addresses to node:http and node:https, however they are given', async (t) => {
  const port = await serve(t);
  limitOutbound({});
  const hex = `0x${port.toString(16)}`;
  const opens: (() => NodeJS.EventEmitter)[] = [
    () => get(`http://127.0.0.1:${port}/`),
    () => get(new URL(`http://localhost:${port}/`), { agent: false }),
    () => get({ host: '127.1', port, agent: new Agent({ keepAlive: true }) }),
    () => get({ host: '0x7f000001', port, lookup: findLoopback }),
    () => get({ host: 'example.com', port, lookup: findLoopback }),
    () => get({ host: '::1%lo', port }),
    () => getSecurely(`https://[::ffff:127.0.0.1]:${port}/`),
    ...[null, undefined, ''].map((path) => () => connect({ port, host: '127.0.0.1', path } as never)),
    ...[null, undefined, ''].map((host) => () => connect({ port, host } as never)),
    () => connect(hex as never, '127.0.0.1'),
    () => connect(` ${port}` as never),
  ];
  for (const open of opens) {
    equal(await findOutcome(open()), 'CONNECTION_FORBIDDEN', String(open));
  }
});

test('limitOutbound checks what it connects to, also where options change as they are read', async (t) => {
  const port = await serve(t);
  limitOutbound({ allowPrivate: true, forbidden: [{ address: '127.0.0.1', port }] });
  for (let allowedReads = 0; allowedReads < 6; allowedReads++) {
    let reads = 0;
    const options = {
      host: '127.0.0.1',
      get port() {
        return reads++ < allowedReads ? 1 : port;
      },
    };
    match(await findOutcome(connect(options)), /^(CONNECTION_FORBIDDEN|ECONNREFUSED)$/);
  }
});

test('limitOutbound uses the lookup of the caller, and checks what it finds', async (t) => {
  const port = await serve(t);
  limitOutbound({ allowPrivate: true });
  const [response] = await once(get({ host: 'some.invalid', port, lookup: findLoopback }), 'response');
  equal(response.statusCode, 200);
  response.resume();
});

const findLoopback: NonNullable<RequestOptions['lookup']> = (_host, options, found) =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);

test('limitOutbound checks each redirect', async (t) => {
  const [port, own] = await Promise.all([serve(t), serve(t)]);
  limitOutbound({ allowPrivate: true, forbidden: [{ address: '127.0.0.1', port: own }] });
  equal(await findCause(`http://127.0.0.1:${port}/`), 'reached');
  equal(await findCause(`http://localhost:${port}/`), 'reached');
  match(
    await findCause(`http://127.0.0.1:${port}/?to=http://127.0.0.1:${own}/`),
    /is a listener of this program/,
  );
  match(await findCause(`http://127.0.0.1:${port}/?to=http://169.254.169.254/`), /metadata service/);
});

test('limitOutbound opens only sockets of the file system that are really in the folder for them', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-limits-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const folder = join(directory, 'sockets');
  mkdirSync(folder);
  for (const path of [join(folder, 's'), join(directory, 'operator')]) {
    const server = createServer((_incoming, outgoing) => outgoing.end('reached'));
    startOwn(() => server.listen(path));
    await once(server, 'listening');
    t.after(() => server.close());
  }
  symlinkSync('../operator', join(folder, 'link'));
  symlinkSync('sockets/s', join(directory, 'alias'));
  mkdirSync(`${folder}-not`);
  symlinkSync('../operator', join(`${folder}-not`, 's'));
  limitOutbound({ allowPrivate: true, socketFolder: folder });
  const open = [
    join(folder, 's'),
    join(folder, '..', 'sockets', 's'),
    join(directory, 'alias'),
    `${folder}//./s`,
  ];
  const closed = [
    join(directory, 'operator'),
    `${folder}/../operator`,
    join(folder, 'link'),
    join(`${folder}-not`, 's'),
    join(directory, 'missing'),
    '\0abstract',
    '/dev/log',
  ];
  for (const path of open) {
    equal(await findOutcome(connect(path)), 'reached', path);
    equal(await findOutcome(get({ socketPath: path })), 'reached', path);
  }
  for (const path of closed) {
    equal(await findOutcome(connect({ path })), 'CONNECTION_FORBIDDEN', path);
    equal(await findOutcome(get({ socketPath: path })), 'CONNECTION_FORBIDDEN', path);
  }
  equal(await findOutcome(connect(join(folder, 'missing'))), 'ENOENT');
  limitOutbound({ allowPrivate: true });
  equal(await findOutcome(connect(join(folder, 's'))), 'CONNECTION_FORBIDDEN');
});

test('limitOutbound holds handles to the rules that were made without Socket.connect', async (t) => {
  const port = await serve(t);
  limitOutbound({});
  // A handle of Node's own, which code can obtain from any socket.
  const taken = (await openHandle(t)).constructor as new (kind: number) => {
    connect(request: object, address: string, port: number): number;
  };
  equal(new taken(0).connect({}, '127.0.0.1', port), -13);
});

/** The handle of a server, which needs no connection. */
async function openHandle(t: TestContext): Promise<object> {
  const server = createTcpServer();
  startOwn(() => server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  t.after(() => server.close());
  return (server as unknown as { readonly _handle: object })._handle;
}

test('limitOutbound refuses processes, threads, native code, UDP, the debugger and handles, however code comes to them', async () => {
  limitOutbound({ allowPrivate: true });
  const required = createRequire(import.meta.url);
  const { runInThisContext } = required('node:vm') as typeof import('node:vm');
  const found = [
    required('node:child_process') as typeof childProcess,
    process.getBuiltinModule('node:child_process'),
    ((await import('node:child_process')) as { default: typeof childProcess }).default,
    (runInThisContext('() => process.getBuiltinModule("child_process")') as () => typeof childProcess)(),
  ];
  const ways: (() => unknown)[] = found.flatMap((each) => [
    () => each.spawn('true'),
    () => each.spawnSync('true'),
    () => each.exec('true'),
    () => each.execSync('true'),
    () => each.execFile('true'),
    () => each.execFileSync('true'),
    () => each.fork('/dev/null'),
  ]);
  const { DatabaseSync } = required('node:sqlite') as typeof import('node:sqlite');
  const named = process.getBuiltinModule('node:worker_threads');
  ways.push(
    () => childProcess.spawn('true'),
    () => required('node:cluster').fork(),
    () => new Thread('', { eval: true }),
    () => new named.Worker('', { eval: true }),
    () => new (named.Worker.prototype.constructor as typeof Thread)('', { eval: true }),
    () => new (class extends named.Worker {})('', { eval: true }),
    () => registerThread('data:text/javascript,'),
    () => required('node:dgram').createSocket('udp4'),
    () => new (required('node:dgram').Socket)('udp4'),
    () => required('node:inspector').open(0),
    () => new (required('node:inspector').Session)(),
    () => new (required('node:inspector/promises').Session)(),
    () => required('node:ffi').dlopen('libc.so.6'),
    () => new (required('node:ffi').DynamicLibrary)('libc.so.6'),
    () => Reflect.apply(Reflect.get(process, 'binding') as () => void, process, ['tcp_wrap']),
    () => process.dlopen({ exports: {} }, '/dev/null'),
    () => process.execve!('/bin/true'),
    () => process.kill(process.ppid, 'SIGTERM'),
    () => new DatabaseSync(':memory:', { allowExtension: true }).loadExtension('x'),
  );
  for (const way of ways) throws(way, { code: 'ERR_METHOD_NOT_IMPLEMENTED' }, String(way));
  equal(process.kill(process.pid, 0), true);
});

test('limitOutbound leaves to the program what it starts for itself', async () => {
  limitOutbound({});
  const child = startOwn(() => childProcess.spawn(process.execPath, ['--version']));
  deepEqual(await once(child, 'close'), [0, null]);
  const thread = startOwn(() => new Thread('', { eval: true }));
  deepEqual(await once(thread, 'exit'), [0]);
});

test('limitOutbound lets resolvers ask the servers of the system and public ones only', () => {
  limitOutbound({});
  const forbidden = { code: 'CONNECTION_FORBIDDEN' };
  throws(() => dns.setServers(['127.0.0.1:53']), forbidden);
  throws(() => new dns.Resolver().setServers(['[::1]:9090']), forbidden);
  throws(() => new dns.promises.Resolver().setServers(['169.254.169.254']), forbidden);
  const before = dns.getServers();
  dns.setServers(before);
  dns.setServers(['1.1.1.1']);
  dns.setServers(before);
});

test('limitOutbound cannot be undone', () => {
  limitOutbound({});
  for (const [owner, name] of [
    [Socket.prototype, 'connect'],
    [process, 'binding'],
    [process.getBuiltinModule('node:worker_threads'), 'Worker'],
  ] as const) {
    equal(
      Reflect.set(owner, name, () => {}),
      false,
    );
    equal(Reflect.defineProperty(owner, name, { value: () => {} }), false);
    equal(Reflect.deleteProperty(owner, name), false);
  }
});
