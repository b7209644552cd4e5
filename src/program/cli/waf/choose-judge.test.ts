import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runCaptured, temporary } from '../testing.ts';

const recorded = `### a search
GET https://shop.example/search?q=men%27s+shoes

### an attack, which says so itself
# @expect block
GET https://shop.example/?id=1%27%20union%20select%20username,password%20from%20users--

### another
# @expect block
POST https://shop.example/contact
Content-Type: application/x-www-form-urlencoded

text=%3Cscript%3Ealert(document.cookie)%3C%2Fscript%3E
`;

const archive = JSON.stringify({
  log: {
    entries: [
      { request: { method: 'GET', url: 'https://shop.example/', headers: [] } },
      { request: { method: 'GET', url: 'https://shop.example/?file=../../../../etc/passwd', headers: [] } },
    ],
  },
});

test('waf test judges recordings by the managed rules, and counts for each rule', async (t) => {
  const directory = temporary(t, { 'a.http': recorded, 'b.har': archive });
  const { code, stdout } = await runCaptured('waf', 'test', join(directory, 'a.http'), '--expect', 'pass');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /detection: 2 of 2 \(100\.00 %\) of the attacks stopped/);
  assert.match(stdout, /false alarms: 0 of 1 \(0\.00 %\) of the ordinary requests stopped/);
  const wrong = await runCaptured('waf', 'test', join(directory, 'b.har'), '--expect', 'pass', '--json');
  const report = JSON.parse(wrong.stdout);
  assert.equal(wrong.code, 1);
  assert.deepEqual(
    [report.ordinary, report.attacks],
    [
      { total: 2, stopped: 1 },
      { total: 0, stopped: 0 },
    ],
  );
  assert.equal(report.rules[0].falseAlarms, 1);
  assert.deepEqual([report.wrong[0].at, report.wrong[0].rule.id], ['entry 2', report.rules[0].id]);
  const all = await runCaptured('waf', 'test', directory);
  assert.match(all.stdout, /stopped: 1 of 3 \(33\.33 %\) \(--expect sets what is expected of them\)/);
});

test('waf test lists attacks that get through, with file and line', async (t) => {
  const directory = temporary(t, { 'a.http': 'GET /harmless\n' });
  const file = join(directory, 'a.http');
  const { code, stdout } = await runCaptured('waf', 'test', file, '--expect', 'block', '--plan', 'free');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `✖ ${file}, line 1: GET /harmless: not stopped\ndetection: 0 of 1 (0.00 %) of the attacks stopped\n`,
  );
});

test('waf test judges recordings by rules in SecLang', async (t) => {
  const directory = temporary(t, {
    'a.http': 'GET /?a=evil\n###\nGET /?a=good\n',
    'rules.conf': `SecRule ARGS "@rx evil" "id:1001,phase:2,deny,status:403,msg:'Evil'"\n`,
  });
  const file = join(directory, 'a.http');
  const { stdout } = await runCaptured(
    'waf',
    'test',
    file,
    '--rules',
    directory,
    '--expect',
    'pass',
    '--json',
  );
  const { ordinary, rules } = JSON.parse(stdout);
  assert.deepEqual(ordinary, { total: 2, stopped: 1 });
  assert.deepEqual(rules, [{ id: '1001', description: 'Evil', falseAlarms: 1, detected: 0, others: 0 }]);
});

async function serve(t: TestContext): Promise<string> {
  const server: Server = createServer((request, response) => {
    const isEvil = request.url!.includes('evil');
    response.writeHead(isEvil ? 403 : 200, { 'x-host': request.headers.host }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('waf test sends recordings and suites to a server', async (t) => {
  const url = await serve(t);
  const directory = temporary(t, {
    'a.http': '# @expect block\nGET http://shop.example/?a=evil\n###\nPOST /?a=good\n\nbody\n',
    'suite.yaml': `
tests:
  - test_title: stopped
    stages:
      - input: { uri: "/?a=evil", headers: { Host: localhost } }
        output: { log: { expect_ids: [1] } }
  - test_title: passes
    stages:
      - input: { uri: "/?a=evil", headers: { Host: localhost } }
        output: { log: { no_expect_ids: [1] } }
`,
  });
  const { code, stdout } = await runCaptured(
    'waf',
    'test',
    join(directory, 'a.http'),
    '--url',
    url,
    '--expect',
    'pass',
  );
  assert.equal(code, 0, stdout);
  assert.match(stdout, /403 +the server answered with it +1 +0/);
  const suite = await runCaptured('waf', 'test', join(directory, 'suite.yaml'), '--url', url);
  assert.match(
    suite.stdout,
    /✖ passes \(.*suite\.yaml\): it is stopped: the answer is 403\n1 of 2 tests pass/,
  );
});

test('waf test says where a recording cannot be read', async (t) => {
  const directory = temporary(t, { 'a.http': 'GET /\n###\nnot a request\n', 'c.jsonl': '{"url":"/"}\n{\n' });
  const lines = await runCaptured('waf', 'test', join(directory, 'a.http'));
  assert.match(lines.stderr, /a\.http, line 3: this is not a request line/);
  const json = await runCaptured('waf', 'test', join(directory, 'c.jsonl'));
  assert.match(json.stderr, /c\.jsonl, line 2: it is not JSON/);
  const none = await runCaptured('waf', 'test', join(directory, 'none.http'));
  assert.match(none.stderr, /there is no file .*none\.http/);
  const bad = await runCaptured('waf', 'test', join(directory, 'a.http'), '--url', 'shop.example');
  assert.match(bad.stderr, /--url must be a URL/);
});

test('waf test shows what an exception lets through, and refuses one that is not valid', async (t) => {
  const managed = 'efb7b8c949ac4650a09736fc376e9aee';
  const parts = [{ kind: 'argument', name: 'note' }];
  const exception = {
    action: 'skip',
    expression: 'http.request.uri.path eq "/notes"',
    action_parameters: { rulesets: [managed], arguments: parts },
    position: { index: 1 },
  };
  const attack = '1%27%20union%20select%20username,password%20from%20users--';
  const directory = temporary(t, {
    'a.http': ['/notes?note', '/notes?q', '/other?note']
      .map((path) => `GET ${path}=${attack}\n`)
      .join('###\n'),
    'exception.json': JSON.stringify(exception),
    'bad.json': JSON.stringify({ ...exception, action_parameters: { rules: { [managed]: ['none'] } } }),
  });
  const file = join(directory, 'a.http');
  const except = ['--except', join(directory, 'exception.json')];
  const { code, stdout } = await runCaptured('waf', 'test', file, '--expect', 'block', ...except, '--json');
  const report = JSON.parse(stdout);
  assert.equal(code, 1);
  assert.deepEqual(report.attacks, { total: 3, stopped: 2 });
  assert.deepEqual([report.letThrough.length, report.letThrough[0].at], [1, 'line 1']);
  const text = await runCaptured('waf', 'test', file, ...except);
  assert.match(
    text.stdout,
    /with the exception 1 more request passes\n {2}.*a\.http, line 1: GET \/notes\?note=/,
  );
  const bad = await runCaptured('waf', 'test', file, '--except', join(directory, 'bad.json'));
  assert.match(
    bad.stderr,
    /bad\.json: the exception is not valid: \/action_parameters\/rules\/.*no rule with this id/,
  );
});
