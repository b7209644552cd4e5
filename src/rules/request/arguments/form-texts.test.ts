import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { FormTexts } from './form-texts.ts';
import { formFileBytesShown } from '../limits.ts';

const type = 'multipart/form-data; boundary=b0undary';
const limit = 4_096;

interface Read {
  readonly state: string;
  readonly texts: string;
}

/** Reads the body in pieces of `step` bytes. */
function read(body: string, { contentType = type, step = body.length } = {}): Read {
  const form = FormTexts.start([['Content-Type', contentType]], limit);
  if (form === undefined) return { state: 'no form', texts: '' };
  const bytes = Buffer.from(body, 'latin1');
  for (let at = 0; at < bytes.length; at += step) form.push(bytes.subarray(at, at + step));
  return { state: form.state, texts: form.toBuffer().toString('latin1') };
}

const part = (head: string, content: string): string => `--b0undary\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, content);
const fileHead = 'Content-Disposition: form-data; name="f"; filename="photo.jpg"';
const file = (content: string, head = fileHead): string => part(head, content);
const end = '--b0undary--\r\n';
const long = 'x'.repeat(20_000);

test('FormTexts keeps fields before and behind a file, and the beginning of the file, however it is cut', () => {
  const body = field('a', 'one') + file(`${long}\r\n--b0undar`) + field('z', 'two') + end;
  const whole = read(body);
  const texts = whole.texts.split(/x+/);
  deepEqual([whole.state, whole.texts.length, texts.length], ['closed', limit, 2]);
  ok(texts[0]!.startsWith(field('a', 'one')) && texts[1]!.endsWith(field('z', 'two') + end.trimEnd()));
  for (const step of [1, 2, 3, 7, 11, 64, 4_095]) deepEqual(read(body, { step }), whole, `pieces of ${step}`);
});

test('FormTexts shows so much of each file, and less where texts need the room', () => {
  const shown = read(file(long) + end).texts;
  equal(shown.length, Math.min(limit, file('').length + end.trimEnd().length + formFileBytesShown));
  const texts = field('a', 'y'.repeat(limit - 400));
  const { state, texts: all } = read(file(long) + texts + end);
  deepEqual([state, all.length, all.includes(texts)], ['closed', limit, true]);
});

test('FormTexts counts texts only: fields, file names and heads', () => {
  equal(read(field('a', 'y'.repeat(3_900)) + file(long) + end).state, 'closed');
  equal(read(field('a', 'y'.repeat(4_000)) + file(long) + end).state, 'too long');
  equal(read(file(long, fileHead.replace('photo', 'p'.repeat(4_050))) + end).state, 'too long');
});

test('FormTexts takes a part for text unless it is a file to every reader', () => {
  const heads = [
    'Content-Disposition: form-data; name="f"',
    'Content-Disposition: form-data; name="f"; filename=""',
    'Content-Disposition: form-data; name="f"; filename="/"',
    'Content-Disposition: form-data; name="f"; filename*=utf-8\'\'photo.jpg',
    'Content-Disposition: form-data; name="f"; filename="a"; filename*=utf-8\'\'',
    'Content-Disposition: form-data; name="f"; filename="a"; filename=""',
    'Content-Disposition: form-data; name="f"; filename="a\\"b"',
    'Content-Disposition: form-data; filename="a"',
    'Content-Disposition: attachment; name="f"; filename="a"',
    `${fileHead}\r\nContent-Disposition: form-data; name="f"`,
    `Content-Disposition: form-data; name="f"\r\n${fileHead}`,
    `${fileHead}\r\nContent-Type: multipart/mixed; boundary=c`,
    `${fileHead}\r\nContent-Transfer-Encoding: base64`,
    `${fileHead}\r\nX-Other: 1`,
    `${fileHead}\r\n folded`,
    `${fileHead}\n`,
    `X\n\n${fileHead}`,
    '',
  ];
  for (const head of heads) equal(read(file(long, head) + end).state, 'too long', head);
  const files = [
    fileHead,
    `${fileHead}\r\nContent-Type: image/jpeg`,
    `${fileHead}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${long.length}`,
    `content-type: text/plain; charset=utf-8\r\n${fileHead.toLowerCase()}`,
    "Content-Disposition: form-data; name=f; filename=a.png; filename*=utf-8''a.png",
    'Content-Disposition: form-data; name="f"; filename="\xc3\xbc ber.png"\r\nContent-Transfer-Encoding: binary',
  ];
  for (const head of files) equal(read(file(long, head) + end).state, 'closed', head);
});

test('FormTexts calls a form unclear that two readers could read differently', () => {
  const bodies = [
    `before\r\n${file(long)}${end}`,
    `\r\n${file(long)}${end}`,
    `${file(`${long}\n--b0undary\r\n`)}${end}`,
    `${file(`${long}--b0undary`)}${end}`,
    `${file(`${long}\r\n--b0undary \r\n`)}${end}`,
    `${file(`${long}\r\n--b0undaryX\r\n`)}${end}`,
    `${file(long)}${end}after`,
    `${file(long)}${end}${file(long)}${end}`,
    `${file(long, `${fileHead}\r\nContent-Length: 5`)}${end}`,
    end,
    long,
  ];
  for (const body of bodies)
    for (const step of [1, 13, body.length]) equal(read(body, { step }).state, 'unclear');
  equal(read(file(long)).state, 'open', 'never closed');
  equal(read(file(long) + end.trimEnd()).state, 'closed');
});

test('FormTexts starts only for a form that declares its boundary plainly', () => {
  const plain = [
    'multipart/form-data; boundary=b0undary',
    'Multipart/Form-Data;boundary="b0undary"',
    `${type}; charset=UTF-8`,
  ];
  for (const contentType of plain)
    equal(read(file(long) + end, { contentType }).state, 'closed', contentType);
  const others = [
    'multipart/mixed; boundary=b0undary',
    'multipart/form-data',
    'multipart/form-data; boundary=b0undary; boundary=c',
    'multipart/form-data; boundary=b0undary,c',
    'multipart/form-data; boundary = b0undary',
    'multipart/form-data; boundary="b0 undary"',
    `${type}; charset=utf-16`,
  ];
  for (const contentType of others) equal(read(end, { contentType }).state, 'no form', contentType);
  equal(
    FormTexts.start(
      [
        ['content-type', type],
        ['content-type', type],
      ],
      limit,
    ),
    undefined,
  );
  equal(
    FormTexts.start(
      [
        ['content-type', type],
        ['content-encoding', 'gzip'],
      ],
      limit,
    ),
    undefined,
  );
});
