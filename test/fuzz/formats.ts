/**
 * The readers of the formats in which requests carry values, each beside everybody who asks it: rules, detectors, SecLang,
 * exceptions, explanations, masks, learning, the API, and what the origin gets. What is expected comes from Node's own
 * parsers, or from a few lines here that share no code with the reader.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import querystring from 'node:querystring';
import { bytesOf, decodeUrlEscapes, findCookies, showText, textOf, visitPairs } from '#text';
import { Refusal } from '#edge';
import { RequestView } from '#expressions';
import { visitDecodedStrings } from '#detection';
import { listLearnedValues } from '#learning';
import {
  FormTexts,
  listBodyParts,
  listCookieParts,
  listQueryParts,
  readJsonArguments,
  readMultipart,
  readUrlencoded,
  type RequestFacts,
  RequestFields,
  splitUri,
} from '#request';
import { readForm } from '#contract';
import { markAddress } from '../../src/browser/page/pages/events/event/mark-request.ts';
import { maskBody, maskParameters } from '../../src/program/observability/access-log/mask-secrets.ts';
import { url_decode } from '../../src/rules/expressions/functions/url_decode.ts';
import { leaveOutParts } from '../../src/rules/request/arguments/left-out-parts.ts';
import { visitRequest } from '../../src/rules/request/arguments/request-values.ts';
import { listJsonParts } from '../../src/rules/request/json-parts.ts';
import { normalizeEscapes } from '../../src/rules/request/url-normalization.ts';
import { readBodyParts } from '../../src/rules/seclang/variables/body-parts.ts';
import { RequestVariables } from '../../src/rules/seclang/variables/request-variables.ts';
import { RequestSecrets } from '../../src/traffic/events/judged/secrets.ts';
import { writeRequestHead } from '../../src/traffic/edge/wire/forwarded-head.ts';
import { defaultLimits } from '../../src/traffic/edge/wire/limits.ts';
import { parseRequestHead } from '../../src/traffic/edge/wire/request/parse-request-head.ts';
import type { FuzzedReader } from './reader.ts';

type Pair = readonly [name: string, value: string];

function factsOf(query: string, headers: RequestFacts['headers'], body = ''): RequestFacts {
  return {
    method: 'POST',
    version: 'HTTP/1.1',
    uri: { ...splitUri('/'), query },
    path: '/',
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

/** The values that detectors inspect, in order. */
function listVisited({ uri, headers, body }: RequestFacts, kind: string): readonly Pair[] {
  const found: Pair[] = [];
  visitRequest(
    { path: '/', query: uri.query ?? '', headers, body },
    {
      value: (place, getName, value) => void (place === kind && found.push([getName(), value])),
      name: () => {},
      document: () => {},
      inHeader: () => {},
    },
  );
  return found;
}

/** Node's types do not declare it. */
const { unescapeBuffer } = querystring as unknown as { unescapeBuffer: (text: string) => Buffer };

/** By Node: `%zz` stays, and a plus in a form is a space. */
function decodeByNode(text: string, isForm = true): string {
  return unescapeBuffer(isForm ? text.replaceAll('+', ' ') : text).toString('latin1');
}

function isIn(all: readonly Pair[], [name, value]: Pair): boolean {
  return all.some((pair) => pair[0] === name && pair[1] === value);
}

const isAscii = (text: string): boolean => !/[\x80-\xff]/.test(text);

const decodeByRule = url_decode.prepare([] as never) as unknown as (text: string) => string;

export const escapes: FuzzedReader = {
  name: 'escapes',
  seeds: ['a=b%20c+d%2B%2f&%6eame=%zz', '%%361%u0041%zz%', 'q=%C3%A9&q=\xe9', 'pass%77ord=a%2Bb&&x'],
  words: [
    '%',
    '%2',
    '%25',
    '+',
    '%u',
    '%u00',
    '%00',
    '%c3%a9',
    '2e',
    '41',
    '/',
    '=',
    '&',
    '\xe9',
    '%3D',
    '%26',
  ],
  check(input) {
    const text = input.toString('latin1');
    const decoded = decodeByNode(text);
    equal(decodeUrlEscapes(text), decoded);
    equal(decodeUrlEscapes(text, { keepsPlus: true }), decodeByNode(text, false));
    equal(decodeByRule(text), decoded, 'url_decode');
    equal(decodeByNode(normalizeEscapes(text), false), decodeByNode(text, false), 'the path for the origin');
    const isUnclear = decoded !== text && text.includes(decoded);
    if (isAscii(text) && text !== '' && textOf(decoded) !== undefined && !isUnclear)
      deepEqual(markAddress(text, [{ text: textOf(decoded)! }]), [{ text, isMarked: true }], 'the page');
    checkPairs(text);
  },
};

