/** The origin of all proxies of the benchmark: 1 KiB for every request. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = Buffer.alloc(1024, 'x');
const server = createServer({ keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
