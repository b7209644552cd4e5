/**
 * Traffic from a file that can be read repeatedly: a log is read line by line, so its size does not matter. The format
 * is detected from the first lines unless it is given.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { harBytesMax, lineCharactersMax } from '../limits.ts';
import { RehearsalError } from '../rehearsal-error.ts';
import { isAccessLogLine, readAccessLogLine } from './access-log-line.ts';
import { readHar, readHarEntry } from './har.ts';
import { readHttpFile } from './http-file.ts';
import { readJsonLine } from './json-line.ts';
import { type ReadEntry, type RequestDefaults, unreadable } from './recorded-request.ts';

export const trafficFormats = ['har', 'log', 'json', 'http'] as const;
export type TrafficFormat = (typeof trafficFormats)[number];

export interface Traffic {
  readonly file: string;
  readonly format: TrafficFormat;
  readonly bytes: number;
  /** Starts at the beginning each time. `onBytes` receives the number of bytes read. */
  read(onBytes?: (bytes: number) => void): AsyncIterable<ReadEntry>;
}

export interface TrafficOptions {
  readonly file: string;
  readonly format?: TrafficFormat | undefined;
  /** The host of requests whose source does not contain it. */
  readonly zoneName: string;
  /** Replaces the host of every request. */
  readonly host?: string | undefined;
  /** The client of requests whose source does not contain it. */
  readonly ip?: string | undefined;
}

/** Reserved for documentation, so no list or rule of a zone contains it. */
const unknownAddress = '192.0.2.1';

export async function openTraffic(options: TrafficOptions): Promise<Traffic> {
  const { file, zoneName, host, ip = unknownAddress } = options;
  const { size: bytes } = await statFile(file);
  const format = options.format ?? (await detectFormat(file));
  const defaults: RequestDefaults = { host: zoneName, hostOverride: host?.toLowerCase(), ip };
  if (format === 'log' || format === 'json') {
    const readLine = format === 'log' ? readAccessLogLine : readJsonLine;
    return {
      file,
      format,
      bytes,
      read: (onBytes) => readLines(file, (line) => readLine(line, defaults), onBytes),
    };
  }
  if (bytes > harBytesMax) {
    throw new RehearsalError(
      `${file} is longer than ${harBytesMax / 1024 ** 2} MiB, the limit for files of this kind: split it`,
    );
  }
  const entries =
    format === 'http'
      ? readHttpFile(await readFile(file, 'latin1'), {
          defaults,
          readIncluded: (path) => readIncluded(resolve(dirname(file), path)),
        })
      : readHar(await readFile(file, 'utf8'), file).map((entry, index) => ({
          ...readHarEntry(entry, defaults),
          at: `entry ${index + 1}`,
        }));
  return {
    file,
    format,
    bytes,
    async *read(onBytes) {
      yield* entries;
      onBytes?.(bytes);
    },
  };
}

/** The body of a request in a separate file. */
function readIncluded(path: string): Buffer {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new Error(`there is no file ${path}`);
  if (size > harBytesMax) throw new Error(`${path} is too long for a body`);
  return readFileSync(path);
}

async function statFile(file: string): Promise<{ readonly size: number }> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found;
  } catch (error) {
    throw new RehearsalError(`the traffic file ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  throw new RehearsalError(`the traffic file ${file} is not a file`);
}

async function detectFormat(file: string): Promise<TrafficFormat> {
  const extension = extname(file).toLowerCase();
  if (extension === '.har') return 'har';
  if (extension === '.http' || extension === '.rest') return 'http';
  const start = file.endsWith('.gz') ? await readFirstLine(file) : await readStart(file);
  const [first = ''] = start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1);
  if (isAccessLogLine(first)) return 'log';
  if (/^\{\s*(?:$|"log"\s*:)/.test(first.trimEnd())) return 'har';
  if (first.startsWith('{')) return 'json';
  throw new RehearsalError(
    `${file} is neither an HTTP archive, nor an access log in the common or combined format, nor lines of JSON, nor a .http file: its first line is ${JSON.stringify(first.slice(0, 80))}; name the format with --format`,
  );
}

async function readStart(file: string): Promise<string> {
  await using handle = await open(file);
  const buffer = Buffer.alloc(64 * 1024);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function readFirstLine(file: string): Promise<string> {
  for await (const line of openLines(file).lines) return line;
  return '';
}

function openLines(file: string, onBytes?: (bytes: number) => void) {
  const source = createReadStream(file);
  if (onBytes !== undefined) source.on('data', () => onBytes(source.bytesRead));
  const content = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => content.destroy(error));
  return { lines: createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY }), source };
}

async function* readLines(
  file: string,
  read: (line: string) => ReadEntry,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<ReadEntry, void> {
  const { lines, source } = openLines(file, onBytes);
  let number = 0;
  try {
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const entry = line.length > lineCharactersMax ? unreadable('it is too long') : read(line);
      yield { ...entry, at: `line ${number}` };
    }
  } finally {
    source.destroy();
  }
}
