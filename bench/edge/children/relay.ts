/**
 * Forwards bytes without parsing: the share of Node's sockets in the cost of a proxy. Each connection of a client has
 * one of the origin. Prints its port.
 *
 *     node bench/edge/children/relay.ts <port of the origin>
 */
import { type AddressInfo, connect, createServer } from 'node:net';

const originPort = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (client) => {
  const origin = connect(originPort, '127.0.0.1').setNoDelay(true);
  for (const [from, to] of [
    [client, origin],
    [origin, client],
  ] as const) {
    from.on('data', (bytes: Buffer) => to.write(bytes.toString('latin1'), 'latin1'));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
