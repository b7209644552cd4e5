/**
 * The least that a proxy in Node has to do, and nothing else. Prints its port.
 *
 *     node bench/edge/children/node-proxy.ts <port of the origin>
 */
import { Agent, createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

const originPort = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const { method, url, headers } = request;
  const asked = ask({ agent, host: '127.0.0.1', port: originPort, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  request.pipe(asked);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
