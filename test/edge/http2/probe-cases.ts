/** Requests with one unusual field each, and their outcomes. Modelled on cases that other servers get wrong. */

type Field = readonly [name: string, value: string];

export interface Probe {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly body?: string;
  readonly trailers?: readonly Field[];
  /** Trailers without the end of the stream. */
  readonly isOpen?: boolean;
  /** The status, or how the stream ends. */
  readonly expected: string;
}

const request: Readonly<Record<string, string>> = {
  ':method': 'GET',
  ':scheme': 'https',
  ':authority': 'a.example',
  ':path': '/',
};

/** The request with other values of these fields; undefined omits one. */
function change(changes: Readonly<Record<string, string | undefined>>, more: readonly Field[] = []): Field[] {
  const fields = Object.entries({ ...request, ...changes }).filter(([, value]) => value !== undefined);
  return [...(fields as [string, string][]), ...more];
}

function probe(expected: string, name: string, more: readonly Field[]): Probe {
  return { name, fields: change({}, more), expected };
}

function pseudo(
  expected: string,
  name: string,
  changes: Readonly<Record<string, string | undefined>>,
): Probe {
  return { name, fields: change(changes), expected };
}

const values = {
  CR: 'a\rb',
  LF: 'a\nb',
  'CR LF and a field': 'a\r\nx-b: c',
  NUL: 'a\0b',
  '0x01': 'a\x01b',
  '0x7f': 'a\x7fb',
  'a leading space': ' a',
  'a trailing tab': 'a\t',
};
const names = {
  'a colon': 'x:a',
  'a space': 'x a',
  'CR LF': 'x\r\na',
  '0xe4': 'x\xe4',
  nothing: '',
  'an upper-case letter': 'X-A',
  'an underscore like one of ours': 'x_forwarded_for',
};

