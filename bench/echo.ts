/** Plain `node:http`, as the reference for the machine: `hello`, or as many bytes as requested. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const bytes = Number(process.argv[2] ?? 0);
const text = bytes === 0 ? 'hello' : 'x'.repeat(bytes);
const server = createServer((_request, response) => {
  response.end(text);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
