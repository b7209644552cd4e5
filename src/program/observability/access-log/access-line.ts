/**
 * A line of the access log: JSON, or Apache's combined format. Lines are ASCII. Client input cannot leave its value:
 * control characters, quotes and everything beyond ASCII are escaped, and long values are truncated.
 *
 * In the combined format, the request id is the second field, which Apache uses for the answer of an ident server and which
 * is `-` nearly everywhere else.
 */
import { isSignedIn } from '#text';
import type { IncomingRequest, RequestRecord } from '#edge';
import { textMax } from './limits.ts';
import { formatRecordedLine } from './recorded-line.ts';

export type AccessFormat = 'json' | 'combined' | 'requests';

interface LineOptions {
  /** Whether the line contains queries. */
  readonly withQuery: boolean;
  /** The trace of the request, if it is recorded. */
  readonly traceId?: string | undefined;
}

type FormatLine = (record: RequestRecord, options: LineOptions) => string;

export const formatLine: Readonly<Record<AccessFormat, FormatLine>> = {
  json: formatJson,
  requests: formatRecordedLine,
  combined: formatCombined,
};

function formatJson(record: RequestRecord, options: LineOptions): string {
  const { request, outcome, zone, origin } = record;
  let line = `{"time":"${formatTime(record.receivedAtMs)}","id":"${record.id}"`;
  line += `,"client":"${request?.clientAddress ?? record.peerAddress}","status":${outcome.edgeStatus},"verdict":"${record.verdict}"`;
  if (request !== undefined) {
    line += `,"scheme":"${request.isSecure ? 'https' : 'http'}","protocol":"HTTP/${request.httpVersion}"`;
    line += `,"method":${quoteJson(request.method, textMax.method)},"host":${quoteJson(request.host, textMax.host)}`;
    line += `,"target":${quoteJson(chooseTarget(request, options), textMax.target)}`;
    line +=
      writeField(request, 'referer', textMax.referer) + writeField(request, 'user-agent', textMax.userAgent);
    line += `,"signed_in":${isSignedIn(request.headers)}`;
    if (request.peerAddress !== request.clientAddress) line += `,"peer":"${request.peerAddress}"`;
  }
  if (zone !== undefined) line += `,"zone":${quoteJson(zone.name, textMax.host)},"zone_id":"${zone.id}"`;
  if (record.ruleId !== undefined) line += `,"rule":${quoteJson(record.ruleId, textMax.host)}`;
  if (record.asked !== undefined) line += `,"asked":${JSON.stringify(record.asked)}`;
  if (outcome.refusal !== undefined) line += `,"refusal":"${outcome.refusal}"`;
  if (record.reason !== undefined) line += `,"reason":${quoteJson(record.reason, textMax.referer)}`;
  if (!record.isComplete) line += ',"cut_off":true';
  line += `,"received_bytes":${record.receivedBytes},"sent_bytes":${record.sentBytes}`;
  line += writeMs('first_byte_ms', record.firstByteMs) + writeMs('duration_ms', record.endMs);
  if (origin !== undefined) {
    line += `,"origin":${quoteJson(origin.address, textMax.host)},"origin_status":${outcome.originStatus ?? null}`;
    line += writeMs('origin_connect_ms', subtract(origin.requestMs, origin.connectStartMs));
    line += writeMs('origin_first_byte_ms', subtract(origin.responseMs, origin.requestMs));
  }
  if (options.traceId !== undefined) line += `,"trace_id":"${options.traceId}"`;
  return `${line}}\n`;
}

function formatCombined(record: RequestRecord, options: LineOptions): string {
  const { request, outcome, id } = record;
  const client = request?.clientAddress ?? record.peerAddress;
  const requestLine =
    request === undefined
      ? '-'
      : `${request.method.slice(0, textMax.method)} ${chooseTarget(request, options).slice(0, textMax.target)} HTTP/${request.httpVersion}`;
  const referer = readField(request, 'referer').slice(0, textMax.referer) || '-';
  const userAgent = readField(request, 'user-agent').slice(0, textMax.userAgent) || '-';
  const bytes = record.sentBodyBytes === 0 ? '-' : String(record.sentBodyBytes);
  return (
    `${client} ${id} - [${formatApacheTime(record.receivedAtMs)}] "${escapeApache(requestLine)}" ` +
    `${outcome.edgeStatus} ${bytes} "${escapeApache(referer)}" "${escapeApache(userAgent)}"\n`
  );
}

function chooseTarget({ target }: IncomingRequest, { withQuery }: LineOptions): string {
  return withQuery ? target : target.split('?', 1)[0]!;
}

function writeField(request: IncomingRequest, name: string, max: number): string {
  const value = readField(request, name);
  return value === '' ? '' : `,"${name.replace('-', '_')}":${quoteJson(value, max)}`;
}

function readField(request: IncomingRequest | undefined, name: string): string {
  if (request === undefined) return '';
  for (const [other, value] of request.headers) {
    if (other.length === name.length && other.toLowerCase() === name) return value;
  }
  return '';
}

function subtract(end: number | undefined, start: number | undefined): number | undefined {
  return end === undefined || start === undefined ? undefined : end - start;
}

/** To the microsecond. Integers are formatted several times faster than fractions. */
function writeMs(name: string, ms: number | undefined): string {
  if (ms === undefined) return '';
  const us = Math.round(ms * 1_000);
  const rest = us % 1_000;
  return `,"${name}":${(us - rest) / 1_000}.${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}`;
}

let lastSecond = -1;
let lastSecondText = '';

/**
 * Like `toISOString`, which would take a tenth of the time of a line: most lines have the same second as the previous
 * one.
 */
function formatTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastSecondText = new Date(second * 1_000).toISOString().slice(0, -4);
  }
  return `${lastSecondText}${String(ms - second * 1_000).padStart(3, '0')}Z`;
}

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** `text` is a binary string, usually UTF-8. */
function quoteJson(text: string, max: number): string {
  const cut = text.length > max ? text.slice(0, max) : text;
  if (plain.test(cut)) return `"${cut}"`;
  const decoded = Buffer.from(cut, 'latin1').toString('utf8');
  return JSON.stringify(decoded).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Like Apache and nginx: `\xhh` for each byte outside printable ASCII, and for quotes and backslashes. */
function escapeApache(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (character) => `\\x${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`,
  );
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** In UTC: `10/Oct/2026:13:55:36 +0000`. */
function formatApacheTime(ms: number): string {
  const text = new Date(ms).toISOString();
  const [year, month, day] = text.slice(0, 10).split('-') as [string, string, string];
  return `${day}/${months[Number(month) - 1]}/${year}:${text.slice(11, 19)} +0000`;
}
