import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readHttpFile } from './http-file.ts';
import type { ReadEntry, RecordedRequest } from './recorded-request.ts';

const defaults = { host: 'shop.example', hostOverride: undefined, ip: '192.0.2.1' };

function read(text: string): readonly ReadEntry[] {
  return readHttpFile(Buffer.from(text).toString('latin1'), {
    defaults,
    readIncluded: (path) => {
      if (path === './body.bin') return Buffer.from([0, 255]);
      throw new Error(`there is no file ${path}`);
    },
  });
}

function requestOf(entry: ReadEntry | undefined): RecordedRequest {
  if (entry?.kind === 'request') return entry.request;
  throw new Error(entry?.reason ?? 'there is none');
}

test('readHttpFile reads request lines, headers, bodies and what is expected', () => {
  const entries = read(`# a comment
@host = shop.example

https://{{host}}/a?q={{7*7}}

### a form
# @expect block
POST https://{{host}}/contact HTTP/1.1
Content-Type: application/x-www-form-urlencoded
X-Name: Müller

message=a
 b

###
GET /list
  ?page=2
  &sort=é
`);
  equal(entries.length, 3);
  const [first, form, list] = entries.map((entry) => requestOf(entry));
  deepEqual([first!.method, first!.host, first!.target], ['GET', 'shop.example', '/a?q={{7*7}}']);
  deepEqual([form!.method, form!.target, form!.body?.toString()], ['POST', '/contact', 'message=a\n b']);
  deepEqual(form!.headers.at(-1), ['X-Name', Buffer.from('Müller').toString('latin1')]);
  deepEqual([entries[1]!.expected, entries[1]!.at, entries[0]!.expected], ['block', 'line 8', undefined]);
  equal(list!.target, `/list?page=2&sort=${Buffer.from('é').toString('latin1')}`);
});

test('readHttpFile ends lines of multipart bodies in CR LF, and takes bodies from files', () => {
  const [parts, file, missing] = read(`POST /a
Content-Type: multipart/form-data; boundary=x

--x
Content-Disposition: form-data; name="a"

1
--x--
###
PUT /b

< ./body.bin
###
PUT /c

< ./none.bin
`);
  equal(
    requestOf(parts).body?.toString(),
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
  );
  deepEqual([...requestOf(file).body!], [0, 255]);
  deepEqual(missing, { kind: 'unreadable', reason: 'there is no file ./none.bin', at: 'line 14' });
});

test('readHttpFile says on which line a request cannot be read', () => {
  const entries = read(`GET
###
POST /a
no header here

body
###

# only a comment
###
GET /a b
`);
  deepEqual(
    entries.map((entry) => [entry.at, entry.kind === 'unreadable' ? entry.reason : 'a request']),
    [
      ['line 1', 'this is not a request line: METHOD URL'],
      ['line 4', 'this is not a header: NAME: VALUE'],
      ['line 11', 'this is not a request line: METHOD URL'],
    ],
  );
});
