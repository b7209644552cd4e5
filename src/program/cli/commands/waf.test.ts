import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCaptured, temporary } from '../testing.ts';

const rules = `SecRule ARGS "@rx evil" "id:1001,phase:2,pass,msg:'Evil',logdata:'%{MATCHED_VAR_NAME}'"
SecRule TX:paranoia_level "@ge 2" "id:1002,phase:1,pass,nolog"
SecRule TX:paranoia_level "@ge 2" "id:1003,phase:1,pass"
SecRule RESPONSE_BODY "@pm leaked" "id:1004,phase:4,pass"
`;

/** One file in each generation of the format. */
const older = `
meta:
  enabled: true
tests:
  - test_title: 1001-1
    stages:
      - stage:
          input: { method: POST, uri: /post, headers: { Host: localhost }, data: "a=evil" }
          output: { log_contains: 'id "1001"' }
  - test_title: 1001-2
    stages:
      - stage:
          input: { uri: "/?a=good", headers: { Host: localhost } }
          output: { no_log_contains: 'id "1001"' }
  - test_title: 1001-3
    stages:
      - stage:
          input: { method: "   GET", headers: { Host: localhost } }
          output: { status: 400 }
`;
const newer = `
rule_id: 1004
tests:
  - test_id: 1
    stages:
      - input: { method: POST, uri: /reflect, headers: { Host: localhost, Content-Type: application/json }, data: '{"body": "leaked"}' }
        output: { log: { expect_ids: [1003, 1004], no_expect_ids: [1001] } }
  - test_id: 2
    stages:
      - input: { uri: "/?a=evil", headers: { Host: localhost } }
        output: { log: { no_expect_ids: [1001] } }
`;

test('waf test runs suites of both formats, and says which tests fail and why', async (t) => {
  const directory = temporary(t, { 'rules.conf': rules, 'older.yaml': older, 'newer.yaml': newer });
  const { code, stdout } = await runCaptured('waf', 'test', directory, '--rules', directory);
  assert.equal(code, 1);
  assert.match(stdout, /✖ 1004-2 \(newer\.yaml\): rule 1001 matched\n4 of 5 tests pass \(80\.00 %\)/);
  const only = await runCaptured('waf', 'test', directory, '--rules', directory, '--only', '1001', '--json');
  assert.deepEqual(JSON.parse(only.stdout), { tests: 3, passed: 3, failures: [] });
  const level = await runCaptured(
    'waf',
    'test',
    directory,
    '--rules',
    directory,
    '--set',
    'paranoia_level=1',
    '--only',
    '1004-1',
  );
  assert.match(level.stdout, /rule 1003 did not match/);
});

test('waf test names the file and the line of a broken rule, and what else is wrong', async (t) => {
  const directory = temporary(t, { 'rules.conf': 'SecRule ARGS "@rx (" "id:1"\n', 'suite.yaml': older });
  const broken = await runCaptured('waf', 'test', directory, '--rules', directory);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /rules\.conf:1: @rx: the pattern is invalid/);
  const missing = await runCaptured('waf', 'test', directory);
  assert.match(missing.stderr, /waf test needs --rules DIRECTORY/);
  writeFileSync(join(directory, 'rules.conf'), rules);
  writeFileSync(join(directory, 'suite.yaml'), 'a: 1\n');
  const none = await runCaptured('waf', 'test', directory, '--rules', directory);
  assert.match(none.stderr, /suite\.yaml has no tests/);
});
