/**
 * The ways in which an application may read a body. One that declares a content coding or a charset is decoded as it
 * declares, and one that shows a charset without declaring it is decoded as it shows. But some applications look at
 * neither, so the bytes as they were sent are always one of the readings. Rules judge each of them: whichever the
 * application chooses, they have seen it.
 *
 * What cannot be decoded within the limits leaves a reason, and as many readings as there are.
 */
import { lowerAscii } from '#base';
import { bodyBytesMax } from '../limits.ts';
import type { Pairs } from '../pairs.ts';
import { decodeCharset, findCharsets, narrowWideRuns } from './charsets.ts';
import { codings, type Decompressed, decompress } from './decompress.ts';
import { codingsMax } from './limits.ts';

export interface BodyReadings {
  /**
   * Binary strings of at most `bodyBytesMax`, all different: the one that the sender declares first, the bytes as
   * sent last.
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
}

const tooLong = `The body is longer than what rules can look at, which is ${bodyBytesMax / 1024} KiB at most`;

/** At once, unless the body is compressed. */
export function readBody(sent: SentBody, headers: Pairs): BodyReadings | Promise<BodyReadings> {
  const declared = listValues(headers, 'content-encoding').flatMap((value) => value.split(','));
  const names = declared.map((name) => lowerAscii(name.trim())).filter(isCoding);
  const isLonger = sent.bytes.length > bodyBytesMax;
  const shown = isLonger ? { bytes: sent.bytes.subarray(0, bodyBytesMax), isTruncated: true } : sent;
  if (names.length === 0 || sent.bytes.length === 0) return collectReadings(shown, headers, undefined);
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
  let { bytes, isTruncated } = sent;
  for (const name of names.toReversed()) {
    if (!isKnownCoding(name)) return createFailure(`The body has the unknown content coding ${quote(name)}`);
    const decompressed: Decompressed = await decompress(codings[name], { bytes, isTruncated });
    bytes = decompressed.bytes;
    if (decompressed.end === 'complete') continue;
    if (decompressed.end === 'too long') isTruncated = true;
    else return { bytes, isTruncated, unreadable: `The body is not what its content coding ${name} says` };
  }
  const unreadable = isTruncated && !sent.isTruncated ? `${tooLong} once it is decompressed` : undefined;
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
  const { foreign, unknown } = findCharsets(main, listValues(headers, 'content-type'));
  for (const charset of foreign) add(decodeCharset(main, charset));
  for (const bytes of main === sent.bytes ? [main] : [main, sent.bytes]) {
    const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
    add(narrowWideRuns(text));
    add(text);
  }
  const isTooLong =
    sent.isTruncated || decoded?.isTruncated === true || texts.some(({ length }) => length > bodyBytesMax);
  return {
    texts: texts.map((text) => text.slice(0, bodyBytesMax)),
    isTruncated: isTooLong || sent.leavesOutFiles === true,
    unreadable: decoded?.unreadable ?? describeCharset(unknown) ?? (isTooLong ? tooLong : undefined),
  };
}

function describeCharset(unknown: string | undefined): string | undefined {
  return unknown && `The body is in the charset ${quote(unknown)}, which rules cannot look at`;
}
