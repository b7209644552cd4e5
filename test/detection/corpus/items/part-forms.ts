/** Sixty payloads in the forms in which programs read parts of a request, and filters often do not. */
import type { RequestDescription } from '#request';
import type { Attack } from '../attacks.ts';
import { encodeForm, encodePercent, escapeJson, escapeXml, toBytes } from '../encodings.ts';
import { payloads } from './lines.ts';

type Form = (payload: string) => RequestDescription | undefined;

function post(type: string, body: string | Uint8Array): RequestDescription {
  const bytes = typeof body === 'string' ? toBytes(body) : body;
  return {
    method: 'POST',
    url: '/submit',
    headers: [
      ['host', 'www.example.com'],
      ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      ['accept', '*/*'],
      ['content-type', type],
      ['content-length', String(bytes.length)],
    ],
    body: bytes,
  };
}

function get(target: string, more: readonly (readonly [string, string])[] = []): RequestDescription {
  return {
    method: 'GET',
    url: target,
    headers: [
      ['host', 'www.example.com'],
      ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      ['accept', '*/*'],
      ...more,
    ],
  };
}

const multipart = 'multipart/form-data; boundary=edge42';

function part(head: string, content: string): RequestDescription {
  return post(multipart, `--edge42\r\n${head}\r\n\r\n${content}\r\n--edge42--\r\n`);
}

const urlencoded = 'application/x-www-form-urlencoded';
const base64 = (text: string): string => toBytes(text).toString('base64');
const base64url = (text: string): string => toBytes(text).toString('base64url');

/** Two bytes for each ASCII punctuation character (overlong, not valid UTF-8); letters and digits stay. */
function writeOverlong(text: string): Buffer {
  return Buffer.from(
    Array.from(toBytes(text)).flatMap((byte) =>
      byte < 0x80 && !/[\w\s]/.test(String.fromCharCode(byte))
        ? [0xc0 | (byte >> 6), 0x80 | (byte & 0x3f)]
        : [byte],
    ),
  );
}

function writeFullWidth(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0));
}

function around(before: string, inner: Uint8Array, behind: string): Uint8Array {
  return Buffer.concat([Buffer.from(before), inner, Buffer.from(behind)]);
}

function token(header: object, claims: object): string {
  return `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`;
}

function splitMarkup(payload: string): string {
  const middle = Math.floor(payload.length / 2);
  return `${escapeXml(payload.slice(0, middle))}<!-- x -->${escapeXml(payload.slice(middle))}`;
}

/** A map with one text of up to 65,535 bytes. */
function writeMessagePack(payload: string): Uint8Array {
  const bytes = toBytes(payload);
  return Buffer.concat([
    Buffer.from([0x82, 0xa2]),
    Buffer.from('id'),
    Buffer.from([7, 0xa4]),
    Buffer.from('name'),
    Buffer.from([0xda, bytes.length >> 8, bytes.length & 0xff]),
    bytes,
  ]);
}

