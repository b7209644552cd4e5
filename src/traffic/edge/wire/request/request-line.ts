/**
 * The first line: a method, a target and a version, separated by single spaces. HTTP/2 sends the same information as
 * fields.
 */
import type { RequestMessage } from '#request';
import { methodBytesMax, type WireLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';

export interface RequestLine {
  readonly method: string;
  readonly rawTarget: string;
  readonly httpVersion: RequestMessage['httpVersion'];
}

const versions: ReadonlyMap<string, '1.0' | '1.1'> = new Map([
  ['HTTP/1.1', '1.1'],
  ['HTTP/1.0', '1.0'],
]);

/** Methods are case-sensitive, but not for every server: only upper case is unambiguous. */
const methodPattern = /^[A-Z][A-Z0-9_-]*$/;
/** CONNECT opens a tunnel to any host; the others echo headers that scripts must not see. */
const forbiddenMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** The end of nearly all lines. */
const usualEnd = ' HTTP/1.1';

/** Parses the line from the start of `text` to `end`. */
export function readRequestLine(text: string, end: number, limits: WireLimits): RequestLine | Refusal {
  const usual = readUsualLine(text, end);
  return usual === undefined || usual.rawTarget.length > limits.targetBytesMax
    ? readAnyLine(text.slice(0, end), limits)
    : usual;
}

/** A fast path without substrings and look-ups of the common parts. Undefined if a part is uncommon. */
function readUsualLine(text: string, end: number): RequestLine | undefined {
  const first = text.indexOf(' ');
  const second = end - usualEnd.length;
  if (first === -1 || first >= second || text.slice(second, end) !== usualEnd) return undefined;
  if (text.indexOf(' ', first + 1) !== second) return undefined;
  const method = usualMethods.find((each) => each.length === first && text.startsWith(each));
  return method && { method, rawTarget: text.slice(first + 1, second), httpVersion: '1.1' };
}

/** In the order of their frequency. */
const usualMethods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const;

function readAnyLine(line: string, limits: WireLimits): RequestLine | Refusal {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  if (first === -1 || second === -1) return new Refusal('bad_request_line', 'The request line is malformed.');
  const method = line.slice(0, first);
  const rawTarget = line.slice(first + 1, second);
  const version = line.slice(second + 1);
  if (!isMethod(method)) return new Refusal('bad_request_line', 'The method is malformed.');
  const httpVersion = versions.get(version);
  if (httpVersion === undefined) {
    return /^HTTP\/[0-9]\.[0-9]$/.test(version)
      ? new Refusal('version_not_supported', 'Only HTTP/1.1 and HTTP/1.0 are supported.')
      : new Refusal('bad_request_line', 'The request line is malformed.');
  }
  return checkRequestLine({ method, rawTarget, httpVersion }, limits);
}

export function checkRequestLine(line: RequestLine, limits: WireLimits): RequestLine | Refusal {
  const { method, rawTarget } = line;
  if (!isMethod(method)) return new Refusal('bad_request_line', 'The method is malformed.');
  if (rawTarget.length > limits.targetBytesMax)
    return new Refusal('target_too_long', 'The request target is too long.');
  if (forbiddenMethods.has(method)) return new Refusal('method_not_allowed', 'This method is not passed on.');
  return line;
}

function isMethod(text: string): boolean {
  return text.length <= methodBytesMax && methodPattern.test(text);
}
