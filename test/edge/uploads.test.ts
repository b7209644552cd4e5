/**
 * Uploads through a zone whose rules inspect bodies: files of forms do not count as text, and every field is judged.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { RawClient } from './wire/raw-client.ts';
import { type Answer, ServedEdge } from './served-edge.ts';

const megabyte = 1024 * 1024;
const uploadBytesMax = 24 * megabyte;
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-uploads-'));

/** Computes a digest of each body, whatever its length, and counts started requests. */
const got: { digest: string; bytes: number }[] = [];
let begun = 0;
const origin = createServer((incoming, response) => {
  begun++;
  const hash = createHash('sha256');
  let bytes = 0;
  incoming.on('data', (piece: Buffer) => {
    hash.update(piece);
    bytes += piece.length;
  });
  incoming.on('end', () => {
    got.push({ digest: hash.digest('hex'), bytes });
    response.end('ok');
  });
});

let served: ServedEdge;
before(async () => {
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  // A file of a process that was killed before it could remove the name.
  writeFileSync(join(directory, `upload-${'0'.repeat(32)}`), '');
  served = await ServedEdge.open({ limits: { uploadBytesMax }, uploadDirectory: directory });
  await served.serve('enterprise', {
    origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` },
    over_inspection_limit: 'block',
  });
  const zone = `/zones/${served.control.zone('enterprise')}`;
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      'any(http.request.body.multipart["comment"][*] contains "casino")',
      'any(http.request.body.multipart.filenames[*][*] eq "shell.php")',
      'http.request.body.raw contains "marker of a file"',
      'http.request.uri.path eq "/size" and http.request.body.size gt 3000000',
    ].map((expression) => ({ action: 'block', expression, description: expression })),
  });
});
after(async () => {
  await served[Symbol.asyncDispose]();
  origin.closeAllConnections();
  origin.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  got.length = 0;
  begun = 0;
});

const boundary = '----gatehouse7MA4YWxkTrZu0gW';
const type = `multipart/form-data; boundary=${boundary}`;
const field = (name: string, content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const fileHead = (name = 'photo.jpg'): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

function form(content: Buffer, { first = '', last = '', name = 'photo.jpg' } = {}): Buffer {
  return Buffer.concat([
    Buffer.from(first + fileHead(name)),
    content,
    Buffer.from(last === '' ? end : `\r\n${last}--${boundary}--\r\n`),
  ]);
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function post(body: Buffer, path = '/upload'): Promise<Answer> {
  return served.send(path, { headers: { 'content-type': type }, body });
}

/** Without a length, in pieces. */
async function postChunked(body: Buffer, piece = 100_000): Promise<number> {
  const outgoing = request({
    port: served.port,
    host: '127.0.0.1',
    agent: false,
    path: '/upload',
    method: 'POST',
    headers: { host: served.host('enterprise'), 'content-type': type },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (let at = 0; at < body.length; at += piece) {
    if (!outgoing.write(body.subarray(at, at + piece))) await once(outgoing, 'drain');
  }
  outgoing.end();
  const [incoming] = await answered;
  incoming.resume();
  return incoming.statusCode!;
}

/** No trace of any upload is left, on disk or in the count. */
async function allFreed(): Promise<void> {
  await eventually(() => served.edge.stats().proxy.uploadBytes === 0, 'the room of uploads');
  deepEqual(readdirSync(directory), []);
}

for (const size of [100_000, megabyte, 20 * megabyte]) {
  test(`a form with a file of ${size} bytes passes as it was, with a length and without`, async () => {
    const body = form(randomBytes(size), { first: field('comment', 'hello'), last: field('note', 'bye') });
    const answer = await post(body);
    deepEqual([answer.status, await served.eventsOf(answer)], [200, []]);
    equal(await postChunked(body), 200);
    deepEqual(got, [
      { digest: digestOf(body), bytes: body.length },
      { digest: digestOf(body), bytes: body.length },
    ]);
    await allFreed();
  });
}

test('a form that fetch makes passes', async () => {
  const data = new FormData();
  data.append('comment', 'hello');
  data.append('file', new Blob([randomBytes(2 * megabyte)], { type: 'video/mp4' }), 'über film.mp4');
  data.append('note', 'bye');
  const made = new Request('http://127.0.0.1/', { method: 'POST', body: data });
  const body = Buffer.from(await made.arrayBuffer());
  const answer = await served.send('/upload', {
    headers: { 'content-type': made.headers.get('content-type')! },
    body,
  });
  deepEqual([answer.status, got], [200, [{ digest: digestOf(body), bytes: body.length }]]);
});

test('a field behind a file is judged before the origin gets anything, and its event names it', async () => {
  for (const size of [megabyte, 10 * megabyte]) {
    const body = form(randomBytes(size), { first: field('a', 'b'), last: field('comment', 'my casino') });
    const answer = await post(body);
    deepEqual([answer.status, begun], [403, 0]);
    const [event] = await served.eventsOf(answer);
    equal(event!.action, 'block');
    ok(JSON.stringify(event).includes('comment'), JSON.stringify(event));
    equal(await postChunked(body), 403);
    equal(begun, 0);
  }
  await allFreed();
});

test('fields before a file, file names, and the beginning of a file are judged', async () => {
  const content = randomBytes(megabyte);
  equal((await post(form(content, { first: field('comment', 'casino') }))).status, 403);
  equal((await post(form(content, { name: 'shell.php' }))).status, 403);
  equal((await post(form(Buffer.concat([Buffer.from('a marker of a file'), content])))).status, 403);
  equal((await post(form(Buffer.alloc(4 * megabyte)), '/size')).status, 403);
  equal(begun, 0);
  equal((await post(form(Buffer.alloc(2 * megabyte)), '/size')).status, 200);
});

test('texts count: a long field behind a file, and what is no file to every reader, is over the limit', async () => {
  const long = 'x'.repeat(200_000);
  const file = randomBytes(megabyte);
  const bodies = {
    'long field': form(file, { last: field('note', long) }),
    'empty file name': form(file, { name: '' }),
    'not closed': form(file).subarray(0, -end.length),
    'something behind': Buffer.concat([form(file), Buffer.from('more')]),
    'a delimiter inside a line': form(Buffer.concat([file, Buffer.from(`x--${boundary}\r\n`)])),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await post(body);
    deepEqual([answer.status, begun], [403, 0], name);
    deepEqual(
      (await served.eventsOf(answer)).map(({ ruleId }) => ruleId),
      ['inspection-limit'],
      name,
    );
  }
  await allFreed();
});

test('where the zone lets long bodies pass, an unclear form streams on whole', async () => {
  const zone = { origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` } };
  await served.serve('enterprise', { ...zone, over_inspection_limit: 'log' });
  const half = randomBytes(3 * megabyte);
  const body = form(Buffer.concat([half, Buffer.from(`x--${boundary}\r\n`), half]));
  const answer = await post(body);
  deepEqual([answer.status, got], [200, [{ digest: digestOf(body), bytes: body.length }]]);
  deepEqual(
    (await served.eventsOf(answer)).map(({ ruleId, action }) => [ruleId, action]),
    [['inspection-limit', 'log']],
  );
  await served.serve('enterprise', { ...zone, over_inspection_limit: 'block' });
  await allFreed();
});

