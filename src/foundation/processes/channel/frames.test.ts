import { deepEqual, throws } from 'node:assert/strict';
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { Frames, writeFrame } from './frames.ts';

test('Frames gives the messages that were written, however the stream is cut', () => {
  const written: Buffer[] = [];
  const sink = new Duplex({
    read() {},
    write(piece: Buffer, _encoding, done) {
      written.push(piece);
      done();
    },
  });
  const messages = [
    { kind: 'ready', value: undefined },
    new Uint8Array(70_000).fill(7),
    '',
    { list: [1, 2] },
  ];
  for (const message of messages) writeFrame(sink as unknown as Socket, message);
  const bytes = Buffer.concat(written);
  for (const size of [1, 3, 4, 5, 1_000, bytes.length]) {
    const taken: unknown[] = [];
    const frames = new Frames(Infinity);
    for (let at = 0; at < bytes.length; at += size) {
      frames.add(bytes.subarray(at, at + size));
      for (let next = frames.next(); next !== undefined; next = frames.next()) taken.push(next.message);
    }
    deepEqual(taken, messages, `in pieces of ${size}`);
  }
});

test('Frames refuses a message that is too long before it has come, and one that is not a value', () => {
  const cases = { long: [0x01, 0, 0, 0x7f], damaged: [3, 0, 0, 0, 0xff, 0x0f, 0x21], empty: [0, 0, 0, 0] };
  for (const [name, bytes] of Object.entries(cases)) {
    const frames = new Frames(1_000);
    frames.add(Buffer.from(bytes));
    throws(() => frames.next(), { name: 'ProtocolError' }, name);
  }
});
