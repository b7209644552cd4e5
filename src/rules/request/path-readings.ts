/**
 * The ways in which servers may read a path. Normalisation leaves differences that depend on the server: whether `%2F`
 * separates segments, whether `;` and the text after it belong to a segment's name, whether an escape is decoded once
 * or by two servers in turn. A rule must hold for each of these readings, so a request is judged by all of them and the
 * strictest judgement counts. Paths that no program has a reason to send, and that servers are known to resolve
 * differently, are ambiguous: they are refused.
 *
 * Nearly every path has one reading, itself.
 */
import {
  escapeByte,
  mergeSlashes,
  normalizeEscapes,
  normalizePath,
  type UrlNormalization,
} from './url-normalization.ts';

export interface PathReadings {
  /** The path for the origin. */
  readonly forwarded: string;
  /** The paths for rules, each different; the first is the normalised one. */
  readonly judged: readonly [string, ...string[]];
}

/** Why a path is refused: a readable sentence. */
export interface AmbiguousPath {
  readonly problem: string;
}

export function readPath(path: string, { type, scope }: UrlNormalization): PathReadings | AmbiguousPath {
  // `*` of OPTIONS is not a path.
  if (scope === 'none' || !path.startsWith('/')) return { forwarded: path, judged: [path] };
  const normal = normalizePath(path, type);
  const forwarded = scope === 'both' ? normal : path;
  if (!unusual.test(forwarded)) return { forwarded, judged: [normal] };
  if (forwarded.includes('\\'))
    return { problem: 'The path contains a backslash, which some servers read as a slash.' };
  if (/%u[0-9A-F]{4}/i.test(forwarded))
    return { problem: 'The path contains an escape of the form %uXXXX, which few servers decode.' };
  const readings = listReadings(normalizeEscapes(forwarded));
  if (readings.some((reading) => dotSegment.test(reading)))
    return { problem: 'The path contains dot segments that servers resolve in different ways.' };
  if (readings.some((reading) => reading.includes('%00')))
    return { problem: 'The path contains an escaped null, where some servers end it.' };
  return { forwarded, judged: [...new Set([normal, ...readings])] as [string, ...string[]] };
}

/** A path without any of this has one reading. */
const unusual = /[%;\\]|\/[./]/;

const dotSegment = /\/\.{1,2}(?:\/|$)/;

function listReadings(path: string): readonly string[] {
  // A reference with two leading slashes names a host: `new URL('//a/b', base)` has the path `/b`.
  const afterHost = /^\/{2,}[^/]+(.*)$/.exec(path)?.[1];
  return [path, ...(afterHost === undefined ? [] : [afterHost === '' ? '/' : afterHost])].flatMap((each) => {
    const bare = removeParameters(each);
    return [each, bare, decodeRepeatedly(each), decodeRepeatedly(bare)];
  });
}

/** As Java servers read it: in a segment, `;` and the text after it are parameters. */
function removeParameters(path: string): string {
  return path.includes(';') ? mergeSlashes(path.replaceAll(/;[^/]*/g, '')) : path;
}

/** Two servers in turn decode twice, an application after them once more. */
const decodingsMax = 3;

/** As read by servers that also decode slashes, and then normalise. */
function decodeRepeatedly(path: string): string {
  let decoded = path;
  for (let count = 0; count < decodingsMax && decoded.includes('%'); count++) {
    decoded = normalizeEscapes(
      decoded
        .replaceAll(/%25(?=[0-9A-F]{2})/gi, '%')
        .replaceAll(overlong, decodeOverlong)
        .replaceAll(/%(?:2F|5C)/gi, '/'),
    );
  }
  return mergeSlashes(decoded);
}

/**
 * ASCII in more bytes than necessary, which is invalid UTF-8: lenient decoders read `%C0%AF` and `%E0%80%AF` as a
 * slash.
 */
const overlong = /%(?:C|E0%8|F0%80%8)([01])%([89AB][0-9A-F])/gi;

function decodeOverlong(_: string, high: string, low: string): string {
  return escapeByte((Number(high) << 6) | (Number.parseInt(low, 16) & 0x3f));
}
