import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCaptured } from '../testing.ts';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-expr-'));
after(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, content: unknown): string {
  const file = join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('expr check says what is wrong and where, and exits with 1', async () => {
  const { code, stdout } = await runCaptured('expr', 'check', 'http.hots eq "a"');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    'Filter parsing error (1:1):\nhttp.hots eq "a"\n^^^^^^^^^ unknown identifier\nhint: did you mean http.host?\n',
  );
});

test('expr check says what a valid expression uses, and warns', async () => {
  const { code, stdout } = await runCaptured(
    'expr',
    'check',
    'ip.geoip.country eq "a" and lower(http.host) ~ "b"',
  );
  assert.equal(code, 0);
  assert.match(stdout, /^Filter warning \(1:1\):/);
  assert.match(
    stdout,
    /fields: ip\.geoip\.country, http\.host\nfunctions: lower\nneeds the plan business: .*\nvalid\n$/,
  );
});

test('expr check --json prints one object', async () => {
  const valid = JSON.parse((await runCaptured('expr', 'check', 'ip.src in $office', '--json')).stdout);
  assert.deepEqual(valid, { ok: true, warnings: [], fields: ['ip.src'], functions: [], lists: ['$office'], entitlements: [] }); // prettier-ignore
  const invalid = JSON.parse((await runCaptured('expr', 'check', '--json', '--value', 'ssl or')).stdout);
  assert.deepEqual(
    { ok: invalid.ok, code: invalid.error.code, column: invalid.error.column },
    { ok: false, code: 'unrecognised_input', column: 4 },
  );
});

test('expr format writes the canonical spelling, or the tree', async () => {
  assert.equal((await runCaptured('expr', 'format', 'ssl&&!ssl')).stdout, 'ssl and not ssl\n');
  assert.equal(
    (await runCaptured('expr', 'format', 'ssl', '--json')).stdout,
    '{"lhs":"ssl","op":"IsTrue"}\n',
  );
  assert.equal((await runCaptured('expr', 'format', 'ssl or true', '--width', '5')).stdout, 'ssl\nor true\n');
  assert.equal((await runCaptured('expr', 'format', 'ssl or')).code, 1);
});

const request = '{"url": "https://example.com/login", "ip": "10.0.0.1"}';

test('expr explain shows each part with what it saw', async () => {
  const expression = 'http.request.uri.path contains "log" or ssl';
  const { code, stdout } = await runCaptured('expr', 'explain', expression, '--request', request);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `true  ${expression}\n` +
      '  true  http.request.uri.path contains "log"    http.request.uri.path = "/login" (bytes 1 to 4)\n' +
      '  -  ssl\nmatches\n',
  );
});

test('expr explain names what a value is of, not only its field', async () => {
  const expression = 'len(http.host) eq 11 and any(http.request.headers["a"][*] eq "x")';
  const { stdout } = await runCaptured('expr', 'explain', expression, '--request', request);
  assert.match(stdout, /^ {2}true {2}len\(http\.host\) eq 11 {4}len\(http\.host\) = 11$/m);
  assert.match(stdout, / {4}http\.request\.headers\["a"\]\[\*\] = \[\]$/m);
});

test('expr explain reads the request from a file, and prints JSON', async () => {
  const file = fileOf('request.json', request);
  const { stdout } = await runCaptured('expr', 'explain', 'ip.src eq 10.0.0.1', '--request', file, '--json');
  const { kind, result, field, value } = JSON.parse(stdout);
  assert.deepEqual(
    { kind, result, field, value },
    { kind: 'comparison', result: true, field: 'ip.src', value: '10.0.0.1' },
  );
});

test('expr explain needs a request that is JSON', async () => {
  assert.equal((await runCaptured('expr', 'explain', 'ssl')).code, 2);
  assert.match(
    (await runCaptured('expr', 'explain', 'ssl', '--request', '{')).stderr,
    /--request must be JSON/,
  );
  assert.match(
    (await runCaptured('expr', 'explain', 'ssl', '--request', fileOf('list.json', '[]'))).stderr,
    /a request is a JSON object/,
  );
});

test('expr explain says what is wrong with a request', async () => {
  const messageFor = async (written: object): Promise<string> =>
    (await runCaptured('expr', 'explain', 'ssl', '--request', JSON.stringify(written))).stderr;
  assert.match(await messageFor({ uri: '/' }), /a request has no uri: did you mean url\?/);
  assert.match(await messageFor({ url: 5 }), /url of a request must be a string: 5/);
  assert.match(await messageFor({ ip: 'x' }), /ip of a request must be an address/);
  assert.match(await messageFor({ headers: { a: 1 } }), /headers of a request must be/);
  assert.match(await messageFor({ response: { code: 1 } }), /response of a request must be/);
});

test('expr test passes the cases of the project', async () => {
  const file = fileURLToPath(new URL('../../../../test/expressions/cases.json', import.meta.url));
  const { code, stdout } = await runCaptured('expr', 'test', file);
  assert.match(stdout, /^\d+ cases: \d+ passed, 0 failed\n$/);
  assert.equal(code, 0);
});

test('expr test reports what was expected and what came', async () => {
  const file = fileOf('failing.json', {
    cases: [
      { id: 'good', expr: 'ssl', facts: { ssl: true }, expect: { result: true } },
      { id: 'wrong', expr: 'ssl', expect: { result: true } },
      { expr: 'nope', expect: { result: true } },
      { id: 'message', expr: 'nope', expect: { error: { col: 2, message: 'unknown identifier' } } },
      {
        id: 'value',
        kind: 'value',
        expr: 'http.host',
        facts: { 'http.host': 'hex:ff' },
        expect: { value: 'a' },
      },
    ],
  });
  const { code, stdout } = await runCaptured('expr', 'test', file, '--all');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `ok    good
FAIL  wrong: ssl
      expected result true
      got      result false
FAIL  #3: nope
      expected result true
      got      error line 1, col 1, message "unknown identifier"
FAIL  message: nope
      expected error col 2, message "unknown identifier"
      got      error col 1, message "unknown identifier"
FAIL  value: http.host
      expected value "a"
      got      value "hex:ff"
5 cases: 1 passed, 4 failed
`,
  );
});

test('expr test tells a case that makes no sense from one that fails', async () => {
  const broken = [
    {},
    { expr: 'ssl' },
    { expr: 'ssl', expect: {} },
    { expr: 'ssl', request: 'x', expect: { result: true } },
    { expr: 'ssl', facts: { nope: 1 }, expect: { result: true } },
    { expr: 'ssl', facts: { ssl: 'yes' }, expect: { result: true } },
    { expr: 'ssl', options: { maxNestingDepth: '5' }, expect: { result: false } },
    { expr: 'ip.src in $x', lists: { x: { type: 'Ip', items: ['x'] } }, expect: { result: true } },
    { expr: 'ip.src in $x', lists: { x: { type: 'Color', items: [] } }, expect: { result: true } },
  ];
  const { stdout } = await runCaptured('expr', 'test', fileOf('broken.json', broken), '--json');
  const reports = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { outcome: string });
  assert.deepEqual(reports.map(({ outcome }) => outcome), broken.map(() => 'broken')); // prettier-ignore
});

test('expr test refuses files that hold no cases', async () => {
  assert.match(
    (await runCaptured('expr', 'test', fileOf('none.json', '{}'))).stderr,
    /expected an object with "cases"/,
  );
  assert.match((await runCaptured('expr', 'test', fileOf('text.json', 'x'))).stderr, /must be JSON/);
  assert.equal((await runCaptured('expr', 'test', join(directory, 'missing.json'))).code, 1);
});
