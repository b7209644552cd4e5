/**
 * For tests: short ways to describe requests, and a test that every signature matches its attack and nothing similar.
 */
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { compile, parse, printDiagnostic } from '#expressions';
import { type RequestDescription, requestFrom } from '#request';
import type { Signature } from './signatures/signature.ts';

type Headers = Readonly<Record<string, string>>;

/** The URL as sent. */
export function get(url: string, headers: Headers = {}): RequestDescription {
  return { method: 'GET', url, headers: { host: 'www.example.com', ...headers } };
}

/** A value in the query, encoded as a browser would encode it. */
export function query(value: string, name = 'q'): RequestDescription {
  return get(`/search?${name}=${encodeURIComponent(value)}`);
}

export function header(name: string, value: string): RequestDescription {
  return get('/', { [name]: value });
}

export function agent(value: string): RequestDescription {
  return header('user-agent', value);
}

export function post(
  url: string,
  type: string,
  body: string | Uint8Array,
  headers: Headers = {},
): RequestDescription {
  return {
    method: 'POST',
    url,
    headers: { host: 'www.example.com', 'content-type': type, ...headers },
    body,
  };
}

export function form(
  fields: Readonly<Record<string, string>> | string,
  url = '/contact',
): RequestDescription {
  const values = typeof fields === 'string' ? { text: fields } : fields;
  return post(url, 'application/x-www-form-urlencoded', new URLSearchParams(values).toString());
}

export function json(value: unknown, url = '/api/items'): RequestDescription {
  return post(url, 'application/json', JSON.stringify(value));
}

export function xml(text: string, url = '/service'): RequestDescription {
  return post(url, 'application/xml', text);
}

export function upload(
  filename: string,
  content: string,
  type = 'application/octet-stream',
): RequestDescription {
  const part = `content-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${type}`;
  const text = `--frontier\r\n${part}\r\n\r\n${content}\r\n--frontier--\r\n`;
  return post('/upload', 'multipart/form-data; boundary=frontier', Buffer.from(text, 'latin1'));
}

export interface Cases {
  readonly hits: readonly RequestDescription[];
  readonly misses: readonly RequestDescription[];
}

/** One test for each signature: a class of signatures and its cases must have the same ids. */
export function testSignatures(
  signatures: readonly Signature[],
  cases: Readonly<Record<string, Cases>>,
): void {
  test(`${signatures[0]!.legacyId} and the others of its class all have cases`, () => {
    const ids = signatures.map(({ legacyId }) => legacyId);
    equal(Object.keys(cases).toSorted().join(), ids.toSorted().join());
  });
  for (const { legacyId, description, expression } of signatures) {
    test(`${legacyId} hits what it should and nothing like it: ${description}`, () => {
      const isMatch = compileText(expression);
      const { hits, misses } = cases[legacyId] ?? { hits: [], misses: [] };
      equal(hits.length > 0 && misses.length > 0, true, 'at least one hit and one near miss');
      for (const hit of hits) equal(isMatch(requestFrom(hit)), true, `misses ${formatRequest(hit)}`);
      for (const miss of misses) equal(isMatch(requestFrom(miss)), false, `hits ${formatRequest(miss)}`);
    });
  }
}

export function compileText(expression: string): ReturnType<typeof compile> {
  const parsed = parse(expression);
  if (!parsed.ok) throw new Error(printDiagnostic(expression, parsed.error));
  return compile(parsed.tree);
}

export function formatRequest({ method, url, headers, body = '' }: RequestDescription): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  return `${method} ${url} ${JSON.stringify(headers)} ${text}`;
}
