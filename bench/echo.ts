/** Plain `node:http`, as the measure of what the machine can do; prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_request, response) => {
  response.end('hello');
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
