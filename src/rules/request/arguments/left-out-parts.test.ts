import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOutParts } from './left-out-parts.ts';
import { listQueryParts } from '../named-parts.ts';
import type { RequestFacts } from '../request-fields.ts';
import { splitUri } from '../uri.ts';

function factsOf(url: string, headers: RequestFacts['headers'] = [], body = ''): RequestFacts {
  const uri = splitUri(url);
  return {
    method: 'POST',
    version: 'HTTP/1.1',
    uri,
    path: uri.path,
    headers,
    body,
    bodySize: body.length,
    isBodyTruncated: false,
    ip: undefined,
    place: { country: '', asn: undefined },
    receivedAtMs: 0,
    response: { status: undefined, headers: [] },
  };
}

test('leaveOutParts empties arguments, whatever the spelling of their names', () => {
  const facts = factsOf('https://a.example/p?q=1&%71=2&r=q&q&q=');
  const left = leaveOutParts(facts, [{ kind: 'argument', name: 'q' }]);
  equal(left.uri.query, 'q=&%71=&r=q&q&q=');
  equal(leaveOutParts(facts, [{ kind: 'form field', name: 'q' }]).uri.query, facts.uri.query);
});

test('leaveOutParts empties the argument that explanations name', () => {
  const [part] = listQueryParts('a+b%21=1');
  equal(part!.name, 'a b!');
  equal(leaveOutParts(factsOf('/?a+b%21=1'), [{ kind: 'argument', name: part!.name }]).uri.query, 'a+b%21=');
});

test('leaveOutParts empties headers and single cookies', () => {
  const facts = factsOf('https://a.example/', [
    ['X-Note', 'a'],
    ['Cookie', 'a=1; note=2;note =3; b=4'],
  ]);
  const parts = [
    { kind: 'header', name: 'x-note' },
    { kind: 'cookie', name: 'note' },
  ];
  deepEqual(leaveOutParts(facts, parts).headers, [
    ['X-Note', ''],
    ['Cookie', 'a=1; note=;note =; b=4'],
  ]);
});

test('leaveOutParts empties fields of forms, of multipart forms and strings of JSON', () => {
  const type = (value: string): RequestFacts['headers'] => [['Content-Type', value]];
  const form = factsOf('/', type('application/x-www-form-urlencoded'), 'a=1&note=%27+or+1&note2=3');
  equal(leaveOutParts(form, [{ kind: 'form field', name: 'note' }]).body, 'a=1&note=&note2=3');
  const json = factsOf(
    '/',
    type('application/json'),
    '{"items":[{"note":"a\\"b","n":1},{"note":"c"}],"note":"d"}',
  );
  const every = [{ kind: 'JSON value', name: 'items[*].note' }];
  equal(leaveOutParts(json, every).body, '{"items":[{"note":"","n":1},{"note":""}],"note":"d"}');
  const second = [{ kind: 'JSON value', name: 'items[1].note' }];
  equal(leaveOutParts(json, second).body, '{"items":[{"note":"a\\"b","n":1},{"note":""}],"note":"d"}');
  const part = (name: string, value: string): string =>
    `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
  const build = (note: string): string =>
    `${part('name="a"', 'same')}${part('name="note"', note)}${part('name="note"; filename="note"', 'same')}--x--\r\n`;
  const multipart = factsOf('/', type('multipart/form-data; boundary=x'), build('same'));
  equal(leaveOutParts(multipart, [{ kind: 'multipart field', name: 'note' }]).body, build(''));
});

test('leaveOutParts leaves a form alone that starts like JSON', () => {
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
  const exception = [{ kind: 'JSON value', name: 'note' }];
  const form = '{"note":"&q=attack';
  equal(leaveOutParts(factsOf('/', headers, form), exception).body, form);
  equal(leaveOutParts(factsOf('/', headers, '{"note":"a"}'), exception).body, '{"note":""}');
});

test('leaveOutParts empties texts and attributes of XML by their path', () => {
  const xml = (note: string, id: string): string =>
    `<?xml version="1.0"?><order><item id="${id}"><note>${note}</note><!-- note --></item><note>kept</note></order>`;
  const facts = factsOf('/', [['Content-Type', 'text/xml']], xml('a &lt; b', "1' or 1"));
  equal(leaveOutParts(facts, [{ kind: 'XML text', name: 'order/item/note' }]).body, xml('', "1' or 1"));
  equal(leaveOutParts(facts, [{ kind: 'XML attribute', name: 'order/item@id' }]).body, xml('a &lt; b', ''));
  const section = factsOf('/', [], '<a><b><![CDATA[x]]></b><b>y</b></a>');
  equal(
    leaveOutParts(section, [{ kind: 'XML text', name: 'a/b' }]).body,
    '<a><b><![CDATA[]]></b><b></b></a>',
  );
});

test('leaveOutParts empties arguments of GraphQL wherever the document stands', () => {
  const document = (text: string): string => `mutation { add(input: {text: "${text}"}, to: "x") { id } }`;
  const parts = [{ kind: 'GraphQL argument', name: 'add.input.text' }];
  const body = (text: string): string => JSON.stringify({ query: document(text), variables: { text: 'v' } });
  const json = factsOf('/', [['Content-Type', 'application/json']], body("a' or 'b"));
  equal(leaveOutParts(json, parts).body, body(''));
  const plain = factsOf('/', [['Content-Type', 'application/graphql']], document('<script>'));
  equal(leaveOutParts(plain, parts).body, document(''));
  const inQuery = factsOf(`https://a.example/graphql?query=${encodeURIComponent(document('<script>'))}&b=1`);
  equal(decodeURIComponent(leaveOutParts(inQuery, parts).uri.query!), `query=${document('')}&b=1`);
  const inLists = [{ kind: 'GraphQL argument', name: 'add.tags[*]' }];
  const listed = factsOf('/', [], '{add(tags: ["a", "b"], text: "c") {id}}');
  equal(leaveOutParts(listed, inLists).body, '{add(tags: ["", ""], text: "c") {id}}');
});
