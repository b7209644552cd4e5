/**
 * HTTP/1.1 and HTTP/2 over TLS through proxies to the same HTTP/1.1 origin, with h2load as the client: CPU time per request
 * at 1, 10 and 100 streams, what a handshake costs, and what idle connections hold.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { createAuthority, issueCertificate } from '../../src/certificates.ts';
import {
  cpuMsOf,
  nginxVersion,
  type SecureFiles,
  type Started,
  startNginx,
  startScript,
} from './children.ts';
import { target, type Table } from './report.ts';
import { page } from './requests.ts';
import { zoneName } from './zones.ts';

export interface Http2Times {
  readonly requests: number;
  readonly turns: number;
  readonly handshakes: number;
  readonly idle: number;
}

interface Load {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Undefined for HTTP/1.1. */
  readonly streams: number | undefined;
}

const connections = 8;
const h2load = '/usr/bin/h2load';

export async function benchHttp2(directory: string, times: Http2Times): Promise<Table[]> {
  if (!existsSync(h2load)) throw new Error('h2load is missing: apt-get install nghttp2-client');
  const files = writeCertificate(directory);
  await using origin = await startScript('origin.ts', []);
  await using edge = await startScript(
    'secure-edge.ts',
    [origin.port, files.certificate, files.key],
    ['--expose-gc'],
  );
  const securePort = Number(await edge.nextLine());
  const plain = await measure(edge, { scheme: 'http', port: edge.port, streams: undefined }, times);
  const rows: Row[] = [{ name: 'Gatehouse, HTTP/1.1 without TLS', micros: plain }];
  const all: readonly (readonly [string, number | undefined])[] = [
    ['HTTP/1.1 over TLS', undefined],
    ['HTTP/2, 1 stream', 1],
    ['HTTP/2, 10 streams', 10],
    ['HTTP/2, 100 streams', 100],
  ];
  for (const [name, streams] of all)
    rows.push({
      name: `Gatehouse, ${name}`,
      micros: await measure(edge, { scheme: 'https', port: securePort, streams }, times),
    });
  const handshakes = await benchHandshakes(edge, securePort, times);
  const idle = await benchIdle(edge, securePort, times);
  await edge.stop();
  {
    await using proxy = await startScript('node-http2-proxy.ts', [origin.port, files.certificate, files.key]);
    for (const [name, streams] of all.slice(1))
      rows.push({
        name: `node:http2, ${name}`,
        micros: await measure(proxy, { scheme: 'https', port: proxy.port, streams }, times),
      });
  }
  {
    await using nginx = await startNginx(join(directory, 'nginx-tls'), origin.port, { secure: files });
    if (nginx !== undefined)
      for (const [name, streams] of all)
        rows.push({
          name: `${nginxVersion().replace('nginx version: ', '')}, ${name}`,
          micros: await measure(nginx, { scheme: 'https', port: nginx.port, streams }, times),
        });
  }
  return [tableOf(rows, plain), handshakes, idle];
}

interface Row {
  readonly name: string;
  readonly micros: number;
}

function writeCertificate(directory: string): SecureFiles {
  const folder = join(directory, 'certificate');
  mkdirSync(folder, { recursive: true });
  const authority = createAuthority('Bench', Date.now());
  const { certificate, privateKey } = issueCertificate(authority, [zoneName], Date.now());
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.certificate, certificate.toString());
  writeFileSync(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return files;
}

/** The least CPU time of a request, of several turns: what it takes when nobody interferes. */
async function measure(proxy: Started, load: Load, { requests, turns }: Http2Times): Promise<number> {
  await send(load, requests / 4);
  let best = Infinity;
  for (let turn = 0; turn < turns; turn++) {
    const before = cpuMsOf(proxy.pid);
    await send(load, requests);
    best = Math.min(best, ((cpuMsOf(proxy.pid) - before) * 1000) / requests);
  }
  return best;
}

async function send({ scheme, port, streams }: Load, requests: number): Promise<void> {
  const { Host: _host, Connection: _connection, ...headers } = page.headers;
  const { stdout } = await promisify(execFile)(h2load, [
    ...(streams === undefined ? ['--h1'] : []),
    ...['-n', String(requests), '-c', String(connections), '-m', String(streams ?? 1)],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    `--connect-to=127.0.0.1:${port}`,
    `${scheme}://${zoneName}:${port}${page.target}`,
  ]);
  if (!stdout.includes(`${requests} succeeded`) || !stdout.includes(`${requests} 2xx`))
    throw new Error(`not every request was answered: ${stdout}`);
}

function tableOf(rows: readonly Row[], plain: number): Table {
  const node = (name: string): number | undefined =>
    rows.find((row) => row.name === name.replace('Gatehouse', 'node:http2'))?.micros;
  return {
    title: 'HTTP/2 and TLS through a proxy to the same origin',
    header: ['proxy', 'CPU µs per request', 'of our HTTP/1.1 without TLS', 'of node:http2', 'target'],
    rows: rows.map(({ name, micros }) => {
      const peer = name.startsWith('Gatehouse') ? node(name) : undefined;
      const isAimed = name === 'Gatehouse, HTTP/2, 10 streams';
      return [
        name,
        micros.toFixed(0),
        (micros / plain).toFixed(2),
        peer === undefined ? '' : (micros / peer).toFixed(2),
        isAimed
          ? `${target('≤ 1.00 of HTTP/1.1', micros <= plain)}, ${target('≤ 0.50 of node:http2', micros <= peer! / 2)}`
          : '',
      ];
    }),
  };
}

/** Connections that are opened and closed, one after the other on several lines. */
async function benchHandshakes(edge: Started, port: number, { handshakes }: Http2Times): Promise<Table> {
  const first = await open(port);
  const [session] = (await once(first, 'session')) as [Buffer];
  first.destroy();
  const rows: string[][] = [];
  for (const [name, offered] of [
    ['full', undefined],
    ['resumed', session],
  ] as const) {
    let resumed = 0;
    const before = cpuMsOf(edge.pid);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < handshakes / 8; count++) {
          const socket = await open(port, offered);
          if (socket.isSessionReused()) resumed++;
          socket.destroy();
        }
      }),
    );
    const micros = ((cpuMsOf(edge.pid) - before) * 1000) / handshakes;
    rows.push([
      name,
      micros.toFixed(0),
      Math.round(1e6 / micros).toLocaleString('en'),
      `${resumed} of ${handshakes}`,
    ]);
  }
  return {
    title: 'TLS handshakes of one edge process (ECDSA P-256, TLS 1.3)',
    header: ['handshake', 'CPU µs', 'per second of CPU', 'resumed'],
    rows,
  };
}

async function open(port: number, session?: Buffer): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: zoneName,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    ...(session === undefined ? {} : { session }),
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/** Connections of HTTP/2 that have agreed on their settings, and then say nothing. */
async function benchIdle(edge: Started, port: number, { idle }: Http2Times): Promise<Table> {
  const before = await edge.ask('memory');
  const sockets: TLSSocket[] = [];
  for (let count = 0; count < idle; count++) {
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
    rows: [[idle.toLocaleString('en'), (bytes / 1e6).toFixed(0), (bytes / 1e3 / idle).toFixed(1)]],
  };
}