function checkPairs(text: string): void {
  const sent = text
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece): Pair => {
      const at = piece.indexOf('=');
      return at === -1 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)];
    });
  const decoded = sent.map(([name, value]): Pair => [decodeByNode(name), decodeByNode(value)]);
  const facts = factsOf(text, [['content-type', 'application/x-www-form-urlencoded']], text);
  const fields = new RequestFields(facts);
  for (const field of ['http.request.uri.args', 'http.request.body.form'])
    if (text !== '')
      deepEqual(
        [fields.read(`${field}.names`), fields.read(`${field}.values`)],
        [sent.map(([name]) => name), sent.map(([, value]) => value)],
        field,
      );
  deepEqual(
    readUrlencoded(text).map(({ name, value }): Pair => [name, value]),
    decoded,
    'SecLang and learning',
  );
  const named = listQueryParts(text).map(({ name, value }): Pair => [name, decodeByNode(value)]);
  deepEqual(named, decoded.slice(0, 1_000), 'explanations');
  const visited = listVisited(factsOf(text, []), 'argument');
  for (const pair of decoded) ok(pair[1] === '' || isIn(visited, pair), 'detectors');
  const learned = listLearnedValues({ query: text, contentType: '', body: '' });
  for (const { name, value } of learned) ok(isIn(decoded, [name, value]), 'learning');
  const [first] = decoded;
  if (first === undefined) return;
  const left = leaveOutParts(factsOf(text, []), [{ kind: 'argument', name: first[0] }]).uri.query ?? '';
  deepEqual(
    readUrlencoded(left).map(({ name, value }): Pair => [name, value]),
    decoded.map(([name, value]): Pair => [name, name === first[0] ? '' : value]),
    'exceptions',
  );
  const masked: Pair[] = [];
  const line = maskParameters(text);
  visitPairs(line, (start, nameEnd, valueStart, end) =>
    masked.push([line.slice(start, nameEnd), line.slice(valueStart, end)]),
  );
  equal(line.length, text.length);
  for (const [index, [name, value]] of sent.entries()) {
    equal(masked[index]![0], name);
    if (!/password/.test(decoded[index]![0])) continue;
    ok(!/[A-WYZa-wyz1-9]/.test(masked[index]![1].replaceAll(/%[0-9a-f]{2}/gi, '')), `masks: ${value}`);
  }
}

const forwarding = {
  claims: undefined,
  host: undefined,
  clientAddress: '192.0.2.1',
  shownAddress: undefined,
  peerAddress: '192.0.2.1',
  isPeerTrusted: false,
  isSecure: false,
  requestId: 'ray',
  loopToken: 'loop',
  additions: undefined,
  isUpgrade: false,
  isLast: false,
};

