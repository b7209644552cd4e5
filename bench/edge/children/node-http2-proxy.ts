/**
 * The least that a proxy on `node:http2` has to do. Prints its port.
 *
 *     node bench/edge/children/node-http2-proxy.ts <port of the origin> <certificate> <key>
 */
import { readFileSync } from 'node:fs';
import { Agent, request as ask } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

const [originPort, cert, key] = process.argv.slice(2) as [string, string, string];
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const server = createSecureServer(
  { cert: readFileSync(cert), key: readFileSync(key) },
  (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !name.startsWith(':')),
    );
    const asked = ask(
      {
        agent,
        host: '127.0.0.1',
        port: originPort,
        method: request.method,
        path: request.url,
        headers: { ...headers, host: request.authority },
      },
      (answer) => {
        const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers;
        response.writeHead(answer.statusCode!, kept);
        answer.pipe(response);
      },
    );
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  },
);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
