/** Frames between the processes of a program and between the hosts of a cluster: `src/runtime/rpc/link/frames.ts`. */
import { deepEqual } from 'node:assert/strict';
import { LinkReader, LinkProtocolError } from '../../src/runtime/rpc/link/frames.ts';

/** A frame: length, type, how many numbers, the numbers, then parts with their lengths. */
function makeFrame(type: number, numbers: readonly number[], parts: readonly string[]): Buffer {
  const body = Buffer.concat([
    Buffer.from([type, numbers.length]),
    ...numbers.map((number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(number);
      return bytes;
    }),
    ...parts.map((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(part.length);
      return Buffer.concat([length, Buffer.from(part)]);
    }),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

export const frameSeeds = [
  makeFrame(1, [1, 2], ['method', 'arguments']),
  Buffer.concat([makeFrame(2, [], []), makeFrame(3, [7], [''])]),
];

/** The same frames, or the same refusal, wherever the bytes are split. */
export function checkFrames(input: Buffer): void {
  const expected = readFrames(input, input.length);
  for (const size of [1, 5]) deepEqual(readFrames(input, size), expected);
}

function readFrames(input: Buffer, size: number): unknown[] {
  const frames: unknown[] = [];
  const reader = new LinkReader((frame) => frames.push(frame));
  try {
    for (let at = 0; at < input.length; at += Math.max(1, size)) reader.push(input.subarray(at, at + size));
  } catch (error) {
    if (!(error instanceof LinkProtocolError)) throw error;
    frames.push('refused');
  }
  return frames;
}