export const cookies: FuzzedReader = {
  name: 'cookies',
  seeds: [
    'a=1; b=2;c =3 ; d= 4',
    'x=voil\xc3\xa0; \xc3\xa0=1',
    'a%20b="q"; a+b=%27;; ;flag',
    's=1\r\nCookie: t=2',
  ],
  words: [';', '; ', '=', ' ', '\t', '\xa0', '%3b', '%3D', '"', ',', '+', '%', '\r\nCookie: ', 'a=', '\x0b'],
  check(input) {
    const written = `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${input.toString('latin1')}`;
    const head = parseRequestHead(written, defaultLimits);
    if (head instanceof Refusal) return;
    const headers = head.headers.filter(([name]) => name.toLowerCase() === 'cookie');
    const forwarded = writeRequestHead(head, { ...forwarding, target: head.target });
    const received = forwarded.split('\r\n').filter((line) => /^cookie:/i.test(line));
    deepEqual(
      received,
      headers.map(([name, value]) => `${name}: ${value}`),
      'the origin',
    );
    const text = headers.map(([, value]) => value).join('; ');
    const sent = splitCookies(text);
    const names = sent.map(({ name }) => decodeByNode(name, false));
    const pairs = sent.map(({ value }, index): Pair => [names[index]!, value]);
    const facts = factsOf('', headers);
    const map = new Map<string, string[]>();
    for (const [name, value] of pairs) map.set(name, [...(map.get(name) ?? []), value]);
    deepEqual(new RequestFields(facts).read('http.request.cookies'), map, 'rules');
    deepEqual(
      listCookieParts(text).map(({ name, value }): Pair => [name, value]),
      pairs.slice(0, 1_000),
      'explanations',
    );
    const request = { headers, target: '/', body: '' } as never;
    deepEqual(
      new RequestVariables(request, {} as never).cookies.map(([name, value]) => [
        decodeByNode(name, false),
        value,
      ]),
      pairs,
      'SecLang',
    );
    const visited = listVisited(facts, 'cookie');
    for (const [name, value] of pairs)
      ok(value === '' || isIn(visited, [name, decodeByNode(value, false)]), 'detectors');
    for (const { name, hasValue } of sent) {
      const values = sent.filter((each) => each.hasValue && each.name === name).map(({ value }) => value);
      if (hasValue && name !== '') deepEqual(findCookies(text, name), values, 'the edge and sessions');
    }
    checkHiddenCookies(facts, sent);
    const [first] = names;
    if (first === undefined) return;
    const left = leaveOutParts(facts, [{ kind: 'cookie', name: first }]).headers;
    deepEqual(
      splitCookies(left.map(([, value]) => value).join('; ')).map(({ name, value }): Pair => [
        decodeByNode(name, false),
        value,
      ]),
      pairs.map(([name, value], index): Pair => [name, name === first && sent[index]!.hasValue ? '' : value]),
      'exceptions',
    );
  },
};

/** As most servers do: PHP alone keeps blanks behind names. */
function splitCookies(text: string) {
  return text
    .split(';')
    .map((piece) => piece.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, name, value] = /^([^=]*?)[ \t]*=[ \t]*([^]*)$/.exec(piece) ?? [];
      return { name: name ?? piece, value: value ?? '', hasValue: value !== undefined };
    });
}

function checkHiddenCookies(facts: RequestFacts, sent: ReturnType<typeof splitCookies>): void {
  const secrets = new RequestSecrets(new RequestView(new RequestFields(facts)));
  for (const { value } of sent.slice(0, 3))
    if (value.length >= 3 && value.length < 100)
      equal(secrets.show(value, 0, value.length), '(hidden)', 'explanations hide it');
}

export const jsonText: FuzzedReader = {
  name: 'json-text',
  seeds: [
    '{"a":[1,2.5e3,"x",null,true],"b":{"c":"\\u00e9","password":"hunter2"},"a":"y"}',
    '[{"a":"b"},"c",{"d.e":{}}]',
    '"\\ud83d\\ude00"',
    '{"cut": "off\\',
  ],
  words: [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    '\\u',
    '\\u0022',
    'null',
    '1',
    '"a":',
    '"password":',
    '\\"',
    ' ',
  ],
  check(input) {
    const text = input.toString('latin1');
    const parts = listJsonParts(text, Infinity);
    let before = 0;
    for (const { value, at } of parts) {
      ok(at.value >= before && text.slice(at.value, at.value + value.length) === value, 'in order');
      before = at.value + value.length;
    }
    const places = new Map(parts.map((part) => [part.at.value, part]));
    visitDecodedStrings(text, (value, isName, at) => {
      const part = places.get(at);
      ok(part !== undefined || value === '', 'detectors read a string that explanations do not name');
      equal(part?.kind ?? 'JSON value', isName ? 'JSON name' : 'JSON value');
    });
    const masked = listJsonParts(maskBody(text, 'application/json'), Infinity);
    deepEqual(
      masked.map(({ kind, at }) => [kind, at]),
      parts.map(({ kind, at }) => [kind, at]),
      'masks',
    );
    checkParsedJson(
      text,
      parts.filter(({ kind }) => kind === 'JSON value'),
    );
  },
};

