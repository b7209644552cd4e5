import { type Cases, agent, form, get, header, json, post, query } from '../../testing.ts';

const long = (length: number): string => 'a'.repeat(length);
const fields = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '1']));

export const protocolAbuseCases: Readonly<Record<string, Cases>> = {
  '100015': {
    hits: [header('host', 'example.com:8888')],
    misses: [header('host', 'example.com'), header('host', 'example.com:443')],
  },
  '100084': {
    hits: [
      { ...get('/'), method: 'TRACE' },
      { ...get('/'), method: 'DEBUG' },
    ],
    misses: [get('/'), { ...get('/'), method: 'OPTIONS' }],
  },
  '100084B': {
    hits: [{ ...get('/'), method: 'FOOBAR' }],
    misses: [get('/'), { ...get('/'), method: 'PROPFIND' }],
  },
  '100085': {
    hits: [header('x-http-method-override', 'TRACE')],
    misses: [header('x-http-method-override', 'PATCH')],
  },
  '100086': { hits: [header('proxy', 'http://evil.example')], misses: [header('via', '1.1 proxy')] },
  '100087': {
    hits: [header('x-original-url', '/admin'), header('x-rewrite-url', '/admin')],
    misses: [header('x-forwarded-host', 'www.example.com'), header('x-url', '/a')],
  },
  '100088': {
    hits: [header('range', `bytes=0-${',5-0'.repeat(40)}`)],
    misses: [header('range', 'bytes=0-1023'), header('range', 'bytes=0-5, 10-15, 20-25')],
  },
  '100088B': {
    hits: [header('range', 'bytes=0-18446744073709551615')],
    misses: [header('range', 'bytes=0-18446744')],
  },
  '100089': {
    hits: [
      post('/', 'application/x-www-form-urlencoded; charset=ibm037', 'x'),
      post('/', 'text/xml; charset="utf-7"', 'x'),
    ],
    misses: [post('/', 'text/plain; charset=utf-8', 'x'), post('/', 'text/plain; charset=iso-8859-1', 'x')],
  },
  '100089B': {
    hits: [post('/', 'multipart/form-data; boundary=a; boundary=b', 'x')],
    misses: [post('/', 'multipart/form-data; boundary=----WebKitFormBoundaryabc', 'x')],
  },
  '100089C': {
    hits: [post('/', "%{(#_='multipart/form-data')}", 'x'), post('/', '${7}', 'x')],
    misses: [post('/', 'application/vnd.api+json; profile="https://example.com/x"', '{}')],
  },
  '100090': { hits: [get('/a%08b'), get('/%1b%5b')], misses: [get('/a%09b'), get('/%E3%81%82')] },
  '100090B': {
    hits: [get('/a%25253Cscript'), get('/%25252e%25252e/')],
    misses: [get('/?next=%252Fhome%253Fa%253D1'), get('/?d=50%2525'), get('/?u=%25252Fa%252522b')],
  },
  '100090C': {
    hits: [get('/a%253Cb'), get('/%250d%250a')],
    misses: [get('/?next=%252Fa%2527b'), get('/100%25'), get('/ad;kw=%2522shoes%2522')],
  },
  '100091': { hits: [get(`/?${long(17_000)}`)], misses: [get(`/?${long(4_000)}`)] },
  '100091B': { hits: [form(fields(2_100))], misses: [form(fields(300))] },
  '100092': {
    hits: [{ ...get('/'), body: 'x' }],
    misses: [get('/'), form('x')],
  },
  '100093': { hits: [get('/')], misses: [agent('curl/8.5.0')] },
  '100094': {
    hits: [
      post('/', 'text/plain', '0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n'),
      header('transfer-encoding', 'xchunked'),
    ],
    misses: [
      post('/', 'text/plain', 'Send GET /admin HTTP/1.1'),
      header('transfer-encoding', 'gzip, chunked'),
    ],
  },
  '100095': {
    hits: [header('referer', 'https://x.example/%0d%0aSet-Cookie: a=b')],
    misses: [header('referer', 'https://x.example/?t=a%0Ab:c')],
  },
  '100096': {
    hits: [header('x-forwarded-host', 'a."><script>'), header('x-forwarded-host', 'https://evil.example')],
    misses: [header('x-forwarded-host', 'www.example.com'), header('x-forwarded-host', 'a.example:8080')],
  },
  '100097': {
    hits: [json({ query: 'query { __schema { types { name } } }' })],
    misses: [json({ query: '{ __typename }' }), query('__schema')],
  },
  '100097B': {
    hits: [json({ query: `${'{ friends '.repeat(40)}${'}'.repeat(40)}` }, '/graphql')],
    misses: [json({ query: `${'{ friends '.repeat(10)}${'}'.repeat(10)}` }, '/graphql')],
  },
  '100080B': {
    hits: [get('/?u=x%E5%98%8D%E5%98%8ASet-Cookie:a=b')],
    misses: [get('/?q=%E5%98%8E')],
  },
  '100082': {
    hits: [header('host', 'example.com<script>'), header('host', 'example.com/admin')],
    misses: [header('host', 'example.com:8443'), header('host', '[2001:db8::1]:80')],
  },
};
