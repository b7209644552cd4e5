import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatchedWriter } from './batched-writer.ts';
import { collectGarbage } from '../../../../tools/collect-garbage.ts';

function countUsedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Pair extends Disposable {
  readonly writing: Socket;
  readonly reading: Socket;
}

/** Two ends of a connection; the other end does not read yet. */
async function openPair(): Promise<Pair> {
  const server = createServer({ pauseOnConnect: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const writing = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(writing, 'connect');
  const [reading] = await accepted;
  return {
    writing,
    reading,
    [Symbol.dispose]() {
      writing.destroy();
      reading.destroy();
      server.close();
    },
  };
}

const digits = Array.from('0123456789', (digit) => Buffer.from(digit));
const filler = 'f'.repeat(64 * 1024);

/** Writes until the system accepts no more, and returns how often. */
async function fill({ writing }: Pair): Promise<number> {
  let count = 0;
  for (; writing.writableLength === 0; count++) {
    writing.write(filler, 'latin1');
    await nextTurn();
  }
  return count;
}

test('BatchedWriter takes at most three times the bytes of small parts that wait, and writes them all in order', async () => {
  // The minimum of several runs: memory that Node itself allocates in between is not the writer's.
  const measured = [await writeSmallParts(), await writeSmallParts(), await writeSmallParts()];
  const used = Math.min(...measured);
  ok(used <= 3 * smallPartsBytes, `${measured.join(', ')} bytes for ${smallPartsBytes}`);
});

const partCount = 10_000;
const smallPartsBytes = partCount * '1\r\nx\r\n'.length;

/** Returns the memory in bytes that the writes take while they wait. */
async function writeSmallParts(): Promise<number> {
  using pair = await openPair();
  const writer = new BatchedWriter(pair.writing);
  const filled = await fill(pair);
  const before = countUsedBytes();
  for (let index = 0; index < partCount; index++) {
    writer.writeChunk(digits[index % 10]!);
    writer.flushPart();
  }
  const used = countUsedBytes() - before;
  let expected = '';
  for (let index = 0; index < partCount; index++) expected += `1\r\n${index % 10}\r\n`;
  writer.writeText('end');
  writer.flush();
  pair.writing.end();
  let received = '';
  pair.reading.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
  pair.reading.resume();
  await once(pair.reading, 'end');
  equal(received.length, filled * filler.length + smallPartsBytes + 'end'.length);
  ok(received.endsWith(`${expected}end`));
  return used;
}

test('BatchedWriter writes what it gathered when the write before is done', async () => {
  using pair = await openPair();
  const writer = new BatchedWriter(pair.writing);
  const filled = await fill(pair);
  for (const text of ['a', 'b', 'c']) {
    writer.writeText(text);
    writer.flushPart();
  }
  writer.writeText('dropped');
  writer.discard();
  let received = '';
  const { promise, resolve } = Promise.withResolvers<void>();
  pair.reading.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
    if (received.endsWith('abc')) resolve();
  });
  pair.reading.resume();
  await promise;
  equal(received.length, filled * filler.length + 3);
});
