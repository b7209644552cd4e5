/**
 * Ordinary requests, made from the templates in `ordinary/`. A template is a title, a request line, headers and a body:
 *
 * ```
 * ### review                       the title
 * POST /reviews/‹int› @form ~app   the request line; the body is a form, the client an app; x2 would make two requests of it
 * x-shop: ‹slug›                   headers, if any, end with an empty line
 *
 * title=‹sentence›                 a field of the form on each line
 * ```
 *
 * What fills a gap is encoded as its place needs it. `@parts` is a multipart form, in which `name<file;type=content` is
 * a file; `@json`, `@xml` and `@text TYPE` are bodies of that type.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestDescription } from '#request';
import { chooseClient, type Headers } from './clients.ts';
import {
  encodeForm,
  encodeLittle,
  encodePercent,
  encodeTarget,
  escapeJsonMore,
  escapeXml,
  toBytes,
} from './encodings.ts';
import { expand, readControls } from './grammar.ts';
import { Random, seedFrom } from './random.ts';

export interface OrdinaryRequest {
  /** The file of its template. */
  readonly kind: string;
  readonly title: string;
  readonly request: RequestDescription;
}

interface Template {
  readonly kind: string;
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly client: string | undefined;
  readonly body: string;
  readonly bodyKind: string | undefined;
  readonly contentType: string | undefined;
  readonly headers: Headers;
  readonly count: number;
}

const requestsPerTemplate = 16;
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

export function listOrdinaryRequests(): readonly OrdinaryRequest[] {
  const folder = new URL('ordinary/', import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) =>
      readTemplates(readFileSync(new URL(file, folder), 'utf8'), file.replace(/\.http$/, '')),
    )
    .flatMap((template) => listRequests(template));
}

/** Fewer than requested if the template does not have that many. */
function listRequests(template: Template): readonly OrdinaryRequest[] {
  const { kind, title, count } = template;
  const requests = new Map<string, OrdinaryRequest>();
  for (let index = 0; index < count; index++) {
    const request = build(template, new Random(seedFrom(`${title} ${index}`)));
    requests.set(JSON.stringify([request.url, request.headers, String(request.body)]), {
      kind,
      title,
      request,
    });
  }
  return [...requests.values()];
}

function readTemplates(text: string, kind: string): readonly Template[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((block) => readTemplate(block, kind));
}

function readTemplate(block: string, kind: string): Template {
  const [heading = '', line = '', ...rest] = block.trimEnd().split('\n');
  const option = (pattern: RegExp): string | undefined => pattern.exec(line)?.[1];
  const [, method, target] =
    /^([A-Z]+) (.*?)(?: (?:@[a-z]+(?: [a-z]+\/\S+)?|~[a-z]+|x\d+))*$/.exec(line) ?? [];
  if (method === undefined || target === undefined)
    throw new Error(`"${heading}" has no request line: ${line}`);
  const headerCount = countHeaders(rest);
  return {
    kind,
    title: heading,
    method,
    target,
    client: option(/ ~([a-z]+)(?= |$)/),
    body: rest.slice(headerCount > 0 ? headerCount + 1 : 0).join('\n'),
    bodyKind: option(/ @([a-z]+)(?= |$)/),
    contentType: option(/ @text ([a-z]+\/\S+)/),
    headers: rest
      .slice(0, headerCount)
      .map((each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 2)]),
    count: Number(option(/ x(\d+)(?= |$)/) ?? requestsPerTemplate),
  };
}

/** Headers stand before an empty line; without one, everything is the body unless there is none. */
function countHeaders(lines: readonly string[]): number {
  const end = lines.indexOf('');
  const candidates = end < 0 ? lines : lines.slice(0, end);
  return candidates.every((line) => /^[a-z0-9-]+: /.test(line)) ? candidates.length : 0;
}

function build(template: Template, random: Random): RequestDescription {
  const { method, target, bodyKind } = template;
  const encodeQuery = random.pick([encodePercent, encodeForm, encodeLittle]);
  const [path = '', ...query] = target.split('?');
  const url = [expand(path, random, encodePercent), expand(query.join('?'), random, encodeQuery)]
    .filter((part, index) => index === 0 || part !== '')
    .join('?');
  const own = template.headers.map(([name, value]): readonly [string, string] => [
    name,
    toHeader(expand(value, random, name === 'cookie' ? encodePercent : undefined)),
  ]);
  const body = template.body === '' ? undefined : buildBody(template, random);
  const client = template.client ?? (bodyKind === 'json' ? 'xhr' : 'browser');
  const type = body === undefined ? undefined : contentTypes[bodyKind ?? '']?.(template);
  const names = new Set(own.map(([name]) => name));
  return {
    method,
    url: encodeTarget(url),
    headers: [
      ['host', 'www.example.com'],
      ...chooseClient(client, random).filter(([name]) => !names.has(name)),
      ...(type === undefined ? [] : [['content-type', type] as const]),
      ...own,
      ...(body === undefined ? [] : [['content-length', String(body.length)] as const]),
    ],
    ...(body === undefined ? {} : { body }),
  };
}

const contentTypes: Readonly<Record<string, (template: Template) => string>> = {
  form: () => 'application/x-www-form-urlencoded',
  json: () => 'application/json',
  xml: () => 'text/xml; charset=utf-8',
  parts: () => `multipart/form-data; boundary=${boundary}`,
  text: ({ contentType }) => contentType ?? 'text/plain;charset=UTF-8',
};

function buildBody({ body, bodyKind }: Template, random: Random): Buffer {
  switch (bodyKind) {
    case 'form':
      return Buffer.from(
        readFields(body, random)
          .map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`)
          .join('&'),
      );
    case 'parts':
      return toBytes(`${readFields(body, random).map(buildPart).join('')}--${boundary}--\r\n`);
    case 'json':
      return toBytes(expand(body, random, (value) => escapeJsonMore(value, random)));
    case 'xml':
      return toBytes(expand(body, random, escapeXml));
    default:
      return toBytes(expand(readControls(body), random, (value) => value.replaceAll(/[\r\n]+/g, ' ')));
  }
}

function readFields(body: string, random: Random): readonly (readonly [name: string, value: string])[] {
  return body.split('\n').map((line) => {
    const at = line.indexOf('=');
    return [expand(line.slice(0, at), random), expand(readControls(line.slice(at + 1)), random)];
  });
}

function buildPart([name, value]: readonly [string, string]): string {
  const [, field, file, type] = /^(.*)<(.*);([^;]*)$/.exec(name) ?? [undefined, name, undefined, undefined];
  const disposition = `Content-Disposition: form-data; name="${field}"`;
  const about =
    file === undefined ? '' : `; filename="${file.replaceAll('"', '%22')}"\r\nContent-Type: ${type}`;
  return `--${boundary}\r\n${disposition}${about}\r\n\r\n${value}\r\n`;
}

function toHeader(value: string): string {
  // oxlint-disable-next-line no-control-regex -- they cannot stand in a header
  return value.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
}
