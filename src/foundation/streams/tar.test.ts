import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { fillBlock, readTar, tarEnd, writeTarHead } from './tar.ts';

const files = [
  { path: 'a', content: Buffer.from('x'.repeat(512)) },
  { path: `${'folder/'.repeat(20)}ä`, content: Buffer.from('long path'), comment: '{"from":9}' },
  { path: 'empty', content: Buffer.alloc(0), comment: 'c'.repeat(95) },
];

function writeTar(): Buffer {
  const parts = files.flatMap(({ content, ...file }) => {
    const bytes = content.length;
    return [writeTarHead({ ...file, bytes }), content, fillBlock(bytes)];
  });
  return Buffer.concat([...parts, tarEnd]);
}

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test('readTar reads what writeTarHead describes, however the stream is cut into pieces', async () => {
  for (const length of [1, 7, 512, 100_000]) {
    const read = [];
    for await (const { path, comment, content } of readTar(cut(writeTar(), length))) {
      const bytes = Buffer.concat(await Array.fromAsync(content));
      read.push({ path, content: bytes, ...(comment === undefined ? {} : { comment }) });
    }
    deepEqual(read, files);
  }
});

test('readTar skips what is not read', async () => {
  const paths = [];
  for await (const { path, content } of readTar(cut(writeTar(), 100))) {
    paths.push(path);
    for await (const _ of content) break;
  }
  deepEqual(
    paths,
    files.map(({ path }) => path),
  );
});

/** A head whose sum is right after the change. */
function changeHead(change: (head: Buffer) => void): Buffer {
  const head = Buffer.from(writeTarHead({ path: 'a', bytes: 0 }));
  change(head);
  head.fill(' ', 148, 156);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

function writeRecords(text: string): Buffer {
  const content = Buffer.from(text);
  const head = changeHead((block) => {
    block.write('x', 156);
    block.write(content.length.toString(8).padStart(11, '0'), 124);
  });
  return Buffer.concat([head, content, fillBlock(content.length)]);
}

const listPaths = async (...parts: readonly Uint8Array[]): Promise<string[]> =>
  (await Array.fromAsync(readTar([...parts, tarEnd]))).map(({ path }) => path);

test('readTar refuses an archive that another program may read otherwise', async () => {
  const head = Buffer.from(writeTarHead({ path: 'a', bytes: 0 }));
  deepEqual(await listPaths(head), ['a']);
  head.write('b');
  await rejects(listPaths(head), /not a tar archive/, 'the sum is of another name');
  await rejects(listPaths(changeHead((block) => block.write('0x7', 124))), /not a tar archive/);
  for (const records of ['8 path=b\n', '12 path=b\n', 'path=b\n', '-9 path=b\n'])
    await rejects(listPaths(writeRecords(records), head), /a record has another length/, records);
  await rejects(
    listPaths(
      writeRecords('10 size=x\n'),
      changeHead(() => {}),
    ),
    /a size is not a number/,
  );
  const longName = changeHead((block) => {
    block.write('L', 156);
    block.write('77777777777', 124);
  });
  await rejects(listPaths(longName), /a name is too long/);
});

test('readTar reads a record by its length, not by its lines', async () => {
  const path = 'x\n9 path=evil';
  const record = ` path=${path}\n`;
  deepEqual(
    await listPaths(
      writeRecords(`${record.length + 2}${record}`),
      changeHead(() => {}),
    ),
    [path],
  );
});

test('readTar lists regular files only', async () => {
  const link = changeHead((block) => block.write('2', 156));
  deepEqual(
    await listPaths(
      link,
      changeHead((block) => block.write('folder', 345)),
    ),
    ['folder/a'],
  );
});

test('readTar throws if the archive is truncated', async () => {
  const whole = writeTar();
  for (const length of [0, 100, 600, whole.length - tarEnd.length]) {
    await rejects(async () => {
      for await (const { content } of readTar(cut(whole.subarray(0, length), 512)))
        await Array.fromAsync(content);
    }, /is truncated/);
  }
});
