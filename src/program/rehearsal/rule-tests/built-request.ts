/** The bytes of a test's request, completed as by go-ftw. */
import { decodeUrlEscapes } from '#text';

export interface WrittenInput {
  readonly method?: string;
  readonly uri?: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly ordered_headers?: readonly { readonly name: string; readonly value: string }[];
  readonly data?: string | readonly string[] | null;
  readonly encoded_data?: string;
  /** The whole request in base64. */
  readonly encoded_request?: string;
  readonly raw_request?: string;
  readonly stop_magic?: boolean;
  readonly autocomplete_headers?: boolean;
}

/** A binary string. */
export function buildRequest(input: WrittenInput): string {
  if (input.encoded_request !== undefined && input.encoded_request !== '') {
    return Buffer.from(input.encoded_request, 'base64').toString('latin1');
  }
  if (input.raw_request !== undefined) return toBytes(input.raw_request);
  const headers = listHeaders(input);
  let body = readData(input);
  const completes = input.stop_magic !== true && input.autocomplete_headers !== false;
  if (completes && body !== '') {
    if (find(headers, 'content-type') === undefined) {
      headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
    }
    body = completeBody(body, find(headers, 'content-type')!);
  }
  const needsLength = body !== '' || /^(?:POST|PUT|PATCH)$/.test(input.method ?? '');
  if (completes && needsLength && find(headers, 'content-length') === undefined) {
    if (find(headers, 'transfer-encoding') === undefined)
      headers.push(['Content-Length', String(body.length)]);
  }
  if (completes && find(headers, 'connection') === undefined) headers.push(['Connection', 'close']);
  const line = `${toBytes(input.method ?? 'GET')} ${toBytes(input.uri ?? '/')} ${toBytes(input.version ?? 'HTTP/1.1')}`;
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${line}\r\n${fields}\r\n${body}`;
}

function listHeaders({ headers, ordered_headers }: WrittenInput): [name: string, value: string][] {
  if (ordered_headers !== undefined) {
    return ordered_headers.map(({ name, value }) => [toBytes(name), toBytes(String(value))]);
  }
  return Object.entries(headers ?? {}).map(([name, value]) => [
    toBytes(name),
    expand(toBytes(String(value))),
  ]);
}

function readData({ data, encoded_data }: WrittenInput): string {
  if (encoded_data !== undefined) return Buffer.from(encoded_data, 'base64').toString('latin1');
  if (data === undefined || data === null) return '';
  return expand(
    toBytes(typeof data === 'string' ? data : Array.isArray(data) ? data.join('\r\n') : String(data)),
  );
}

/** `{{ "x" | repeat 8 }}`, the only template in suites. */
function expand(text: string): string {
  return text.replaceAll(
    /\{\{\s*(?:"([^"]*)"|`([^`]*)`)\s*\|\s*repeat\s+(\d{1,6})\s*\}\}/g,
    (_, quoted: string | undefined, raw: string | undefined, count: string) =>
      (quoted ?? raw ?? '').repeat(Number(count)),
  );
}

/** Forms that are not encoded yet are encoded; lines of multipart bodies end in CR LF. */
function completeBody(body: string, contentType: string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type.startsWith('multipart/') && !body.includes('\r\n')) return body.replaceAll('\n', '\r\n');
  if (
    contentType.trim().toLowerCase() !== 'application/x-www-form-urlencoded' ||
    decodeUrlEscapes(body) !== body
  )
    return body;
  return body
    .split('&')
    .map((piece) => {
      const at = piece.indexOf('=');
      return at === -1 ? encode(piece) : `${encode(piece.slice(0, at))}=${encode(piece.slice(at + 1))}`;
    })
    .join('&');
}

function encode(text: string): string {
  return text
    .replaceAll(
      /[^A-Za-z0-9_.~ -]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replaceAll(' ', '+');
}

function find(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
