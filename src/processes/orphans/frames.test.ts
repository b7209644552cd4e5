import { deepEqual } from 'node:assert/strict';
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
    const frames = new Frames((message) => taken.push(message));
    for (let at = 0; at < bytes.length; at += size) frames.add(bytes.subarray(at, at + size));
    deepEqual(taken, messages, `in pieces of ${size}`);
  }
});
