/** The short form of `npm run verify -- uploads`, and the borders of what counts as a file. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedEdge } from '../edge/served-edge.ts';
import { createForm, fileKinds, textKinds, type UploadKind } from './kinds.ts';

const inspectionBytesMax = 1024 * 1024;
const long = 300_000;

let served: ServedEdge;
before(async () => {
  served = await ServedEdge.open({ limits: { inspectionBytesMax } });
  await served.do(`POST /zones/${served.control.zone('enterprise')}/protection`, {
    origin: { url: served.origin.url },
  });
});
after(() => served[Symbol.asyncDispose]());

async function upload(kind: UploadKind, size: number): Promise<{ status: number; bytes: number }> {
  const body = Buffer.concat([...kind.listPieces(size)]);
  const { status } = await served.send('/files', { method: 'PUT', headers: kind.headers, body });
  return { status, bytes: body.length };
}

test('files of twelve kinds pass a protected site, however long they are', async () => {
  equal(fileKinds.length, 12);
  for (const kind of fileKinds)
    for (const size of [1_000, 100_000, 2_000_000]) {
      const { status, bytes } = await upload(kind, size);
      deepEqual([status, served.origin.take().at(-1)?.body.length], [200, bytes], `${kind.name} of ${size}`);
    }
});

test('texts pass as long as rules read them, and are judged to their end', async () => {
  for (const kind of textKinds)
    for (const size of [1_000, 1_000_000]) equal((await upload(kind, size)).status, 200, kind.name);
  for (const kind of textKinds) {
    const [text] = [...kind.listPieces(900_000)] as [Buffer];
    const at = Math.max(text.lastIndexOf('for rainy days'), text.lastIndexOf('for+rainy+days'));
    const attack = Buffer.concat([
      text.subarray(0, at),
      Buffer.from("x'union/**/select+2--"),
      text.subarray(at),
    ]);
    const { status } = await served.send('/files', { method: 'PUT', headers: kind.headers, body: attack });
    equal(status, 403, `an attack at the end of a ${kind.name}`);
  }
});

test('a text that is longer is stopped, and its event says which part was read', async () => {
  const [text] = [...textKinds[0]!.listPieces(1_200_000)] as [Buffer];
  const answer = await served.send('/files', { headers: textKinds[0]!.headers, body: text });
  equal(answer.status, 403);
  const [event] = await served.eventsOf(answer);
  equal(event!.ruleId, 'inspection-limit');
  match(event!.description, new RegExp(`they read the first 1048576 of its ${text.length} bytes$`));
});

test('an attack in a field behind a file is stopped', async () => {
  for (const size of [1_000, long, 10_000_000])
    equal((await upload(createForm('; cat /etc/passwd'), size)).status, 403, String(size));
});

test('only files pass without a limit: not by a type, not by letters that begin one, not in another charset', async () => {
  const text = 'a text of ordinary words. '.repeat(60_000);
  const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
  const bodies: readonly (readonly [name: string, type: string, body: Buffer])[] = [
    ['text as a photo', 'image/jpeg', Buffer.from(text)],
    ['text behind the letters of a PDF', 'application/pdf', Buffer.from(`%PDF-1.7\n${text}`)],
    ['text behind the letters of a sound', 'audio/mpeg', Buffer.from(`ID3=1&q=${text}`)],
    ['a picture as JSON', 'application/json', Buffer.from(png + text, 'latin1')],
    ['a picture as a form', 'application/x-www-form-urlencoded', Buffer.from(png + text, 'latin1')],
    ['text in UTF-16', 'application/octet-stream', Buffer.from(text, 'utf16le')],
    ['MessagePack', 'application/msgpack', Buffer.from(`\x81\xa1a\xdb\0\x17\0\0${text}`, 'latin1')],
  ];
  for (const [name, type, body] of bodies) {
    const { status } = await served.send('/files', { headers: { 'content-type': type }, body });
    equal(status, 403, name);
  }
  const picture = Buffer.from(png + text, 'latin1');
  equal(
    (await served.send('/files', { headers: { 'content-type': 'image/png' }, body: picture })).status,
    200,
  );
});
