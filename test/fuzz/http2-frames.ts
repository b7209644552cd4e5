/** Frames of HTTP/2 that follow a client's preface: `src/traffic/http2`. */
import { deepEqual, ok } from 'node:assert/strict';
import { Http2Session } from '#http2';
import {
  clientPreface,
  data,
  frame,
  FrameLog,
  frameType,
  getFields,
  headers,
  ping,
  reset,
  settings,
  windowUpdate,
} from '../../src/traffic/http2/testing.ts';

export const http2Seeds = [
  Buffer.concat([settings([4, 10], [1, 0]), headers(1), windowUpdate(1, 5), ping, headers(3), reset(3)]),
  Buffer.concat([
    settings(),
    headers(1, [...getFields, ['cookie', 'a=b']], { isEnd: false }),
    data(1, 'body'),
    headers(1, [['x-trailer', 'y']]),
  ]),
  Buffer.concat([
    settings(),
    frame(frameType.headers, 1, 1, Buffer.from([0x82, 0x87])),
    frame(
      frameType.continuation,
      4,
      1,
      Buffer.from('A\x8c\xf1\xe3\xc2\xe5\xf2:k\xa0\xab\x90\xf4\xff\x84', 'latin1'),
    ),
    frame(frameType.goaway, 0, 0, Buffer.alloc(8)),
  ]),
];

const streamsMax = 100;

/** For any bytes, split anywhere: the same requests and the same frames, within the windows of the client. */
export function checkHttp2(input: Buffer): void {
  const expected = run(input, input.length);
  for (const size of [1, 7]) deepEqual(run(input, size), expected);
}

function run(input: Buffer, size: number): unknown {
  const events: string[] = [];
  const log = new FrameLog();
  const connection = new Http2Session({
    now: () => 0,
    handler: {
      onRequest(stream, { list, isEnd }) {
        events.push(`request ${stream.id} ${list.entries.length} ${list.isTooLarge} ${isEnd}`);
        return {
          onData(bytes) {
            stream.consume(bytes.length);
            events.push(`data ${stream.id} ${bytes.length}`);
          },
          onEnd() {
            events.push(`end ${stream.id}`);
            stream.sendHead([[':status', '200']]);
            stream.sendData(Buffer.alloc(100));
            stream.end();
          },
          onReset: () => void events.push(`reset ${stream.id}`),
          onDrain() {},
          onSent() {},
        };
      },
      onOutput() {},
      onLimit: (limit) => void events.push(limit),
      onDone: () => void events.push('done'),
    },
  });
  connection.receive(clientPreface);
  for (let at = 0; at < input.length; at += Math.max(1, size))
    connection.receive(input.subarray(at, at + size));
  ok(connection.openStreams <= streamsMax);
  for (let pieces = connection.produce(); pieces !== undefined; pieces = connection.produce())
    for (const piece of pieces) log.push(piece);
  ok(!connection.hasOutput);
  return [events, log.describe(), connection.openStreams, connection.isOver];
}
