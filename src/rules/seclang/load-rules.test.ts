import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOf, idsOf, judge, load, requestOf } from './testing.ts';

const refusals: readonly (readonly [text: string, message: RegExp])[] = [
  ['SecRule ARGS "@rx a"', /^rules\.conf:1: the rule has no id/],
  ['\nSecRule ARGS "@rx (" "id:1"', /^rules\.conf:2: @rx: the pattern is invalid/],
  ['SecRule ARGZ "@rx a" "id:1"', /there is no variable ARGZ/],
  ['SecRule ARGS "@ry a" "id:1"', /there is no operator "ry": did you mean rx\?/],
  [
    'SecRule ARGS "@rx a" "id:1,t:lowercse"',
    /there is no transformation "lowercse": did you mean lowercase\?/,
  ],
  ['SecRule ARGS "@rx a" "id:1,blok"', /there is no action "blok": did you mean block\?/],
  ['SecRule ARGS "@rx a" "id:x"', /id: id needs a number, not "x"/],
  ['SecRule ARGS "@rx a" "id:1,phase:9"', /phase needs 1 to 5/],
  [
    'SecAction "id:1,nolog"\nSecAction "id:1,nolog"',
    /^rules\.conf:2: id 1 is taken by the rule at rules\.conf:1/,
  ],
  ['SecRule ARGS "@rx a" "id:1,chain"', /a chain is not finished when rules\.conf ends/],
  ['SecRule ARGS "@rx a" "id:1,chain"\nSecMarker X', /SecMarker stands inside a chain/],
  ['SecRule ARGS "@rx a', /a text that begins with " is not closed/],
  ['SecNonsense On', /there is no directive SecNonsense/],
  ['SecRule ARGS "@rx a" "id:1,ctl:ruleEngine=Maybe"', /ruleEngine needs On, Off or DetectionOnly/],
  ['SecRuleRemoveById x', /SecRuleRemoveById: "x" is neither the id of a rule nor a range of ids/],
];

test('loadRules refuses a broken file whole, with the line and what to write', () => {
  for (const [text, message] of refusals)
    assert.throws(() => load(text), { name: 'SecLangError', message }, text);
});

test('loadRules joins lines, skips comments and reads quotes as Apache does', () => {
  const rules = load(`
# a comment
SecRule ARGS \\
    "@rx \\"quoted\\"" \\
    "id:1,\\
    phase:2,\\
    msg:'with, a comma and \\'quotes\\''"
SecRule ARGS:x "@rx back\\\\\\\\slash" "id:2"
SecRuleEngine On
`);
  assert.deepEqual([...rules.ignored], [['SecRuleEngine', 1]]);
  assert.equal(rules.rules[0]!.message, "with, a comma and 'quotes'");
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?a=%22quoted%22' }))), [1]);
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?x=back%5Cslash' }))), [2]);
});

test('loadRules lets later directives remove rules and change their targets and actions', () => {
  const rules = load(`
SecRule ARGS "@rx a" "id:1,phase:2,tag:'one',deny"
SecRule ARGS "@rx a" "id:2,phase:2,tag:'two',deny"
SecRule ARGS "@rx a" "id:3,phase:2,deny"
SecRuleRemoveByTag one
SecRuleUpdateTargetById 2 "!ARGS:free"
SecRuleUpdateActionById 3 "pass,msg:'changed'"
`);
  assert.deepEqual(
    rules.rules.map(({ id }) => id),
    [2, 3],
  );
  assert.deepEqual(idsOf(judge(rules, formOf('free=a'))), [3]);
  assert.equal(judge(rules, formOf('free=a')).interruption, undefined);
  assert.equal(judge(rules, formOf('other=a')).interruption?.rule.id, 2);
});

test('SecDefaultAction says what block does, what is logged and which transformations come first', () => {
  const rules = load(`
SecDefaultAction "phase:2,deny,status:406,nolog,t:lowercase"
SecRule ARGS:a "@streq evil" "id:1,phase:2,block"
SecRule ARGS:b "@streq evil" "id:2,phase:2,t:none,block"
`);
  assert.equal(judge(rules, formOf('a=EVIL')).interruption?.status, 406);
  assert.deepEqual(idsOf(judge(rules, formOf('a=EVIL'))), []);
  assert.equal(judge(rules, formOf('b=EVIL')).interruption, undefined);
});
