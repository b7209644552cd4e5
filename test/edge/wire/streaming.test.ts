import { equal, match } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';

const piece = Buffer.alloc(64 * 1024, 'piece of a stream ');
const pieces = 1_600;
const totalBytes = piece.length * pieces;
/**
 * How much of a hundred megabytes may be in transit while the receiver does not read: mostly in the kernel's buffers of
 * two sockets.
 */
const onTheWayBytesMax = 40 * 1024 * 1024;

const expectedHash = (() => {
  const hash = createHash('sha1');
  for (let index = 0; index < pieces; index++) hash.update(piece);
  return hash.digest('hex');
})();

/** Writes everything, as fast as the other side takes it. */
function writeAll(socket: Socket): void {
  let left = pieces;
  const write = (): void => {
    while (left > 0) {
      left--;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', write);
  write();
}

/** How much was read from the socket when reading has stopped. */
async function countUntilStalled(socket: Socket): Promise<number> {
  let taken = -1;
  let looksUnchanged = 0;
  await eventually(() => {
    const now = socket.bytesWritten - socket.writableLength;
    looksUnchanged = now === taken ? looksUnchanged + 1 : 0;
    taken = now;
    return looksUnchanged === 20;
  }, 'a stall');
  return taken;
}

test('serveProxy streams an answer no faster than the client takes it', async () => {
  await using under = await proxyUnderTest();
  let source: Socket | undefined;
  under.origin.reply = (_, socket) => {
    source = socket;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${totalBytes}\r\n\r\n`);
    writeAll(socket);
  };
  using client = await under.connect();
  client.socket.removeAllListeners('data');
  client.socket.pause();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => source !== undefined);
  equal((await countUntilStalled(source!)) < onTheWayBytesMax, true);
  const hash = createHash('sha1');
  let seen = 0;
  client.socket.on('data', (bytes: Buffer) => {
    const body = seen === 0 ? bytes.subarray(bytes.indexOf('\r\n\r\n') + 4) : bytes;
    hash.update(body);
    seen += body.length;
  });
  client.socket.resume();
  await eventually(() => seen === totalBytes, 'the whole answer');
  equal(hash.digest('hex'), expectedHash);
});

for (const isChunked of [false, true]) {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${totalBytes}`;
  test(`serveProxy streams a body no faster than the origin takes it, by ${framing}`, async () => {
    await using under = await proxyUnderTest({ limits: { requestBodyBytesMax: 2 * totalBytes } });
    let sink: Socket | undefined;
    under.origin.onConnection = (socket) => {
      socket.removeAllListeners('data');
      socket.pause();
      sink = socket;
    };
    using client = await under.connect();
    const size = isChunked ? `${totalBytes.toString(16)}\r\n` : '';
    client.send(`POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${size}`);
    writeAll(client.socket);
    await eventually(() => sink !== undefined);
    equal((await countUntilStalled(client.socket)) < onTheWayBytesMax, true);
    let seen = 0;
    sink!.on('data', (bytes: Buffer) => (seen += bytes.length));
    sink!.resume();
    await eventually(() => seen > totalBytes, 'the whole body');
    if (isChunked) client.send('\r\n0\r\n\r\n');
    sink!.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    equal((await client.response())?.status, 200);
  });
}

test('serveProxy stops reading a client that sends ahead without end', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = () => {};
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => under.origin.requests.length === 1);
  writeAll(client.socket);
  equal((await countUntilStalled(client.socket)) < onTheWayBytesMax, true);
});

test('serveProxy ends chunks without end at the limit of a body', async () => {
  await using under = await proxyUnderTest({ limits: { requestBodyBytesMax: 1024 * 1024 } });
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
  for (let sent = 0; sent < 100 && !client.isClosed; sent++) client.send(chunk);
  const response = await client.response();
  equal(response?.status, 413);
  match(response.body, /body_too_large/);
  equal(under.origin.requests.length, 0);
  await eventually(() => under.origin.sockets.size === 0);
});

test('serveProxy makes few chunks of a flood of tiny ones', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  const count = 50_000;
  client.send(
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`,
  );
  equal((await client.response())?.status, 200);
  equal(under.origin.requests[0]!.body, 'x'.repeat(count));
  equal(under.origin.bytes.length < count * 1.2, true);
});

test('serveProxy lets the origin go when the client leaves in the middle of a body or an answer', async () => {
  await using under = await proxyUnderTest();
  using uploading = await under.connect();
  uploading.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc');
  await eventually(() => under.origin.bytes.endsWith('abc'));
  uploading.socket.destroy();
  await eventually(() => under.origin.sockets.size === 0);

  under.origin.reply = (_, socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc');
  using downloading = await under.connect();
  downloading.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => downloading.received.endsWith('abc'));
  downloading.socket.destroy();
  await eventually(() => under.origin.sockets.size === 0);
  await eventually(() => under.proxy.stats().connections === 0);
  equal(under.proxy.stats().requests, 0);
});

test('serveProxy passes pieces on as they come, both ways', async () => {
  await using under = await proxyUnderTest();
  under.origin.onConnection = (socket) => {
    socket.removeAllListeners('data');
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString();
      if (text.includes('ping')) socket.write('4\r\npong\r\n');
    });
  };
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  await eventually(() => client.received.includes('200 OK'));
  for (let round = 1; round <= 3; round++) {
    client.send('4\r\nping\r\n');
    await eventually(() => client.received.split('pong').length === round + 1, 'an echo');
  }
});