function checkParsedJson(text: string, values: ReturnType<typeof listJsonParts>): void {
  let document: unknown;
  try {
    document = JSON.parse(showText(text));
  } catch {
    return;
  }
  const { list } = readJsonArguments(text);
  const shown = values.map(({ value, decoded }) => (value === 'null' ? ['', decoded] : [decoded, decoded]));
  for (const [index, { value }] of list.entries()) ok(shown[index]!.includes(value), 'SecLang');
  equal(list.length, values.length);
  const pairs = values.map(({ name, decoded }): Pair => [name, decoded]);
  if (isAscii(text))
    for (const pair of walk('', document, 0))
      ok(isIn(pairs, pair), `JSON.parse sees ${JSON.stringify(pair)}`);
  const learned = listLearnedValues({ query: '', contentType: 'application/json', body: text });
  for (const { place, name, value } of learned)
    if (place === 'JSON value') ok(isIn(pairs, [name, value]), 'learning');
  const wanted = values.find(({ at, value }) => text[at.value - 1] === '"' && value !== '');
  if (wanted === undefined || !/^[\s]*[[{"]/.test(text)) return;
  const exception = [{ kind: 'JSON value', name: wanted.name.replaceAll('[*]', '[0]') }];
  const { body } = leaveOutParts(factsOf('', [['content-type', 'application/json']], text), exception);
  deepEqual(
    listJsonParts(body, Infinity)
      .filter(({ kind }) => kind === 'JSON value')
      .map(({ name, value }): Pair => [name, value]),
    values.map(({ name, value, at }): Pair => [
      name,
      name === exception[0]!.name && text[at.value - 1] === '"' ? '' : value,
    ]),
    'exceptions',
  );
}

/** Below the depth at which names are cut. */
function walk(name: string, value: unknown, depth: number): readonly Pair[] {
  if (depth > 31) return [];
  if (Array.isArray(value)) return value.flatMap((part, index) => walk(`${name}[${index}]`, part, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) =>
      walk(depth === 0 ? bytesOf(key) : `${name}.${bytesOf(key)}`, part, depth + 1),
    );
  return typeof value === 'string' ? [[name, bytesOf(value)]] : [];
}

const multipartType = 'multipart/form-data; boundary=b';

export const multipart: FuzzedReader = {
  name: 'multipart',
  seeds: [
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n',
    '--b\nContent-Disposition: form-data;\n name=password\n\nhunter2\n--b--\n--b\r\nContent-Disposition: form-data; name="after"\r\n\r\nc\r\n--b--',
  ],
  words: [
    '--b',
    '--b--',
    '\r\n',
    '\n',
    ';',
    '"',
    "'",
    '\\',
    'name=',
    'name="a"',
    'filename="b"',
    'Content-Disposition: form-data',
    '\r\n--b\r\n',
    '\r\n\r\n',
    ' ',
    '\xa0',
  ],
  async check(input) {
    const body = input.toString('latin1');
    readMultipart('--b\r\n\r\n--b--', `multipart/form-data; boundary=${body}`);
    const { parts, flaws } = readMultipart(body, multipartType);
    let before = 0;
    for (const { head, start, end } of parts) {
      ok(before <= head && head <= start && start <= end && end <= body.length, 'in order, without overlaps');
      before = end;
    }
    const contents = parts.map(({ content }) => content);
    const facts = factsOf('', [['content-type', multipartType]], body);
    const fields = new RequestFields(facts);
    deepEqual(fields.read('http.request.body.multipart.values'), contents, 'rules');
    deepEqual(
      fields.read('http.request.body.multipart.names'),
      parts.map(({ names }) => names),
    );
    const named = parts.filter(({ names }) => names.length > 0);
    const texts = named.filter(({ fileNames }) => fileNames.length === 0);
    const pairs = texts.flatMap(({ names, content }) => names.map((name): Pair => [name, content]));
    deepEqual(
      readBodyParts('MULTIPART', body, multipartType).list.map(({ name, value }) => [name, value]),
      pairs,
      'SecLang',
    );
    deepEqual(
      listBodyParts(body, multipartType).map(({ value }) => value),
      contents.slice(0, 1_000),
      'explanations',
    );
    const visited = new Set(listVisited(facts, 'multipart field').map(([, value]) => value));
    const isPlain = parts.every(({ headers }) => !headers.some((line) => /transfer-encoding/i.test(line)));
    if (isPlain) for (const { content } of texts) ok(visited.has(content), 'detectors');
    for (const { name, value } of listLearnedValues({ query: '', contentType: multipartType, body }))
      ok(isIn(pairs, [name, value]), 'learning');
    const masked = readMultipart(maskBody(body, multipartType), multipartType).parts;
    deepEqual(
      masked.map(({ head, start, end }) => [head, start, end]),
      parts.map(({ head, start, end }) => [head, start, end]),
      'masks',
    );
    checkLeftOut(facts, parts);
    checkStrictReaders(input, parts, flaws);
    if (isPlain && !/filename\*|_charset_/i.test(body)) await checkByNode(input, named, flaws);
  },
};

type Parts = ReturnType<typeof readMultipart>['parts'];

function checkLeftOut(facts: RequestFacts, parts: Parts): void {
  const name = parts[0]?.names[0];
  if (name === undefined) return;
  const { body } = leaveOutParts(facts, [{ kind: 'multipart field', name }]);
  const isLeftOut = ({ names, fileNames }: Parts[number]): boolean =>
    fileNames.length === 0 && names.length > 0 && names.every((each) => each === name);
  deepEqual(
    readMultipart(body, multipartType).parts.map(({ names, content }) => [names, content]),
    parts.map((part) => [part.names, isLeftOut(part) ? '' : part.content]),
    'exceptions',
  );
}

/** What the API and the reader of long forms accept has one reading. */
function checkStrictReaders(input: Buffer, parts: Parts, flaws: ReadonlySet<string>): void {
  const form = readForm(input, 'b');
  if (!('problem' in form)) {
    deepEqual([...flaws], []);
    deepEqual(
      form.map(({ bytes }) => Buffer.from(bytes).toString('latin1')),
      parts.map(({ content }) => content),
      'the API',
    );
  }
  const texts = FormTexts.start([['Content-Type', multipartType]], 1 << 20)!;
  for (let at = 0; at < input.length; at += 50) texts.push(input.subarray(at, at + 50));
  if (texts.state !== 'closed') return;
  const kept = readMultipart(texts.toBuffer().toString('latin1'), multipartType);
  deepEqual(
    kept.parts.map(({ names, fileNames, content }) => [names, fileNames, content]),
    parts.map(({ names, fileNames, content }) => [names, fileNames, content]),
    'long forms',
  );
}

/** The parser of `formData()` is one that origins use. It refuses most damaged forms. */
async function checkByNode(input: Buffer, named: Parts, flaws: ReadonlySet<string>): Promise<void> {
  let form: FormData;
  try {
    form = await new Response(input, { headers: { 'content-type': multipartType } }).formData();
  } catch {
    return;
  }
  const decode = (name: string): string =>
    showText(name).replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  const withoutMark = (content: string): string => showText(content).replace(/^\ufeff/, '');
  for (const [name, value] of form) {
    const [fileName, content] =
      typeof value === 'string' ? [undefined, value] : [value.name, await value.text()];
    const isSeen = named.some(
      (part) =>
        part.names.some((each) => decode(each) === name) &&
        (fileName === undefined
          ? part.fileNames.length === 0
          : part.fileNames.some((each) => decode(each) === fileName)) &&
        (withoutMark(part.content) === content ||
          // Node ends a content at the first half of a delimiter; what rules see goes on.
          (flaws.has('unmatched-boundary') && withoutMark(part.content).startsWith(content))),
    );
    ok(isSeen, `Node reads ${JSON.stringify([name, fileName, content])}`);
  }
}
