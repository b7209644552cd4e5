/**
 * The ways in which an application may read a body. A body with a declared content coding or charset is decoded
 * accordingly, and so is one whose bytes reveal an undeclared charset. But some applications ignore both, so the bytes
 * as sent are always one of the readings. Rules judge each reading, so they have seen whichever one the application
 * chooses.
 *
 * If a body cannot be decoded within the limits, the result has a reason, and the readings that were possible.
 */
import { lowerAscii } from '#text';
import { isFile, isPacked } from './file-body.ts';
import { joinHeader, parseMediaType } from '../headers.ts';
import { inspectedBodyBytesMax } from '../limits.ts';
import type { Pairs } from '../pairs.ts';
import { decodeCharset, findCharsets, narrowWideRuns } from './charsets.ts';
import { codings, type Decompressed, decompress } from './decompress.ts';
import { codingsMax } from './limits.ts';

export interface BodyReadings {
  /** Binary strings of at most the limit, all different: the declared reading first, the bytes as sent last. */
  readonly texts: readonly string[];
  /** Whether the body is longer than the readings. */
  readonly isTruncated: boolean;
  /** Why an application may see data that no reading contains; undefined if none can. */
  readonly unreadable: string | undefined;
}

interface SentBody {
  readonly bytes: Buffer;
  /** Whether the body is longer than `bytes`. */
  readonly isTruncated: boolean;
  /** Whether `bytes` are all texts of a form without its files: rules need nothing of what is omitted. */
  readonly leavesOutFiles?: boolean;
  /** Length of the whole body, if known. */
  readonly declaredLength?: number | undefined;
  /** The part of each reading that rules inspect; `inspectedBodyBytesMax` by default. */
  readonly bytesMax?: number;
}

const tooLong = 'The body is longer than what rules can look at';

/** Synchronous unless the body is compressed. */
export function readBody(sent: SentBody, headers: Pairs): BodyReadings | Promise<BodyReadings> {
  const declared = listValues(headers, 'content-encoding').flatMap((value) => value.split(','));
  const names = declared.map((name) => lowerAscii(name.trim())).filter(isCoding);
  const { bytes, bytesMax = inspectedBodyBytesMax, declaredLength = bytes.length } = sent;
  const shown =
    bytes.length > bytesMax
      ? { ...sent, bytes: bytes.subarray(0, bytesMax), isTruncated: true, declaredLength }
      : sent;
  if (names.length === 0 || bytes.length === 0) return collectReadings(shown, headers, undefined);
  return undoCodings(shown, names).then((decoded) => collectReadings(shown, headers, decoded));
}

function listValues(headers: Pairs, name: string): readonly string[] {
  return headers.filter(([other]) => lowerAscii(other) === name).map(([, value]) => value);
}

/** `identity` means no coding. */
function isCoding(name: string): boolean {
  return name !== '' && name !== 'identity';
}

interface Decoded {
  /** Undefined if nothing could be decoded. */
  readonly bytes: Buffer | undefined;
  readonly isTruncated: boolean;
  readonly unreadable: string | undefined;
}

/** Codings are decoded in reverse: the last one was applied last. */
async function undoCodings(sent: SentBody, names: readonly string[]): Promise<Decoded> {
  if (names.length > codingsMax) return createFailure(`The body has more than ${codingsMax} content codings`);
  const { bytesMax = inspectedBodyBytesMax } = sent;
  let { bytes, isTruncated } = sent;
  for (const name of names.toReversed()) {
    if (!isKnownCoding(name)) return createFailure(`The body has the unknown content coding ${quote(name)}`);
    const decompressed: Decompressed = await decompress(codings[name], { bytes, isTruncated, bytesMax });
    bytes = decompressed.bytes;
    if (decompressed.end === 'complete') continue;
    if (decompressed.end === 'too long') isTruncated = true;
    else return { bytes, isTruncated, unreadable: `The body is not what its content coding ${name} says` };
  }
  const unreadable =
    isTruncated && !sent.isTruncated
      ? `${tooLong} once it is decompressed: they read its first ${bytes.length} bytes`
      : undefined;
  return { bytes, isTruncated, unreadable };
}

function isKnownCoding(name: string): name is keyof typeof codings {
  return Object.hasOwn(codings, name);
}

function createFailure(unreadable: string): Decoded {
  return { bytes: undefined, isTruncated: false, unreadable };
}

/** Quotes a name from a request for an event. */
function quote(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

function collectReadings(sent: SentBody, headers: Pairs, decoded: Decoded | undefined): BodyReadings {
  const texts: string[] = [];
  const add = (text: string): void => {
    if (!texts.includes(text)) texts.push(text);
  };
  const main = decoded?.bytes ?? sent.bytes;
  const { bytesMax = inspectedBodyBytesMax } = sent;
  const { foreign, unknown } = findCharsets(main, listValues(headers, 'content-type'));
  if (decoded === undefined && foreign.length === 0 && unknown === undefined) {
    const file = readFile(sent, headers);
    if (file !== undefined) return file;
  }
  for (const charset of foreign) add(decodeCharset(main, charset));
  for (const bytes of main === sent.bytes ? [main] : [main, sent.bytes]) {
    const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
    add(narrowWideRuns(text));
    add(text);
  }
  const isTooLong =
    sent.isTruncated || decoded?.isTruncated === true || texts.some(({ length }) => length > bytesMax);
  return {
    texts: texts.map((text) => text.slice(0, bytesMax)),
    isTruncated: isTooLong || sent.leavesOutFiles === true,
    unreadable:
      decoded?.unreadable ??
      describeCharset(unknown) ??
      (isTooLong ? describeTooLong(Math.min(sent.bytes.length, bytesMax), sent) : undefined),
  };
}

/** Undefined if the body is not a file. One reading is enough, and nothing after it is needed. */
function readFile({ bytes, isTruncated }: SentBody, headers: Pairs): BodyReadings | undefined {
  const mediaType = parseMediaType(joinHeader(headers, 'content-type'));
  const text = bytes.toString('latin1', 0, inspectedBodyBytesMax);
  if (isPacked(mediaType) || !isFile(text, mediaType)) return undefined;
  return { texts: [text], isTruncated: isTruncated || bytes.length > text.length, unreadable: undefined };
}

/** Describes which part of the body rules have read. */
function describeTooLong(
  read: number,
  { bytesMax = inspectedBodyBytesMax, declaredLength }: SentBody,
): string {
  const part =
    declaredLength === undefined ? `its first ${read}` : `the first ${read} of its ${declaredLength}`;
  return `${tooLong}, which is ${bytesMax / 1024} KiB at most: they read ${part} bytes`;
}

function describeCharset(unknown: string | undefined): string | undefined {
  return unknown && `The body is in the charset ${quote(unknown)}, which rules cannot look at`;
}