const yamlQuoted = (payload: string): string => `'${payload.replaceAll("'", "''")}'`;
const singleQuoted = (payload: string): string =>
  `'${payload.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

const partForms: Readonly<Record<string, Form>> = {
  'empty file name': (payload) => part('Content-Disposition: form-data; name="a"; filename=""', payload),
  'two dispositions, file last': (payload) =>
    part(
      'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="a"; filename="x.txt"',
      payload,
    ),
  'two dispositions, field last': (payload) =>
    part(
      'Content-Disposition: form-data; name="a"; filename="x.txt"\r\nContent-Disposition: form-data; name="a"',
      payload,
    ),
  'part without a disposition': (payload) => part('Content-Type: text/plain', payload),
  'field behind a file': (payload) =>
    post(
      multipart,
      `--edge42\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n${'x'.repeat(3000)}\r\n--edge42\r\nContent-Disposition: form-data; name="a"\r\n\r\n${payload}\r\n--edge42--\r\n`,
    ),
  'overlong UTF-8 in JSON': (payload) =>
    /["\\]/.test(payload)
      ? undefined
      : post('application/json', around('{"a":"', writeOverlong(payload), '"}')),
  'overlong UTF-8 in a part': (payload) =>
    post(
      multipart,
      around(
        '--edge42\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
        writeOverlong(payload),
        '\r\n--edge42--\r\n',
      ),
    ),
  'overlong UTF-8 in XML': (payload) =>
    post('application/xml', around('<a><b>', writeOverlong(payload), '</b></a>')),
  'full width in JSON': (payload) => post('application/json', `{"a":"${writeFullWidth(payload)}"}`),
  'full width in a part': (payload) =>
    part('Content-Disposition: form-data; name="a"', writeFullWidth(payload)),
  'full width in XML': (payload) => post('text/xml', `<a><b>${writeFullWidth(payload)}</b></a>`),
  'XML with a comment inside': (payload) => post('application/xml', `<a><b>${splitMarkup(payload)}</b></a>`),
  'XML with CDATA in the middle': (payload) => {
    const middle = Math.floor(payload.length / 2);
    return post(
      'application/xml',
      `<a><b>${escapeXml(payload.slice(0, middle))}<![CDATA[${payload.slice(middle)}]]></b></a>`,
    );
  },
  'XML with an instruction inside': (payload) =>
    post('application/xml', `<a><b>${splitMarkup(payload).replace('<!-- x -->', '<?x y?>')}</b></a>`),
  'JSON5 with single quotes': (payload) => post('application/json', `{a:${singleQuoted(payload)}}`),
  'JSON with single quotes': (payload) => post('application/json', `{'a':${singleQuoted(payload)}}`),
  'JSON behind a comment': (payload) => post('application/json', `/* x */ {"a":"${escapeJson(payload)}"}`),
  'YAML in single quotes': (payload) =>
    post('application/yaml', `id: 7\nname: ${yamlQuoted(payload)}\nactive: true\n`),
  'YAML in a block': (payload) => post('application/x-yaml', `id: 7\nname: |\n  ${payload}\nactive: true\n`),
  MessagePack: (payload) => post('application/msgpack', writeMessagePack(payload)),
  'Base64 in JSON': (payload) => post('application/json', `{"a":{"b":"${base64(payload)}"}}`),
  'Base64 in JSON in Base64': (payload) => get(`/?s=${encodePercent(base64(`{"a":"${base64(payload)}"}`))}`),
  'data: address in JSON': (payload) =>
    post('application/json', `{"a":"data:text/plain;base64,${base64(payload)}"}`),
  'serialised PHP': (payload) => {
    const text = `a:1:{s:1:"a";s:${toBytes(payload).length}:"${payload}";}`;
    return post(urlencoded, `s=${encodeForm(text)}`);
  },
  'serialised PHP in Base64': (payload) =>
    get(`/?s=${encodePercent(base64(`a:1:{s:1:"a";s:${toBytes(payload).length}:"${payload}";}`))}`),
  'name with brackets': (payload) => get(`/?a[${encodePercent(payload)}]=1`),
  'name with brackets in a form': (payload) => post(urlencoded, `a[b][${encodeForm(payload)}]=1&c=2`),
  'claim of a token': (payload) =>
    get('/', [
      ['authorization', `Bearer ${token({ alg: 'HS256', typ: 'JWT' }, { sub: '7', name: payload })}`],
    ]),
  'key of a token': (payload) =>
    get('/', [['authorization', `Bearer ${token({ alg: 'HS256', kid: payload }, { sub: '7' })}`]]),
  'token in a cookie': (payload) =>
    get('/', [['cookie', `session=${token({ alg: 'HS256' }, { sub: payload })}`]]),
  'token in an argument': (payload) => get(`/?token=${token({ alg: 'HS256' }, { a: { b: payload } })}`),
  'cookie name': (payload) => get('/', [['cookie', `${encodePercent(payload)}=1; b=2`]]),
  'cookie in quotes': (payload) => get('/', [['cookie', `a="${encodePercent(payload)}"; b=2`]]),
  'GraphQL variable': (payload) =>
    post(
      'application/json',
      JSON.stringify({ query: 'query($a:String){f(a:$a)}', variables: { a: payload } }),
    ),
  'quoted-printable part': (payload) =>
    part(
      'Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: quoted-printable',
      Array.from(toBytes(payload), (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    ),
  'name of a part': (payload) =>
    /["\r\n]/.test(payload) ? undefined : part(`Content-Disposition: form-data; name="${payload}"`, '1'),
};

export function listPartForms(): readonly Attack[] {
  return Object.entries(partForms).flatMap(([form, write]) =>
    payloads.flatMap(({ kind, value }) => {
      const request = write(value);
      return request === undefined
        ? []
        : [{ class: kind, place: form, disguise: form, payload: value, request }];
    }),
  );
}
