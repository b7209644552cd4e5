/**
 * The ways in which an application may read a body. One that declares a content coding or a charset is decoded as it
 * declares, and one that shows a charset without declaring it is decoded as it shows. But some applications look at
 * neither, so the bytes as they were sent are always one of the readings. Rules judge each of them: whichever the
 * application chooses, they have seen it.
 *
 * What cannot be decoded within the limits leaves a reason, and as many readings as there are.
 */
import { lowerAscii } from '#base';
import { isFile, isPacked } from './file-body.ts';
import { joinHeader, parseMediaType } from '../headers.ts';
import { bodyBytesMax } from '../limits.ts';
import type { Pairs } from '../pairs.ts';
import { decodeCharset, findCharsets, narrowWideRuns } from './charsets.ts';
import { codings, type Decompressed, decompress } from './decompress.ts';
import { codingsMax } from './limits.ts';

export interface BodyReadings {
  /**
   * Binary strings of at most the limit, all different: the one that the sender declares first, the bytes as sent
   * last.
   */
  readonly texts: readonly string[];
  /** Whether the body is longer than what the readings show. */
  readonly isTruncated: boolean;
  /** Why an application may see something that no reading shows; undefined if none can. */
  readonly unreadable: string | undefined;
}

interface SentBody {
  readonly bytes: Buffer;
  /** Whether the body is longer than `bytes`. */
  readonly isTruncated: boolean;
  /** Whether `bytes` are all texts of a form, but not all of its files: no rule misses what is left out. */
  readonly leavesOutFiles?: boolean;
  /** Of the whole body, as far as it is known. */
  readonly declaredLength?: number | undefined;
  /** What rules look at of each reading; `bodyBytesMax` by default. */
  readonly bytesMax?: number;
}

const tooLong = 'The body is longer than what rules can look at';

/** At once, unless the body is compressed. */
export function readBody(sent: SentBody, headers: Pairs): BodyReadings | Promise<BodyReadings> {
  const declared = listValues(headers, 'content-encoding').flatMap((value) => value.split(','));
  const names = declared.map((name) => lowerAscii(name.trim())).filter(isCoding);
  const { bytes, bytesMax = bodyBytesMax, declaredLength = bytes.length } = sent;
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

/** `identity` stands for none. */
function isCoding(name: string): boolean {
  return name !== '' && name !== 'identity';
}

interface Decoded {
  /** Undefined if nothing could be decoded. */
  readonly bytes: Buffer | undefined;
  readonly isTruncated: boolean;
  readonly unreadable: string | undefined;
}

/** Codings are undone in reverse: the last one was applied last. */
async function undoCodings(sent: SentBody, names: readonly string[]): Promise<Decoded> {
  if (names.length > codingsMax) return createFailure(`The body has more than ${codingsMax} content codings`);
  const { bytesMax = bodyBytesMax } = sent;
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

/** A name from a request, for an event. */
function quote(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

function collectReadings(sent: SentBody, headers: Pairs, decoded: Decoded | undefined): BodyReadings {
  const texts: string[] = [];
  const add = (text: string): void => {
    if (!texts.includes(text)) texts.push(text);
  };
  const main = decoded?.bytes ?? sent.bytes;
  const { bytesMax = bodyBytesMax } = sent;
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

/** Undefined if the body is no file. One reading is enough, and nothing behind it is missed. */
function readFile({ bytes, isTruncated }: SentBody, headers: Pairs): BodyReadings | undefined {
  const mediaType = parseMediaType(joinHeader(headers, 'content-type'));
  const text = bytes.toString('latin1', 0, bodyBytesMax);
  if (isPacked(mediaType) || !isFile(text, mediaType)) return undefined;
  return { texts: [text], isTruncated: isTruncated || bytes.length > text.length, unreadable: undefined };
}

/** Says which part of it rules have read. */
function describeTooLong(read: number, { bytesMax = bodyBytesMax, declaredLength }: SentBody): string {
  const part =
    declaredLength === undefined ? `its first ${read}` : `the first ${read} of its ${declaredLength}`;
  return `${tooLong}, which is ${bytesMax / 1024} KiB at most: they read ${part} bytes`;
}

function describeCharset(unknown: string | undefined): string | undefined {
  return unknown && `The body is in the charset ${quote(unknown)}, which rules cannot look at`;
}
