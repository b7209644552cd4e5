import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheme, getSlot, type Type, type Value } from '#expressions';
import { formatIp, Ip } from '#addresses';
import { type RequestDescription, requestFrom } from './described-request.ts';
import { inspectedBodyBytesMax } from './limits.ts';

function valueOf(description: RequestDescription, name: string): Value {
  const field = scheme.fields.get(name);
  assert.ok(field, `${name} is a field`);
  return requestFrom(description).get(getSlot(field));
}

function isOf(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'Bool':
      return typeof value === 'boolean';
    case 'Int':
      return Number.isInteger(value);
    case 'Ip':
      return value instanceof Ip;
    case 'Bytes':
      return typeof value === 'string' && !/[^\0-\xff]/.test(value); // oxlint-disable-line no-control-regex
    case 'Array':
      return Array.isArray(value) && value.every((element: Value) => isOf(element, type.of));
    default:
      return value instanceof Map && [...value.values()].every((element: Value) => isOf(element, type.of));
  }
}

const full: RequestDescription = {
  method: 'POST',
  url: 'https://shop.example.com:8443/a/%7euser/./é/x.TAR.Gz?b=2&a=1&b=&c#top',
  version: 'HTTP/2',
  headers: [
    ['Host', 'Shop.example.com'],
    ['Cookie', 'a=1; b%20c=2'],
    ['cookie', 'a=3'],
    ['Accept-Language', 'de;q=0.5, fr, *;q=0.1, en;q=0.5'],
    ['User-Agent', 'ünicode'],
    ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8'],
  ],
  body: 'q=%41&r=1&q=2',
  ip: '::ffff:192.0.2.1',
  country: 'DE',
  asn: 64500,
  receivedAt: 1_700_000_000_123,
  response: { status: 404, headers: { 'Content-Type': 'Text/HTML; charset=utf-8', 'X-A': ['1', '2'] } },
};

test('requestFrom gives every field of the language a value of its type', () => {
  for (const description of [{}, full]) {
    for (const [name, field] of scheme.fields) assert.ok(isOf(valueOf(description, name), field.type), name);
  }
});

test('requestFrom shows the parts of the URI, normalised and as received', () => {
  assert.equal(valueOf(full, 'http.host'), 'Shop.example.com');
  assert.equal(valueOf(full, 'http.request.uri.path'), '/a/~user/%C3%A9/x.TAR.Gz');
  assert.equal(valueOf(full, 'raw.http.request.uri.path'), '/a/%7euser/./\xc3\xa9/x.TAR.Gz');
  assert.equal(valueOf(full, 'http.request.uri.query'), 'b=2&a=1&b=&c');
  assert.equal(valueOf(full, 'http.request.uri'), '/a/~user/%C3%A9/x.TAR.Gz?b=2&a=1&b=&c');
  assert.equal(
    valueOf(full, 'http.request.full_uri'),
    'https://Shop.example.com/a/~user/%C3%A9/x.TAR.Gz?b=2&a=1&b=&c',
  );
  assert.equal(valueOf(full, 'http.request.uri.path.extension'), 'gz');
  assert.equal(valueOf(full, 'raw.http.request.uri.path.extension'), 'Gz');
  assert.deepEqual(valueOf(full, 'http.request.uri.args.names'), ['b', 'a', 'b', 'c']);
  assert.deepEqual(valueOf(full, 'http.request.uri.args.values'), ['2', '1', '', '']);
  assert.deepEqual(valueOf(full, 'http.request.uri.args'), new Map([['a', ['1']], ['b', ['2', '']], ['c', ['']]])); // prettier-ignore
  assert.equal(valueOf(full, 'ssl'), true);
});

