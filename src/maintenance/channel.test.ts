import { deepEqual, equal, rejects } from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { Channel } from './channel.ts';
import { messageBytesMax, pieceBytesMax } from './limits.ts';

test('Channel carries messages and pieces of any length in order', async () => {
  const [near, far] = duplexPair();
  const [sender, receiver] = [new Channel(near), new Channel(far)];
  const bytes = Buffer.alloc(pieceBytesMax * 2 + 7, 'abc');
  const sent = (async () => {
    await sender.send({ hello: 'wörld' });
    await sender.sendPiece(100, bytes);
    sender.end();
  })();
  deepEqual(await receiver.receive(), { message: { hello: 'wörld' } });
  const pieces: Buffer[] = [];
  let at = 100;
  for (let frame = await receiver.receive(); frame !== undefined; frame = await receiver.receive()) {
    const { offset, bytes: piece } = (frame as { piece: { offset: number; bytes: Buffer } }).piece;
    deepEqual(offset, at);
    at += piece.length;
    pieces.push(Buffer.from(piece));
  }
  await sent;
  deepEqual(Buffer.concat(pieces).equals(bytes), true);
});

const frame = (length: number, kind: number, body = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(length);
  head[4] = kind;
  return Buffer.concat([head, body]);
};

for (const [what, bytes, message] of [
  ['a message that is too long', frame(messageBytesMax + 1, 1), /a frame is not valid/],
  ['a piece that is too long', frame(pieceBytesMax + 9, 2), /a frame is not valid/],
  ['a piece without a place', frame(3, 2, Buffer.alloc(3)), /a frame is not valid/],
  ['a kind that does not exist', frame(1, 7, Buffer.alloc(1)), /a frame is not valid/],
  ['a message that is not JSON', frame(2, 1, Buffer.from('{,')), /a message is not JSON/],
  ['a frame that is cut off', frame(10, 1, Buffer.from('{')), /closed before the work was done/],
  ['a head that is cut off', Buffer.from([1, 0]), /closed before the work was done/],
] as const) {
  test(`Channel refuses ${what}`, async () => {
    const [near, far] = duplexPair();
    near.end(bytes);
    await rejects(new Channel(far).receive(), message);
  });
}

test('Channel leaves nothing behind on its stream, however many pieces it sends', async () => {
  const [near, far] = duplexPair();
  const [sender, receiver] = [new Channel(near), new Channel(far)];
  const count = (): number => near.eventNames().reduce((sum, name) => sum + near.listenerCount(name), 0);
  const send = async (pieces: number): Promise<void> => {
    const sent = sender.sendPiece(0, Buffer.alloc(pieces * pieceBytesMax));
    for (let piece = 0; piece < pieces; piece++) await receiver.receive();
    await sent;
  };
  await send(1);
  const before = count();
  await send(20);
  equal(count(), before);
});

test('Channel fails whoever sends to a peer that is gone, instead of waiting for it', async () => {
  const [near, far] = duplexPair();
  const sender = new Channel(near);
  const sending = sender.sendPiece(0, Buffer.alloc(pieceBytesMax * 4));
  near.destroy();
  far.destroy();
  await rejects(sending, { code: 'CONNECTION_CLOSED' });
});
