/** The parsers of untrusted bytes, their promises, and the initial inputs of each. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { format, parse, toJson } from '#expressions';
import { parsePattern } from '#regex';
import { listBodyParts, readJsonArguments, readUrlencoded, readXml } from '#request';
import { loadRules, SecLangError } from '#seclang';
import { readJson } from '#shapes';
import { decodeValue, encodeValue } from '#values';
import { ChunkedDecoder } from '../../src/traffic/edge/wire/body/chunked-decoder.ts';
import { defaultLimits } from '../../src/traffic/edge/wire/limits.ts';
import { Refusal } from '#edge';
import { parseRequestHead } from '../../src/traffic/edge/wire/request/parse-request-head.ts';
import { checkRecords, recordSeeds } from './stored-records.ts';
import { cookies, escapes, jsonText, multipart } from './formats.ts';
import { checkFrames, frameSeeds } from './link-frames.ts';
import { checkHttp2, http2Seeds } from './http2-frames.ts';
import { proxyHeaders } from './proxy-headers.ts';
import { htmlWords, sqlWords } from './attack-words.ts';
import { publishedLists } from './published-lists.ts';
import { eventStreams, lines, tar } from './streams.ts';
import type { FuzzedReader } from './reader.ts';

const json: FuzzedReader = {
  name: 'json',
  seeds: ['{"a":[1,2.5e3,"x",null,true],"b":{"c":"\\u00e9"}}', '[]', '"\\ud83d\\ude00"'],
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
    '1e400',
    '-',
    'null',
    'true',
    '__proto__',
    '"a":',
    '\ufeff',
  ],
  /** `JSON.parse` reads every accepted input as the same value. */
  check(input) {
    const result = readJson(input);
    if (!result.ok) return;
    const text = new TextDecoder().decode(input);
    deepEqual(result.value, JSON.parse(text));
  },
};

