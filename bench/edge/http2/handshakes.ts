/**
 * The cost of a TLS handshake, how many sessions are resumed although another process of the edge answers, and the
 * memory of idle HTTP/2 connections.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { cpuMsOf, type Started } from '../children.ts';
import { target, type Table } from '../report.ts';
import { listWorkers, serve } from '../workers.ts';
import { zoneName } from '../zones.ts';

/** Connections that are opened and closed, one after the other in several parallel sequences. */
export async function benchHandshakes(edge: Started, port: number, count: number): Promise<Table> {
  const session = await takeTicket(port, zoneName);
  const rows: string[][] = [];
  for (const [name, offered] of [
    ['full', undefined],
    ['resumed', session],
  ] as const) {
    let resumed = 0;
    const before = cpuMsOf(edge.pid);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let done = 0; done < count / 8; done++) {
          const socket = await open(port, { session: offered });
          if (socket.isSessionReused()) resumed++;
          socket.destroy();
        }
      }),
    );
    const micros = ((cpuMsOf(edge.pid) - before) * 1000) / count;
    rows.push([
      name,
      micros.toFixed(0),
      Math.round(1e6 / micros).toLocaleString('en'),
      `${resumed} of ${count}`,
    ]);
  }
  return {
    title: 'TLS handshakes of one edge process (ECDSA P-256, TLS 1.3)',
    header: ['handshake', 'CPU µs', 'per second of CPU', 'resumed'],
    rows,
  };
}

/**
 * Each visit offers the ticket of the first one, whichever process issued it. Node gives none at a resumed handshake.
 */
export async function benchResumption(visits: number): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  try {
    await using served = await serve(directory, 2, { 'edge-https-port': '0' });
    const name = served.ready.zones[0]!.name;
    const port = Number(new URL(served.ready.edge_https!).port);
    while (listWorkers(served.pid).length < 2) await delay(20);
    const workers = listWorkers(served.pid);
    const before = workers.map(cpuMsOf);
    const session = await takeTicket(port, name);
    let resumed = 0;
    for (let visit = 0; visit < visits; visit++) {
      const socket = await open(port, { session, name });
      if (socket.isSessionReused()) resumed++;
      socket.destroy();
    }
    const spent = workers.map((pid, index) => `${(cpuMsOf(pid) - before[index]!).toFixed(0)} ms`);
    const share = resumed / visits;
    return {
      title: 'TLS sessions resumed, two worker processes',
      header: ['visits', 'resumed', 'CPU of the workers', 'target'],
      rows: [
        [
          visits.toLocaleString('en'),
          `${(share * 100).toFixed(1)} %`,
          spent.join(', '),
          target('≥ 95 %', share >= 0.95),
        ],
      ],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function takeTicket(port: number, name: string): Promise<Buffer> {
  const given = Promise.withResolvers<Buffer>();
  const socket = await open(port, { name, onSession: given.resolve });
  const session = await given.promise;
  socket.destroy();
  return session;
}

interface Visit {
  readonly session?: Buffer | undefined;
  readonly name?: string;
  /** The ticket for the next visit can come in the same turn as the handshake. */
  readonly onSession?: (session: Buffer) => void;
}

async function open(port: number, { session, name = zoneName, onSession }: Visit = {}): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: name,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    ...(session === undefined ? {} : { session }),
  });
  socket.on('error', () => {});
  if (onSession !== undefined) socket.once('session', onSession);
  await once(socket, 'secureConnect');
  return socket;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/** HTTP/2 connections that have exchanged settings and are then idle. */
export async function benchIdle(edge: Started, port: number, count: number): Promise<Table> {
  const before = await edge.ask('memory');
  const sockets: TLSSocket[] = [];
  for (let opened = 0; opened < count; opened++) {
    const socket = await open(port);
    socket.write(preface);
    await once(socket, 'data');
    sockets.push(socket);
  }
  const after = await edge.ask('memory');
  for (const socket of sockets) socket.destroy();
  const bytes = Number(after) - Number(before);
  return {
    title: 'Idle HTTP/2 connections of one edge process',
    header: ['connections', 'resident MB more', 'KB each'],
    rows: [[count.toLocaleString('en'), (bytes / 1e6).toFixed(0), (bytes / 1e3 / count).toFixed(1)]],
  };
}
