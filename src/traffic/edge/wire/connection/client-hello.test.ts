import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { isHelloComplete, readHello } from './client-hello.ts';

let hello: Buffer;
const server = createServer();

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const client = connect({
    port,
    host: '127.0.0.1',
    servername: 'shop.example',
    ALPNProtocols: ['h2', 'acme-tls/1'],
  });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [import('node:net').Socket];
  [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
});
after(() => server.close());

test('readHello reads the name and the protocols of a real client, and isHelloComplete waits for all of it', () => {
  deepEqual(readHello(hello), { name: 'shop.example', protocols: ['h2', 'acme-tls/1'] });
  for (let length = 0; length < hello.length; length++) {
    equal(isHelloComplete(hello.subarray(0, length)), false, String(length));
  }
  equal(isHelloComplete(hello), true);
});

test('readHello reads a message that comes in several records', () => {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let offset = 0; offset < message.length; offset += 40) {
    const part = message.subarray(offset, offset + 40);
    records.push(Buffer.from([22, 3, 1, 0, part.length]), part);
  }
  equal(isHelloComplete(Buffer.concat(records.slice(0, -1))), false);
  equal(readHello(Buffer.concat(records)).name, 'shop.example');
});

test('readHello gives nothing for anything else, whatever its lengths say', () => {
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n'), Buffer.alloc(20_000, 22)]) {
    equal(isHelloComplete(bytes), true);
    deepEqual(readHello(bytes), { name: undefined, protocols: [] });
  }
  for (let offset = 5; offset < hello.length; offset++) {
    const broken = Buffer.from(hello);
    broken[offset] = 255;
    readHello(broken);
    isHelloComplete(broken);
  }
});