test('requestFrom shows headers by lower-case name and as sent', () => {
  assert.deepEqual((valueOf(full, 'http.request.headers.names') as string[]).slice(0, 3), [
    'Host',
    'Cookie',
    'cookie',
  ]);
  assert.deepEqual((valueOf(full, 'http.request.headers') as Map<string, Value>).get('cookie'), [
    'a=1; b%20c=2',
    'a=3',
  ]);
  assert.equal(valueOf(full, 'http.cookie'), 'a=1; b%20c=2; a=3');
  assert.deepEqual(valueOf(full, 'http.request.cookies'), new Map([['a', ['1', '3']], ['b c', ['2']]])); // prettier-ignore
  assert.deepEqual(valueOf(full, 'http.request.accepted_languages'), ['fr', 'de', 'en']);
  assert.equal(valueOf(full, 'http.user_agent'), '\xc3\xbcnicode');
  assert.equal(valueOf({}, 'http.user_agent'), '');
  assert.deepEqual(valueOf({ headers: { A: ['1', '2'] } }, 'http.request.headers.values'), ['1', '2']);
});

test('requestFrom shows the source and the time of a request', () => {
  assert.equal(formatIp(valueOf(full, 'ip.src') as Ip), '192.0.2.1');
  assert.equal(valueOf(full, 'ip.src.country'), 'DE');
  assert.equal(valueOf(full, 'ip.geoip.country'), 'DE');
  assert.equal(valueOf(full, 'ip.src.asnum'), 64500);
  assert.equal(valueOf(full, 'ip.src.is_in_european_union'), true);
  assert.equal(valueOf({ country: 'CH' }, 'ip.src.is_in_european_union'), false);
  assert.equal(valueOf(full, 'http.request.timestamp.sec'), 1_700_000_000);
  assert.equal(valueOf(full, 'http.request.timestamp.msec'), 123);
});

test('requestFrom reads the bytes of cookies, without the blanks around names and values', () => {
  const headers = { cookie: 'x=voilà; note =1;\tnote= 2' };
  assert.deepEqual(
    valueOf({ headers }, 'http.request.cookies'),
    new Map([
      ['x', ['voil\xc3\xa0']],
      ['note', ['1', '2']],
    ]),
  );
});

test('requestFrom reads a form without decoding it, and only if it is one', () => {
  assert.deepEqual(valueOf(full, 'http.request.body.form'), new Map([['q', ['%41', '2']], ['r', ['1']]])); // prettier-ignore
  assert.deepEqual(valueOf({ body: 'q=1' }, 'http.request.body.form.names'), []);
});

test('requestFrom reads the parts of a multipart body', () => {
  const lines = [
    '--x', 'Content-Disposition: form-data; name="a"', '', 'one',
    '--x', 'Content-Disposition: form-data; name="file"; filename="c\\"d.png"', 'Content-Type: image/png', '', 'two\r\nlines',
    '--x--', 'epilogue',
  ]; // prettier-ignore
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const description = { headers, body: lines.join('\r\n') };
  const field = (name: string): Value => valueOf(description, `http.request.body.multipart${name}`);
  assert.deepEqual(field(''), new Map([['a', ['one']], ['file', ['two\r\nlines']]])); // prettier-ignore
  assert.deepEqual(field('.names'), [['a'], ['file']]);
  assert.deepEqual(field('.filenames'), [[], ['c"d.png']]);
  assert.deepEqual(field('.content_types'), [[], ['image/png']]);
  assert.deepEqual(field('.values'), ['one', 'two\r\nlines']);
  assert.deepEqual(valueOf({ headers, body: 'no parts' }, 'http.request.body.multipart.values'), []);
});

test('requestFrom shows the beginning of a long body and its whole size', () => {
  const description = { body: new Uint8Array(inspectedBodyBytesMax + 1) };
  assert.equal((valueOf(description, 'http.request.body.raw') as string).length, inspectedBodyBytesMax);
  assert.equal(valueOf(description, 'http.request.body.truncated'), true);
  assert.equal(valueOf(description, 'http.request.body.size'), inspectedBodyBytesMax + 1);
  assert.equal(valueOf(description, 'http.request.body.mime'), 'application/octet-stream');
});

test('requestFrom shows the response', () => {
  assert.equal(valueOf(full, 'http.response.code'), 404);
  assert.equal(valueOf(full, 'http.response.content_type.media_type'), 'text/html');
  assert.deepEqual((valueOf(full, 'http.response.headers') as Map<string, Value>).get('x-a'), ['1', '2']);
});

test('requestFrom accepts values of fields', () => {
  assert.equal(
    valueOf({ url: '/a', fields: new Map([['http.request.uri.path', '/b']]) }, 'http.request.uri.path'),
    '/b',
  );
});
