/**
 * An edge with one zone and no rules. Prints the port for plain HTTP/1.1, then that for TLS with HTTP/2, then a number for
 * each line that it reads: the bytes that its process holds.
 *
 *     node --expose-gc bench/edge/children/secure-edge.ts <port of the origin> <certificate> <key> [compressing]
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createSecureContext } from 'node:tls';
import { Edge } from '../../../src/traffic/edge.ts';
import { zoneOf } from '../zones.ts';

const [originPort, cert, key, mode] = process.argv.slice(2) as [string, string, string, string?];
const context = createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
const edge = await Edge.start({
  listeners: [{ port: 0 }, { port: 0, isSecure: true }],
  secret: Buffer.alloc(32, 1),
  addresses: { allowPrivate: true },
  certificateOf: () => context,
  // All clients of the benchmark have one address.
  limits: { requestsPerAddressMax: 1_024, connectionsPerAddressMax: 16_384 },
  writeEvents: async () => {},
});
const zone = zoneOf({}, Number(originPort));
edge.update(mode === 'compressing' ? { ...zone, settings: { brotli: 'on' } } : zone);
edge.complete();
for (const { port } of edge.addresses) console.log(port);
createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc!();
  console.log(process.memoryUsage().rss);
});
process.once('SIGTERM', () => void edge.close().then(() => process.exit()));
