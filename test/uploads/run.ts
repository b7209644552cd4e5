/**
 * `npm run verify -- uploads`: files of twelve kinds from 1 KB to 100 MB through a protected site, and texts up to the
 * inspection limit. Fails if one does not pass, or if memory grows with the length of the upload.
 *
 *     npm run verify -- uploads
 *     npm run verify -- uploads --megabytes 10      up to that length
 */
import { deepEqual, ok } from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { createForm, fileKinds, textKinds, type UploadKind } from './kinds.ts';
import { UploadSweep } from './sweep.ts';

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '100' } } });
const megabyte = 1_000_000;
const inspectionBytesMax = 1024 * 1024;
const fileSizes = [1_000, 100_000, megabyte, 10 * megabyte, 100 * megabyte].filter(
  (size) => size <= Number(values.megabytes) * megabyte,
);
const textSizes = [1_000, 65_000, 250_000, megabyte];

/**
 * How much more memory the edge may use for the longest upload than for one of a megabyte: buffers of sockets and of
 * the disk.
 */
const grownBytesMax = 48 * megabyte;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await using sweep = await UploadSweep.open(inspectionBytesMax);

async function uploadAll(kind: UploadKind, sizes: readonly number[]): Promise<void> {
  const cells: string[] = [];
  let rssAtMegabyte = 0;
  for (const size of sizes) {
    const { status, sentBytes, gotBytes, cpuMs, rssMax } = await sweep.upload(kind, size);
    deepEqual([status, gotBytes], [200, sentBytes], `${kind.name} of ${sentBytes} bytes`);
    if (size <= megabyte) rssAtMegabyte = Math.max(rssAtMegabyte, rssMax);
    const grown = rssMax - rssAtMegabyte;
    ok(grown < grownBytesMax, `${kind.name} of ${sentBytes} bytes: memory grew by ${grown} bytes`);
    const perMegabyte = size < megabyte ? '' : ` (${((cpuMs * megabyte) / sentBytes).toFixed(1)} ms per MB)`;
    cells.push(`${cpuMs.toFixed(0)} ms${perMegabyte}, ${Math.round(rssMax / megabyte)} MB`);
  }
  say(`| ${kind.name} | ${cells.join(' | ')} |`);
}

// One-time compilation and allocation of the process does not count as part of an upload.
for (const kind of [...fileKinds, ...textKinds]) await sweep.upload(kind, megabyte);
say(
  `CPU time of the edge and its resident memory, which are those of all its threads, by kind and bytes sent`,
);
say(`| kind | ${fileSizes.join(' | ')} |\n|---${'|---'.repeat(fileSizes.length)}|`);
for (const kind of fileKinds) await uploadAll(kind, fileSizes);
say(`\n| kind | ${textSizes.join(' | ')} |\n|---${'|---'.repeat(textSizes.length)}|`);
for (const kind of textKinds) await uploadAll(kind, textSizes);
for (const size of fileSizes) {
  const { status } = await sweep.upload(createForm('; cat /etc/passwd'), size);
  ok(status === 403, `an attack in a field behind a file of ${size} bytes: ${status}`);
}
say('\nan attack in a field behind a file is stopped at every length');
