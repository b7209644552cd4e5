import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkedDecoder } from './chunked-decoder.ts';

/** Decodes the text in chunks of this many bytes. */
function decode(text: string, pieceBytes: number): { body: string; rest: string; state: string } {
  const decoder = new ChunkedDecoder();
  let body = '';
  for (let at = 0; at < text.length; at += pieceBytes) {
    const piece = Buffer.from(text.slice(at, at + pieceBytes), 'latin1');
    body += decoder.decode(piece).toString('latin1');
    if (decoder.isBroken) return { body, rest: '', state: 'broken' };
    if (decoder.isDone) {
      const rest = piece.subarray(decoder.restOffset).toString('latin1') + text.slice(at + pieceBytes);
      return { body, rest, state: 'done' };
    }
  }
  return { body, rest: '', state: 'open' };
}

const whole: Readonly<Record<string, readonly [body: string, rest: string]>> = {
  '0\r\n\r\n': ['', ''],
  '5\r\nhello\r\n0\r\n\r\nrest': ['hello', 'rest'],
  '5\r\nhello\r\n6;a="b"\r\n world\r\n0\r\n\r\n\r\n\r\n': ['hello world', '\r\n\r\n'],
  '2\r\n\r\n\r\n0\r\nA: b\r\nC: d\r\n\r\nGET': ['\r\n', 'GET'],
  '00A\r\n0123456789\r\n0;x\r\nX-Y: z\r\n\r\n': ['0123456789', ''],
};

test('ChunkedDecoder gives the same result wherever the bytes are cut', () => {
  for (const [text, [body, rest]] of Object.entries(whole)) {
    for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
      deepEqual(
        decode(text, pieceBytes),
        { body, rest, state: 'done' },
        `${JSON.stringify(text)} by ${pieceBytes}`,
      );
    }
  }
});

test('ChunkedDecoder fails in the same way wherever the bytes are cut', () => {
  const broken = [
    '5\nhello',
    '5\r\nhelloX',
    'g\r\n',
    ';\r\n',
    '1 \r\na',
    '0\r\nA\r\n\r\n',
    '0\r\nHost: a\r\n\r\n',
    '0\r\nA: b\n\r\n\r\n',
    '0\r\n A: b\r\n\r\n',
  ];
  for (const text of broken) {
    for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
      equal(decode(text, pieceBytes).state, 'broken', `${JSON.stringify(text)} by ${pieceBytes}`);
    }
  }
});

test('ChunkedDecoder is not done before the last byte', () => {
  const text = '5\r\nhello\r\n0\r\nA: b\r\n\r\n';
  for (let length = 0; length < text.length; length++) equal(decode(text.slice(0, length), 3).state, 'open');
});

test('ChunkedDecoder bounds extensions and trailers of a whole message', () => {
  equal(decode(`${`1;${'a'.repeat(100)}\r\nx\r\n`.repeat(20)}0\r\n\r\n`, 1_000).state, 'broken');
  equal(decode(`0\r\n${'A: b\r\n'.repeat(5_000)}`, 1_000).state, 'broken');
  equal(decode(`0\r\n${'a'.repeat(9_000)}`, 7).state, 'broken');
});
