/** The places for a value in a request, and its encoding there. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { RequestDescription } from '#request';
import { chooseClient, type Headers } from './clients.ts';
import { encodeForm, encodePercent, encodeTarget, escapeJson, escapeXml, toBytes } from './encodings.ts';
import type { Random } from './random.ts';

/** The unusual encodings of a place: the names of disguises that concern the transport. */
export interface Transport {
  /** Instead of the usual percent-encoding. */
  readonly percent?: (text: string) => string;
  readonly jsonEscape?: (text: string) => string;
  readonly xmlEscape?: (text: string) => string;
  readonly partEncoding?: 'base64' | 'quoted-printable';
  readonly contentEncoding?: 'gzip' | 'br';
  readonly charset?: 'utf-16le';
  readonly contentType?: string;
}

interface Placement {
  readonly value: string;
  /** The name of the argument. */
  readonly name: string;
  readonly random: Random;
  readonly transport: Transport;
}

export interface Place {
  readonly name: string;
  /** Headers cannot have every character. */
  readonly isHeader?: boolean;
  readonly build: (placement: Placement) => RequestDescription;
}

/** A value that is already percent-encoded is sent unchanged. */
function encodeFor(value: string, { percent }: Transport, usual: (text: string) => string): string {
  if (percent !== undefined) return percent(value);
  return /%(?:0[0ad]|2[0-9a-f]|3[c-f]|5c|7[bd]|c0|e5|ef|u[0-9a-f]{4})/i.test(value)
    ? encodeTarget(value).replaceAll('&', '%26')
    : usual(value);
}

function get(url: string, random: Random, more: Headers = []): RequestDescription {
  const names = new Set(more.map(([name]) => name));
  const client = chooseClient('browser', random).filter(([name]) => !names.has(name));
  return { method: 'GET', url, headers: [['host', 'www.example.com'], ...client, ...more] };
}

function post(type: string, text: string, { random, transport }: Placement, url: string): RequestDescription {
  const { contentEncoding, charset, contentType } = transport;
  let body = charset === undefined ? toBytes(text) : Buffer.from(`\ufeff${text}`, charset);
  if (contentEncoding === 'gzip') body = gzipSync(body, { level: 1 });
  if (contentEncoding === 'br')
    body = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return {
    method: 'POST',
    url,
    headers: [
      ['host', 'www.example.com'],
      ...chooseClient('xhr', random),
      ['content-type', contentType ?? (charset === undefined ? type : `${type}; charset=utf-16`)],
      ...(contentEncoding === undefined ? [] : [['content-encoding', contentEncoding] as const]),
      ['content-length', String(body.length)],
    ],
    body,
  };
}

const urls = ['/api/items', '/search', '/contact', '/orders/17', '/v1/users', '/submit.php', '/service'];

/** Some other fields, before and behind. */
function buildForm({ value, name, transport, random }: Placement): string {
  const field = `${name}=${encodeFor(value, transport, encodeForm)}`;
  return random.pick([field, `lang=en&${field}&submit=Go`, `a=1&b=two+words&${field}`]);
}

function buildJson({ value, name, transport, random }: Placement): string {
  const text = `"${(transport.jsonEscape ?? escapeJson)(value)}"`;
  return random.pick([
    `{"${name}":${text}}`,
    `{"id":17,"${name}":${text},"active":true}`,
    `{"order":{"items":[{"sku":"A1","qty":2},{"sku":"B2","${name}":${text}}]}}`,
    `[1,{"x":{"${name}":[null,${text}]}}]`,
  ]);
}

function buildXml({ value, name, transport, random }: Placement): string {
  const text = (transport.xmlEscape ?? escapeXml)(value);
  const isAttributeSafe = !text.includes('<');
  const start = '<?xml version="1.0" encoding="UTF-8"?>';
  if (isAttributeSafe && random.oneIn(3))
    return `${start}<order id="1" ${name}="${text}"><note>ok</note></order>`;
  return `${start}<order id="1"><item><${name}>${text}</${name}></item><note>ok</note></order>`;
}

const boundary = 'frontier7MA4YWxkTrZu0gW';

