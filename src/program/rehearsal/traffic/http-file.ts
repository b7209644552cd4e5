/**
 * Requests in a text file, in the format of editors (`.http`, `.rest`): separated by lines that start with `###`, each
 * with a request line, headers, an empty line and a body.
 *
 * ```
 * ### a form
 * # @expect block
 * POST https://shop.example/contact
 * Content-Type: application/x-www-form-urlencoded
 *
 * message=1'+union+select+1,2--
 * ```
 *
 * A line that starts with a space continues the URL. `@name = value` defines a variable, and `{{name}}` is replaced by
 * its value; other braces are unchanged, because attacks contain them, too. `< file` is a body from a file beside this
 * one.
 */
import { type ReadEntry, type RequestDefaults, toRecordedRequest, unreadable } from './recorded-request.ts';

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface HttpFileOptions {
  readonly defaults: RequestDefaults;
  /** The content of a file that a body names. */
  readonly readIncluded: (path: string) => Buffer;
}

/** `text` is a binary string. */
export function readHttpFile(text: string, options: HttpFileOptions): readonly ReadEntry[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
  const variables = new Map<string, string>();
  return splitRequests(lines).flatMap((block) => {
    const head = skipPreamble(block, variables);
    return head === undefined ? [] : [readRequest(head, variables, options)];
  });
}

function splitRequests(lines: readonly Line[]): readonly (readonly Line[])[] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.startsWith('###')) blocks.push([]);
    else blocks.at(-1)!.push(line);
  }
  return blocks;
}

interface Head {
  /** Starts with the request line. */
  readonly lines: readonly Line[];
  readonly expected: 'pass' | 'block' | undefined;
}

/** Skips comments, variables and empty lines before the request line; undefined if nothing follows. */
function skipPreamble(block: readonly Line[], variables: Map<string, string>): Head | undefined {
  let expected: Head['expected'];
  for (const [index, { text }] of block.entries()) {
    const variable = /^@([\w.-]+)\s*=\s*(.*?)\s*$/.exec(text);
    const expectation = /^(?:#|\/\/)\s*@expect\s+(pass|block)\s*$/.exec(text);
    if (variable !== null) variables.set(variable[1]!, fillIn(variable[2]!, variables));
    else if (expectation !== null) expected = expectation[1] as 'pass' | 'block';
    else if (text.trim() !== '' && !/^(?:#|\/\/)/.test(text)) return { lines: block.slice(index), expected };
  }
  return undefined;
}

function fillIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

function readRequest(
  { lines, expected }: Head,
  variables: ReadonlyMap<string, string>,
  { defaults, readIncluded }: HttpFileOptions,
): ReadEntry {
  const at = `line ${lines[0]!.number}`;
  const end = lines.findIndex(({ text }) => text.trim() === '');
  const head = lines.slice(0, end < 0 ? undefined : end);
  const continued = head.slice(1).findIndex(({ text }) => !/^\s+\S/.test(text));
  const urlLines = head.slice(0, continued < 0 ? undefined : continued + 1);
  const written = fillIn(urlLines.map(({ text }) => text.trim()).join(''), variables);
  const line = readRequestLine(written);
  if (line === undefined) return { ...unreadable('this is not a request line: METHOD URL'), at };
  const headers: (readonly [string, string])[] = [];
  for (const { number, text } of head.slice(urlLines.length)) {
    const header = /^([^:\s]+):\s*(.*?)\s*$/.exec(text);
    if (header === null) return { ...unreadable('this is not a header: NAME: VALUE'), at: `line ${number}` };
    headers.push([header[1]!, fillIn(header[2]!, variables)]);
  }
  let body: Buffer | undefined;
  try {
    body = end < 0 ? undefined : readBody(lines.slice(end + 1), headers, { variables, readIncluded });
  } catch (error) {
    return { ...unreadable((error as Error).message), at };
  }
  const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
  const entry = toRecordedRequest(
    {
      method: line.method,
      url: toText(line.url),
      headers: headers.map(([name, value]) => [name, toText(value)] as const),
      receivedAtMs: 0,
      ...(line.version === undefined ? {} : { version: line.version }),
      ...(body === undefined ? {} : { body }),
    },
    defaults,
  );
  return { ...entry, at, ...(expected === undefined ? {} : { expected }) };
}

interface RequestLine {
  readonly method: string;
  readonly url: string;
  readonly version: string | undefined;
}

/** The method and the version may be omitted. */
function readRequestLine(text: string): RequestLine | undefined {
  const [, rest = '', version] = /^(.*?)(?:\s+(HTTP\/[\d.]+))?$/.exec(text) ?? [];
  const [, method = 'GET', url] = /^(?:([!#$%&'*+.^`|~\w-]+)\s+)?((?:https?:\/\/|\/)\S*)$/i.exec(rest) ?? [];
  return url === undefined ? undefined : { method, url, version };
}

interface BodySources {
  readonly variables: ReadonlyMap<string, string>;
  readonly readIncluded: (path: string) => Buffer;
}

/** Empty lines after a body only separate it from the next request. Lines of multipart bodies end in CR LF. */
function readBody(
  lines: readonly Line[],
  headers: readonly (readonly [string, string])[],
  { variables, readIncluded }: BodySources,
): Buffer | undefined {
  const last = lines.findLastIndex(({ text }) => text.trim() !== '');
  if (last < 0) return undefined;
  const texts = lines.slice(0, last + 1).map(({ text }) => text);
  const [, included] = /^<\s+(\S.*)$/.exec(texts.length === 1 ? texts[0]! : '') ?? [];
  if (included !== undefined) return readIncluded(included);
  const isMultipart = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /^\s*multipart\//i.test(value),
  );
  const text = fillIn(texts.join(isMultipart ? '\r\n' : '\n'), variables);
  return Buffer.from(isMultipart ? `${text}\r\n` : text, 'latin1');
}