export const probes: readonly Probe[] = [
  ...Object.entries(values).map(([what, value]) => probe('400', `a value with ${what}`, [['x-a', value]])),
  ...Object.entries(names).map(([what, name]) => probe('400', `a name with ${what}`, [[name, 'a']])),
  probe('400', 'a part of a cookie with CR LF', [
    ['cookie', 'a=b'],
    ['cookie', 'c=d\r\nx: y'],
  ]),
  probe('200', 'a value with 0xff', [['x-a', '\xff']]),
  probe('200', 'an empty value', [['x-a', '']]),
  probe('200', 'te: trailers', [['te', 'trailers']]),
  probe('400', 'te: gzip', [['te', 'gzip']]),
  probe('200', 'http2-settings', [['http2-settings', 'AAMAAABk']]),
  ...['transfer-encoding', 'connection', 'keep-alive', 'proxy-connection', 'upgrade'].map((name) =>
    probe('400', name, [[name, name === 'transfer-encoding' ? 'chunked' : 'x']]),
  ),
  probe('400', 'content-length twice', [
    ['content-length', '0'],
    ['content-length', '0'],
  ]),
  probe('400', 'content-length: +4', [['content-length', '+4']]),
  probe('400', 'content-length: 4, 4', [['content-length', '4, 4']]),
  probe('400', 'a length without a body', [['content-length', '4']]),
  probe('200', 'a length of 0', [['content-length', '0']]),
  probe('400', ':path twice', [[':path', '/']]),
  probe('400', ':method twice', [[':method', 'GET']]),
  probe('400', ':authority twice', [[':authority', 'a.example']]),
  probe('400', 'an unknown pseudo-field', [[':unknown', 'x']]),
  probe('400', ':status', [[':status', '200']]),
  probe('400', 'a pseudo-field behind a field', [
    ['x-a', 'b'],
    [':protocol', 'websocket'],
  ]),
  ...[':method', ':scheme', ':path'].map((name) => pseudo('400', `no ${name}`, { [name]: undefined })),
  pseudo('400', 'neither :authority nor host', { ':authority': undefined }),
  pseudo('400', ':path empty', { ':path': '' }),
  pseudo('400', ':path relative', { ':path': 'a' }),
  pseudo('400', ':path absolute', { ':path': 'https://a.example/' }),
  pseudo('400', ':path with a space', { ':path': '/a b' }),
  pseudo('400', ':path with CR LF', { ':path': '/ HTTP/1.1\r\nx: y' }),
  pseudo('400', ':path * of GET', { ':path': '*' }),
  pseudo('200', ':path * of OPTIONS', { ':path': '*', ':method': 'OPTIONS' }),
  pseudo('400', ':path with #', { ':path': '/a#b' }),
  pseudo('400', ':path with 0xff', { ':path': '/\xff' }),
  pseudo('200', ':path //host/', { ':path': '//b.example/' }),
  pseudo('414', ':path too long', { ':path': `/${'a'.repeat(16_385)}` }),
  pseudo('400', ':method empty', { ':method': '' }),
  pseudo('400', ':method with a space', { ':method': 'GET x' }),
  pseudo('400', ':method with CR LF', { ':method': 'GET / HTTP/1.1\r\nx: y' }),
  pseudo('400', ':method in lower case', { ':method': 'get' }),
  pseudo('200', 'a method that nobody knows', { ':method': 'PURGE' }),
  pseudo('405', 'TRACE', { ':method': 'TRACE' }),
  pseudo('405', 'CONNECT', { ':method': 'CONNECT', ':path': undefined, ':scheme': undefined }),
  pseudo('405', 'CONNECT with a path', { ':method': 'CONNECT' }),
  pseudo('400', 'another protocol', { ':method': 'CONNECT', ':protocol': 'h2c' }),
  pseudo('400', 'a protocol of GET', { ':protocol': 'websocket' }),
  pseudo('400', ':scheme http', { ':scheme': 'http' }),
  pseudo('400', ':scheme odd', { ':scheme': 'https://b.example/?' }),
  pseudo('400', ':authority empty', { ':authority': '' }),
  pseudo('400', ':authority with a user', { ':authority': 'user@a.example' }),
  pseudo('400', ':authority with a slash', { ':authority': 'a.example/x' }),
  pseudo('400', ':authority with a space', { ':authority': 'a.example x' }),
  pseudo('400', ':authority with CR LF', { ':authority': 'a.example\r\nx: y' }),
  probe('200', 'host like :authority', [['host', 'a.example']]),
  probe('400', 'host unlike :authority', [['host', 'b.example']]),
  probe('400', 'host twice', [
    ['host', 'a.example'],
    ['host', 'a.example'],
  ]),
  {
    name: 'host without :authority',
    fields: change({ ':authority': undefined }, [['host', 'a.example']]),
    expected: '200',
  },
  probe('200', 'parts of a cookie', [
    ['cookie', 'a=b'],
    ['cookie', 'c=d'],
  ]),
  probe(
    '431',
    '129 fields',
    Array.from({ length: 129 }, (_, index) => [`x-${index}`, 'a'] as const),
  ),
  probe(
    '431',
    '129 parts of a cookie',
    Array.from({ length: 129 }, () => ['cookie', 'a'] as const),
  ),
  probe('431', 'a value of 17 KB', [['x-a', 'a'.repeat(17_000)]]),
  probe('200', 'a value of 15 KB', [['x-a', 'a'.repeat(15_000)]]),
  probe('417', 'an expectation that nobody knows', [['expect', 'a miracle']]),
  probe('400', 'authorization twice', [
    ['authorization', 'a'],
    ['authorization', 'b'],
  ]),
  { name: 'GET with a body', fields: change({}), body: 'body', expected: '200' },
  {
    name: 'a body as long as declared',
    fields: change({}, [['content-length', '4']]),
    body: 'body',
    expected: '200',
  },
  {
    name: 'a body longer than declared',
    fields: change({}, [['content-length', '3']]),
    body: 'body',
    expected: 'resetStream protocol',
  },
  {
    name: 'a body shorter than declared',
    fields: change({}, [['content-length', '5']]),
    body: 'body',
    expected: 'resetStream protocol',
  },
  { name: 'trailers', fields: change({}), body: 'body', trailers: [['x-a', 'b']], expected: '200' },
  {
    name: 'trailers with a pseudo-field',
    fields: change({}),
    body: 'body',
    trailers: [[':path', '/']],
    expected: 'resetStream protocol',
  },
  {
    name: 'trailers with content-length',
    fields: change({}),
    body: 'body',
    trailers: [['content-length', '4']],
    expected: 'resetStream protocol',
  },
  {
    name: 'trailers with transfer-encoding',
    fields: change({}),
    body: 'body',
    trailers: [['transfer-encoding', 'chunked']],
    expected: 'resetStream protocol',
  },
  {
    name: 'trailers with CR LF',
    fields: change({}),
    body: 'body',
    trailers: [['x-a', 'b\r\nc']],
    expected: 'resetStream protocol',
  },
  {
    name: 'trailers that are not the end',
    fields: change({}),
    body: 'body',
    trailers: [['x-a', 'b']],
    isOpen: true,
    expected: 'resetStream protocol',
  },
];