function buildParts({ value, name, transport, random }: Placement): string {
  const { partEncoding } = transport;
  const about = partEncoding === undefined ? '' : `\r\nContent-Transfer-Encoding: ${partEncoding}`;
  const content =
    partEncoding === 'base64'
      ? toBytes(value).toString('base64')
      : partEncoding === undefined
        ? value
        : quotePrintable(value);
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${about}\r\n\r\n${content}\r\n`;
  const other = `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n`;
  return `${random.oneIn(2) ? other : ''}${part}--${boundary}--\r\n`;
}

function quotePrintable(value: string): string {
  return Array.from(toBytes(value), (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
    .replaceAll(/.{72}/g, '$&=\r\n');
}

export function buildUpload(
  fields: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly type: string; readonly content: string },
  random: Random,
): RequestDescription {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const about = `Content-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: ${file.type}`;
  const text = `${parts.join('')}--${boundary}\r\n${about}\r\n\r\n${file.content}\r\n--${boundary}--\r\n`;
  const placement = { value: '', name: '', random, transport: {} };
  return post(`multipart/form-data; boundary=${boundary}`, text, placement, '/upload');
}

const headerNames = [
  'x-forwarded-for',
  'x-api-version',
  'accept-language',
  'origin',
  'x-client-id',
  'authorization',
  'x-real-ip',
  'from',
  'if-none-match',
];

export const places: readonly Place[] = [
  {
    name: 'query',
    build: ({ value, name, random, transport }) => {
      const field = `${name}=${encodeFor(value, transport, encodePercent)}`;
      return get(
        `${random.pick(urls)}?${random.pick([field, `lang=en&${field}`, `${field}&page=2`])}`,
        random,
      );
    },
  },
  {
    name: 'form',
    build: (placement) =>
      post('application/x-www-form-urlencoded', buildForm(placement), placement, placement.random.pick(urls)),
  },
  {
    name: 'json',
    build: (placement) =>
      post('application/json', buildJson(placement), placement, placement.random.pick(urls)),
  },
  {
    name: 'multipart',
    build: (placement) =>
      post(
        `multipart/form-data; boundary=${boundary}`,
        buildParts(placement),
        placement,
        placement.random.pick(urls),
      ),
  },
  {
    name: 'xml',
    build: (placement) =>
      post('application/xml', buildXml(placement), placement, placement.random.pick(urls)),
  },
  {
    name: 'path',
    build: ({ value, random, transport }) =>
      get(
        `/items/${encodeFor(value, transport, encodePercent)}${random.pick(['', '/details', '?v=1'])}`,
        random,
      ),
  },
  {
    name: 'cookie',
    build: ({ value, name, random, transport }) =>
      get(random.pick(urls), random, [
        ['cookie', `theme=dark; ${name}=${encodeFor(value, transport, encodePercent)}; sid=7v2k5h0q3l1e9s8d`],
      ]),
  },
  {
    name: 'referer',
    isHeader: true,
    build: ({ value, name, random, transport }) => {
      const encoded = encodeFor(value, transport, encodePercent);
      const referer = random.pick([
        `https://www.example.com/search?${name}=${encoded}`,
        `https://www.example.com/?x=1&${name}=${encoded}`,
        `http://www.example.com/${value}`,
        value,
      ]);
      return get(random.pick(urls), random, [['referer', referer]]);
    },
  },
  {
    name: 'user-agent',
    isHeader: true,
    build: ({ value, random }) =>
      get(random.pick(urls), random, [['user-agent', random.pick([value, `Mozilla/5.0 ${value}`])]]),
  },
  {
    name: 'header',
    isHeader: true,
    build: ({ value, random }) => get(random.pick(urls), random, [[random.pick(headerNames), value]]),
  },
  {
    name: 'argument name',
    build: ({ value, random, transport }) =>
      get(`${random.pick(urls)}?${encodeFor(value, transport, encodePercent)}=1`, random),
  },
];

/** Whole bodies and queries, as they are written. */
export const wholePlaces: Readonly<Record<string, readonly Place[]>> = {
  json: [
    {
      name: 'json',
      build: (placement) => post('application/json', placement.value, placement, placement.random.pick(urls)),
    },
  ],
  xml: [
    {
      name: 'xml',
      build: (placement) =>
        post(
          placement.random.pick(['application/xml', 'text/xml', 'application/soap+xml']),
          placement.value,
          placement,
          placement.random.pick(urls),
        ),
    },
  ],
  query: [
    {
      name: 'query',
      build: ({ value, random }) => get(`${random.pick(urls)}?${encodeTarget(value)}`, random),
    },
  ],
  form: [
    {
      name: 'form',
      build: (placement) =>
        post(
          'application/x-www-form-urlencoded',
          encodeTarget(placement.value).replaceAll('%20', '+'),
          placement,
          placement.random.pick(urls),
        ),
    },
  ],
};