test('an upload waits in a file without a name, and is gone with its client', async () => {
  using client = await RawClient.connect(served.port);
  const body = form(randomBytes(5 * megabyte));
  client.send(
    `POST /upload HTTP/1.1\r\nHost: ${served.host('enterprise')}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  client.socket.write(body.subarray(0, -1));
  await eventually(() => served.edge.stats().proxy.uploadBytes === body.length - 1, 'the upload');
  // A process that is killed now leaves no files behind.
  deepEqual([readdirSync(directory), begun], [[], 0]);
  client[Symbol.dispose]();
  await allFreed();
  equal(begun, 0);
});

test('uploads at once share the room; those beyond it get 503 and when to try again, and are counted', async () => {
  const body = form(randomBytes(10 * megabyte));
  using first = await RawClient.connect(served.port);
  using second = await RawClient.connect(served.port);
  const head = `POST /upload HTTP/1.1\r\nHost: ${served.host('enterprise')}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (const client of [first, second]) {
    client.send(head);
    client.socket.write(body.subarray(0, -1));
  }
  await eventually(() => served.edge.stats().proxy.uploadBytes === 2 * (body.length - 1), 'both uploads');
  const refused = await post(body);
  deepEqual([refused.status, refused.headers['retry-after']], [503, '10']);
  equal(JSON.parse(refused.body).error.code, 'uploads_too_busy');
  equal(served.edge.stats().proxy.refusals.uploads_too_busy, 1);
  for (const client of [first, second]) {
    client.socket.write(body.subarray(-1));
    equal((await client.response('POST'))?.status, 200);
  }
  const small = form(randomBytes(megabyte));
  const all = await Promise.all(Array.from({ length: 20 }, () => post(small)));
  deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  equal(got.length, 22);
  await allFreed();
});
