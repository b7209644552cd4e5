/**
 * HTTP/1.1 and HTTP/2 over TLS through proxies to the same HTTP/1.1 origin, with h2load as the client: CPU time per
 * request at 1, 10 and 100 streams. All proxies run at the same time and take short turns, so that other load of the
 * machine affects all of them.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority, issueCertificate } from '../../../src/foundation/certificates.ts';
import { cpuMsOf, nginxVersion, type SecureFiles, startNginx, startScript } from '../children.ts';
import { target, type Table } from '../report.ts';
import { page } from '../requests.ts';
import { zoneName } from '../zones.ts';
import { benchCompression } from './compression.ts';
import { benchHandshakes, benchIdle, benchResumption } from './handshakes.ts';

export interface Http2Times {
  readonly requests: number;
  readonly turns: number;
  readonly handshakes: number;
  readonly idle: number;
  readonly compressed: number;
}

interface Load {
  readonly name: string;
  /** Whose CPU time counts. */
  readonly pid: number;
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Undefined for HTTP/1.1. */
  readonly streams: number | undefined;
  readonly connections: number;
}

const connections = 8;
const h2load = '/usr/bin/h2load';
const plainName = 'Gatehouse, HTTP/1.1 without TLS';
const plainCrowdName = `${plainName}, 80 connections`;
const aimedName = 'Gatehouse, HTTP/2, 10 streams';

export async function* benchHttp2(directory: string, times: Http2Times): AsyncGenerator<Table> {
  if (!existsSync(h2load)) throw new Error('h2load is missing: apt-get install nghttp2-client');
  const files = writeCertificate(directory);
  await using origin = await startScript('origin.ts', []);
  await using edge = await startScript(
    'secure-edge.ts',
    [origin.port, files.certificate, files.key],
    ['--expose-gc'],
  );
  const securePort = Number(await edge.nextLine());
  {
    await using proxy = await startScript('node-http2-proxy.ts', [origin.port, files.certificate, files.key]);
    await using nginx = await startNginx(join(directory, 'nginx-tls'), origin.port, { secure: files });
    if (nginx === undefined) throw new Error('nginx is missing: apt-get install nginx');
    const plain = { pid: edge.pid, scheme: 'http', port: edge.port, streams: undefined } as const;
    const loads: readonly Load[] = [
      { ...plain, name: plainName, connections },
      // As many requests at a time as HTTP/2 has with 10 streams.
      { ...plain, name: plainCrowdName, connections: 10 * connections },
      ...listSecure('Gatehouse', edge.pid, securePort),
      // It speaks HTTP/2 only.
      ...listSecure('node:http2', proxy.pid, proxy.port).filter(({ streams }) => streams !== undefined),
      ...listSecure(nginxVersion().replace('nginx version: ', ''), nginx.pid, nginx.port),
    ];
    yield tableOf(await measureAll(loads, times));
  }
  yield await benchHandshakes(edge, securePort, times.handshakes);
  yield await benchIdle(edge, securePort, times.idle);
  await edge.stop();
  yield await benchResumption(times.handshakes / 4);
  yield await benchCompression(files, times.compressed);
}

function listSecure(proxy: string, pid: number, port: number): Load[] {
  const all: readonly (readonly [string, number | undefined])[] = [
    ['HTTP/1.1 over TLS', undefined],
    ['HTTP/2, 1 stream', 1],
    ['HTTP/2, 10 streams', 10],
    ['HTTP/2, 100 streams', 100],
  ];
  return all.map(([name, streams]) => ({
    name: `${proxy}, ${name}`,
    pid,
    scheme: 'https',
    port,
    streams,
    connections,
  }));
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

interface Row {
  readonly name: string;
  /** The minimum CPU time of a request over several turns: the cost without interference. */
  readonly best: number;
  readonly median: number;
}

async function measureAll(loads: readonly Load[], { requests, turns }: Http2Times): Promise<Row[]> {
  const micros = loads.map((): number[] => []);
  for (const load of loads) await send(load, requests);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, load] of loads.entries()) {
      const before = cpuMsOf(load.pid);
      await send(load, requests);
      micros[index]!.push(((cpuMsOf(load.pid) - before) * 1000) / requests);
    }
  return loads.map(({ name }, index) => {
    const sorted = micros[index]!.toSorted((a, b) => a - b);
    return { name, best: sorted[0]!, median: sorted[sorted.length >> 1]! };
  });
}

async function send(load: Load, requests: number): Promise<void> {
  const { scheme, port, streams } = load;
  const { Host: _host, Connection: _connection, ...headers } = page.headers;
  const { stdout } = await promisify(execFile)(h2load, [
    ...(streams === undefined ? ['--h1'] : []),
    ...['-n', String(requests), '-c', String(load.connections), '-m', String(streams ?? 1)],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    `--connect-to=127.0.0.1:${port}`,
    `${scheme}://${zoneName}:${port}${page.target}`,
  ]);
  if (!stdout.includes(`${requests} succeeded`) || !stdout.includes(`${requests} 2xx`))
    throw new Error(`not every request was answered: ${stdout}`);
}

function tableOf(rows: readonly Row[]): Table {
  const find = (name: string): Row | undefined => rows.find((row) => row.name === name);
  const plain = find(plainName)!;
  return {
    title: 'HTTP/2 and TLS through a proxy to the same origin',
    header: [
      'proxy',
      'CPU µs per request',
      'median of turns',
      'of our HTTP/1.1 without TLS',
      'of node:http2',
      'target',
    ],
    rows: rows.map((row) => {
      const { name, best, median } = row;
      const peer = name.startsWith('Gatehouse') ? find(name.replace('Gatehouse', 'node:http2')) : undefined;
      return [
        name,
        best.toFixed(0),
        median.toFixed(0),
        (best / plain.best).toFixed(2),
        peer === undefined ? '' : (best / peer.best).toFixed(2),
        name === aimedName ? describeAims(row, { plain, crowd: find(plainCrowdName)!, peer: peer! }) : '',
      ];
    }),
  };
}

function describeAims(
  { best }: Row,
  { plain, crowd, peer }: { readonly plain: Row; readonly crowd: Row; readonly peer: Row },
): string {
  const ofCrowd = `${(best / crowd.best).toFixed(2)} with as many requests at a time`;
  return [
    target(`≤ 1.00 of HTTP/1.1`, best <= plain.best),
    target(ofCrowd, best <= crowd.best),
    target('≤ 0.50 of node:http2', best <= peer.best / 2),
  ].join(', ');
}
