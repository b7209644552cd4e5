import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readFormBoundary, readForm } from './form.ts';

const boundary = 'b-1';

function form(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`);
}

const head = 'Content-Disposition: form-data; name="a"';

test('readForm reads what undici writes, names and bytes as they are', async () => {
  const data = new FormData();
  data.set('metadata', '{"a":1}');
  data.set(
    './x"y.bin',
    new File([new Uint8Array([13, 10, 45, 45, 0, 255])], 'f', { type: 'Application/Wasm' }),
  );
  const sent = new Response(data);
  const found = readFormBoundary(sent.headers.get('content-type')!);
  const parts = readForm(new Uint8Array(await sent.arrayBuffer()), found!);
  if ('problem' in parts) throw new Error(parts.problem);
  deepEqual(
    parts.map(({ name, filename, type, bytes }) => [name, filename, type, [...bytes]]),
    [
      ['metadata', undefined, '', [...Buffer.from('{"a":1}')]],
      ['./x"y.bin', 'f', 'application/wasm', [13, 10, 45, 45, 0, 255]],
    ],
  );
});

test('readForm refuses what is cut off, has too many parts, or could be read in two ways', () => {
  const refused: [bytes: Buffer, problem: RegExp][] = [
    [Buffer.from('x'), /begin with its boundary/],
    [form(`${head}\r\n\r\nabc`).subarray(0, -6), /neither a part nor the end|cut off/],
    [form(`${head}\r\n\r\nabc`).subarray(0, 40), /cut off/],
    [form('no head'), /no head/],
    [form('Content-Disposition: form-data\r\n\r\nabc'), /no name/],
    [form(`${head}\r\n${head}\r\n\r\nabc`), /two fields/],
    [form(`${head}\r\nContent-Transfer-Encoding: base64\r\n\r\nabc`), /transfer encoding/],
    [form(`a b c\r\n\r\nabc`), /not valid HTTP/],
    [form(...Array.from({ length: 2_001 }, () => `${head}\r\n\r\n`)), /more than 2000 parts/],
  ];
  for (const [bytes, problem] of refused) {
    const read = readForm(bytes, boundary);
    equal('problem' in read && problem.test(read.problem), true, JSON.stringify(read).slice(0, 200));
  }
});

test('readFormBoundary reads the boundary of forms only', () => {
  equal(readFormBoundary('multipart/form-data; boundary=abc'), 'abc');
  equal(readFormBoundary('Multipart/Form-Data; charset=utf-8; Boundary="a b"'), 'a b');
  for (const type of [
    'multipart/mixed; boundary=abc',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    '',
  ])
    equal(readFormBoundary(type), undefined, type);
});