const head: FuzzedReader = {
  name: 'head',
  seeds: [
    'POST /a?b=c HTTP/1.1\r\nHost: example.com:8080\r\nAccept: */*\r\nContent-Length: 3',
    'GET http://a/ HTTP/1.1\r\nHost: a\r\nConnection: close, x\r\nCookie: a=b; c=d',
    'GET / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\nX-Forwarded-For: 1.2.3.4',
  ],
  words: [
    '\r\n',
    '\n',
    ':',
    ' ',
    '\t',
    '\0',
    'Host: b',
    'Transfer-Encoding: chunked',
    'Content-Length: 5',
    'HTTP/1.0',
    '%2f',
    '..',
    '\x80',
  ],
  /** An accepted head has the same meaning when its lines are written again. */
  check(input) {
    const text = input.toString('latin1');
    const read = parseRequestHead(text, defaultLimits);
    if (read instanceof Refusal) return;
    ok(!/[\0\r\n]/.test(read.target), 'a target has no control characters');
    for (const [name, value] of read.headers) {
      ok(/^[\w!#$%&'*+.^`|~-]+$/.test(name), `a name is a token: ${JSON.stringify(name)}`);
      ok(!/[\0\r\n]/.test(value), 'a value has no control characters');
    }
    const written = [
      `${read.method} ${read.target} HTTP/${read.httpVersion}`,
      ...read.headers.map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n');
    const again = parseRequestHead(written, defaultLimits);
    ok(!(again instanceof Refusal), `what was taken is refused when it is written again: ${written}`);
    deepEqual([again.host, again.framing, again.headers], [read.host, read.framing, read.headers]);
  },
};

const chunked: FuzzedReader = {
  name: 'chunked',
  seeds: ['5\r\nhello\r\n6;a="b"\r\n world\r\n0\r\nA: b\r\n\r\nrest', '00A\r\n0123456789\r\n0\r\n\r\n'],
  words: ['\r\n', '\n', '0\r\n\r\n', 'ffffffff', 'fffffffffffffffff', ';', '=', '-1', ' ', '\t', '0x'],
  /** The same body and the same rest wherever the bytes are split, and no end for an unterminated body. */
  check(input) {
    const expected = decodeChunked(input, input.length);
    for (const size of [1, 2, 3, 7]) deepEqual(decodeChunked(input, size), expected);
  },
};

function decodeChunked(input: Buffer, size: number): object {
  const decoder = new ChunkedDecoder();
  const pieces: Buffer[] = [];
  for (let at = 0; at < input.length; at += Math.max(1, size)) {
    // The decoder moves bytes inside of what it is given.
    const piece = Buffer.from(input.subarray(at, at + size));
    pieces.push(Buffer.from(decoder.decode(piece)));
    if (decoder.isBroken) return { state: 'not done' };
    if (decoder.isDone) return { state: 'done', body: Buffer.concat(pieces), rest: at + decoder.restOffset };
  }
  return { state: 'not done' };
}

const form: FuzzedReader = {
  name: 'form',
  seeds: ['a=b&c=%41+d&e[f]=g', '{"a":{"b":[1,"x"]}}', '<a b="c"><![CDATA[x]]>&amp;</a>'],
  words: [
    '&',
    '=',
    '%',
    '%00',
    '%u0041',
    '+',
    '[',
    ']',
    '{',
    '"',
    '<',
    '>',
    '<!ENTITY',
    ']]>',
    '&#x41;',
    ';',
  ],
  /** Every parser of a form accepts any bytes. */
  check(input) {
    const body = input.toString('latin1');
    readUrlencoded(body);
    readJsonArguments(body);
    readXml(body);
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/xml', ''])
      listBodyParts(body, type);
  },
};

const expressions: FuzzedReader = {
  name: 'expressions',
  seeds: [
    'http.host eq "example.com" and ip.src in {10.0.0.0/8 192.0.2.1}',
    'not (http.request.uri.path contains "/admin" or ssl)',
    'any(lower(http.request.headers["a"][*])[*] matches r#"a.b"#)',
    'http.request.body.size > 5 && len(http.user_agent) le 0x1F',
  ],
  words: [
    'and',
    'or',
    'not',
    'xor',
    '(',
    ')',
    '{',
    '}',
    '"',
    'r#"',
    '[*]',
    '["a"]',
    'in',
    'eq',
    '&',
    '~',
    'matches',
    'lower(',
    'http.host',
    'ip.src',
    '$list',
    '..',
    '/24',
    '\\x41',
  ],
  /** A parsed value is the same when it is written and parsed again. */
  check(input) {
    const source = input.toString('utf8');
    const parsed = parse(source);
    if (!parsed.ok) return;
    const written = format(parsed.tree);
    const again = parse(written);
    ok(again.ok, `what was written is refused: ${written}`);
    deepEqual(toJson(again.tree), toJson(parsed.tree));
  },
};

const seclang: FuzzedReader = {
  name: 'seclang',
  seeds: [
    'SecRule ARGS|!ARGS:a "@rx ^a.*b$" "id:1,phase:2,deny,t:none,t:lowercase,msg:\'x\',chain"\n  SecRule &REQUEST_HEADERS:Host "@eq 0" "setvar:tx.a=+1"\n',
    'SecAction "id:900,phase:1,pass,nolog,setvar:tx.b=%{tx.a}"\nSecMarker END\n',
  ],
  words: [
    'SecRule',
    'SecAction',
    'SecMarker',
    'SecRuleRemoveById',
    'ARGS',
    '"',
    "'",
    '\\\n',
    ',',
    ':',
    '%{',
    '}',
    '@rx ',
    '@pm ',
    '@within ',
    'id:',
    't:',
    'ctl:',
    'chain',
    '&',
    '|',
    '!',
    '/a/',
  ],
  /** Rules are accepted, or refused by an error that names the file and the line. */
  check(input) {
    const files = [{ name: 'a.conf', text: input.toString('latin1') }];
    const readData = (): string => 'a\nb\n';
    try {
      loadRules({ files, readData });
    } catch (error) {
      if (!(error instanceof SecLangError)) throw error;
    }
  },
};

const regex: FuzzedReader = {
  name: 'regex',
  seeds: ['^a(b|c)*[d-f]+?$', '(?i)\\bselect\\s+.{0,20}?from', '[^\\x00-\\x1f]{2,5}|\\p{L}'],
  words: [
    '(',
    ')',
    '(?:',
    '(?i)',
    '(?=',
    '[',
    ']',
    '{1,3}',
    '{1000}',
    '*',
    '+?',
    '|',
    '^',
    '$',
    '\\b',
    '\\d',
    '\\p{L}',
    '\\x41',
    '.',
    '[[:alpha:]]',
  ],
  /** Any bytes are a pattern or refused, and a pattern terminates on any text. */
  check(input) {
    const source = input.toString('latin1');
    for (const dialect of ['rust', 'pcre'] as const) {
      const parsed = parsePattern(source, dialect);
      if (!parsed.ok) continue;
      for (const text of ['', 'abc', 'SELECT a FROM b', 'a'.repeat(300)]) parsed.pattern.test(text);
    }
  },
};

const values: FuzzedReader = {
  name: 'values',
  seeds: [
    encodeValue({ a: [1, 'x', new Map([[1, new Set([2n])]])], d: new Date(0), r: /a/g }),
    encodeValue(new Uint8Array(5)),
  ],
  words: ['\xff\x0f', 'o', '"', 'A', '{', '\x80\x80\x80\x80\x08', '^', 'B', 'V', '\0'],
  /** Accepted stored bytes give a value whose encoding decodes to the same value. */
  check(input) {
    let value: unknown;
    try {
      value = decodeValue(input);
    } catch (error) {
      if (error instanceof Error && !(error instanceof TypeError && /undefined|null/.test(error.message)))
        return;
      throw error;
    }
    // V8 decodes some bytes of old formats as a buffer that cannot be copied.
    if (input[0] !== 0xff || input[1] !== 0x0f) return;
    const again = encodeValue(value);
    deepEqual(decodeValue(again), value);
  },
};

const frames: FuzzedReader = {
  name: 'frames',
  seeds: frameSeeds,
  words: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01\0\0\0', '\0', '\x7f'],
  check: checkFrames,
};

const http2: FuzzedReader = {
  name: 'http2',
  seeds: http2Seeds,
  words: [
    '\0\0\0',
    '\0\0\x04',
    '\0\0\x08',
    '\x01\x05\0\0\0\x01',
    '\0\x01\0\0\0\x03',
    '\x04\0\0\0\0\0',
    '\x7f\xff\xff\xff',
    '\x82',
    '\xbe',
    '\x3f\xe1\x1f',
  ],
  check: checkHttp2,
};

const records: FuzzedReader = {
  name: 'records',
  seeds: recordSeeds,
  words: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01', '\0'],
  check: checkRecords,
};

export const readers: readonly FuzzedReader[] = [
  json,
  head,
  chunked,
  escapes,
  cookies,
  jsonText,
  multipart,
  form,
  expressions,
  seclang,
  regex,
  values,
  frames,
  http2,
  proxyHeaders,
  records,
  lines,
  eventStreams,
  tar,
  publishedLists,
  sqlWords,
  htmlWords,
];

export function findReader(name: string): FuzzedReader {
  const found = readers.find((each) => each.name === name);
  equal(
    found !== undefined,
    true,
    `there is no reader ${name}: ${readers.map((each) => each.name).join(', ')}`,
  );
  return found!;
}
