/**
 * The cost of compression: the CPU time of an edge, its thread pool included, for a page of documentation in each
 * coding, beside the same page uncompressed.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cpuMsOf, type SecureFiles, startScript } from '../children.ts';
import type { Table } from '../report.ts';
import { zoneName } from '../zones.ts';

const pageBytes = 64 * 1024;
const codings = ['identity', 'gzip', 'br', 'zstd'] as const;

export async function benchCompression(files: SecureFiles, requests: number): Promise<Table> {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/reference/configuration.md'));
  const body = Buffer.alloc(pageBytes, text);
  const origin = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
    response.end(body);
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const { port } = origin.address() as AddressInfo;
  try {
    await using edge = await startScript(
      'secure-edge.ts',
      [port, files.certificate, files.key, 'compressing'],
      ['--expose-gc'],
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const costs: number[] = [];
    const sizes: number[] = [];
    for (const coding of codings) {
      sizes.push(await read(edge.port, coding, agent));
      await send(edge.port, coding, { agent, requests: requests / 4 });
      const before = cpuMsOf(edge.pid);
      await send(edge.port, coding, { agent, requests });
      costs.push(((cpuMsOf(edge.pid) - before) * 1_000) / requests);
    }
    agent.destroy();
    return tableOf(costs, sizes);
  } finally {
    origin.close();
    origin.closeAllConnections();
  }
}

interface Sending {
  readonly agent: Agent;
  readonly requests: number;
}

async function send(port: number, coding: string, { agent, requests }: Sending): Promise<void> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (sent++ < requests) await read(port, coding, agent);
    }),
  );
}

/** Returns the number of received bytes. */
async function read(port: number, coding: string, agent: Agent): Promise<number> {
  const headers = { host: zoneName, 'accept-encoding': coding };
  const [response] = (await once(get({ port, agent, headers }), 'response')) as [IncomingMessage];
  const given = response.headers['content-encoding'] ?? 'identity';
  if (response.statusCode !== 200 || given !== coding)
    throw new Error(`asked for ${coding}: ${response.statusCode} in ${given}`);
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  return bytes;
}

function tableOf(costs: readonly number[], sizes: readonly number[]): Table {
  const plain = costs[0]!;
  return {
    title: 'Compressing 64 KiB of text',
    header: ['coding', 'CPU µs per response', 'CPU µs more per KiB', 'bytes', 'of the page'],
    rows: codings.map((coding, index) => [
      coding,
      costs[index]!.toFixed(0),
      ((costs[index]! - plain) / (pageBytes / 1024)).toFixed(1),
      sizes[index]!.toLocaleString('en'),
      `${((sizes[index]! / pageBytes) * 100).toFixed(0)} %`,
    ]),
  };
}
