import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Phase } from '../phase.ts';
import type { RuleSet } from '../rule-set.ts';
import type { SecRequest } from '../sec-request.ts';
import { idsOf, judge, load, requestOf } from '../testing.ts';

const leftIn = (rules: RuleSet, phase: Phase): number[] =>
  rules.program.phases[phase].steps.map(({ rule }) => rule.id);

test('a program leaves out what does not depend on the request: defaults, levels, and rules above the level', () => {
  const rules = load(`
SecAction "id:1,phase:1,nolog,pass,setvar:tx.level=%{tx.wanted}"
SecRule &TX:score "@eq 0" "id:2,phase:1,nolog,pass,setvar:tx.score=5"
SecRule &TX:level "@eq 0" "id:3,phase:1,nolog,pass,setvar:tx.level=9"
SecRule ARGS:a "@rx b" "id:10,phase:1,pass,setvar:tx.sum=+%{tx.score}"
SecRule TX:level "@lt 2" "id:11,phase:2,nolog,pass,skipAfter:END"
SecRule ARGS "@rx b" "id:12,phase:2,pass"
SecRule TX:level "@lt 3" "id:13,phase:2,nolog,pass,skipAfter:END"
SecRule ARGS "@rx b" "id:14,phase:2,pass"
SecMarker END
SecRule TX:sum "@eq 5" "id:15,phase:2,pass"
SecRule ARGS:a "@rx b" "id:16,phase:2,pass,chain"
SecRule TX:level "@eq 1" ""
`).choose({ without: new Set(), variables: [['wanted', '2']] });
  assert.deepEqual([leftIn(rules, 1), leftIn(rules, 2)], [[10], [12, 15]]);
  assert.deepEqual(
    [...rules.program.variables],
    [
      ['wanted', '2'],
      ['level', '2'],
      ['score', '5'],
    ],
  );
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?a=b' }))), [10, 12, 15]);
  const lower = rules.choose({ without: new Set([10]), variables: [['wanted', '1']] });
  assert.deepEqual(leftIn(lower, 2), [16]);
});

test('a program puts texts in the place of macros where they are the same for all requests', () => {
  const rules = load(`
SecAction "id:1,phase:1,nolog,pass,setvar:tx.allowed=GET HEAD,setvar:tx.known=a"
SecRule REQUEST_METHOD "!@within %{tx.allowed}" "id:2,phase:1,pass"
SecRule ARGS "@streq %{tx.known}" "id:3,phase:1,pass,setvar:tx.known=b"
SecRule ARGS "@rx ^%{tx.known}$" "id:4,phase:1,pass"
SecRule ARGS_NAMES "@streq %{MATCHED_VAR}" "id:5,phase:1,pass"
`);
  const settled = rules.program.phases[1].steps.map(({ rule }) => rule.links[0]!.test!.settledArgument);
  assert.deepEqual(settled, ['GET HEAD', undefined, undefined, undefined]);
  const idsFor = (method: string, query: string): number[] =>
    idsOf(judge(rules, requestOf({ method, target: `/?${query}` })));
  assert.deepEqual(idsFor('GET', 'x=a&y=b'), [3, 4]);
  assert.deepEqual(idsFor('PUT', 'x=b'), [2]);
  // The result for a value that occurred before is cached, with the text that it was compared with.
  assert.deepEqual(idsFor('PUT', 'x=a&y=a'), [2, 3]);
});

test('a program keeps what a request may change: names with macros, captures, removed rules, jumps', () => {
  const rules = load(`
SecAction "id:1,phase:1,nolog,pass,setvar:tx.count_a=0,setvar:tx.on=1,setvar:tx.level=1"
SecRule ARGS_NAMES "@rx ." "id:2,phase:1,nolog,pass,setvar:tx.count_%{MATCHED_VAR}=+1"
SecRule TX:count_a "@ge 1" "id:3,phase:1,pass"
SecRule TX:on "@eq 2" "id:4,phase:1,pass"
SecRule ARGS:b "@rx (.)" "id:5,phase:1,nolog,pass,capture"
SecRule TX:1 "@streq x" "id:6,phase:1,pass"
SecRule ARGS:off "@rx ." "id:7,phase:1,nolog,pass,ctl:ruleRemoveById=8"
SecRule TX:on "@eq 1" "id:8,phase:1,nolog,pass,setvar:tx.on=2"
SecRule TX:on "@eq 1" "id:9,phase:1,pass"
SecRule ARGS:all "@rx ." "id:20,phase:1,nolog,pass,ctl:ruleRemoveByTag=core"
SecRule TX:level "@lt 2" "id:21,phase:1,nolog,pass,tag:core,skipAfter:END"
SecRule ARGS "@rx ." "id:22,phase:1,pass,tag:core"
SecMarker END
`);
  assert.deepEqual(leftIn(rules, 1), [2, 3, 5, 6, 7, 8, 9, 20]);
  const idsFor = (query: string): number[] => idsOf(judge(rules, requestOf({ target: `/?${query}` })));
  assert.deepEqual(idsFor('c=1'), []);
  assert.deepEqual(idsFor('a=1'), [3]);
  assert.deepEqual(idsFor('b=x'), [6]);
  assert.deepEqual(idsFor('off=1'), [9]);
});

test('a program keeps a jump that everyone makes, if others come to what it jumps over', () => {
  const rules = load(`
SecRule ARGS:in "@rx ." "id:1,phase:1,nolog,pass,skipAfter:INSIDE"
SecAction "id:2,phase:1,nolog,pass,skipAfter:END"
SecRule ARGS "@rx ." "id:3,phase:1,pass"
SecMarker INSIDE
SecRule ARGS "@rx ." "id:4,phase:1,pass"
SecMarker END
`);
  assert.deepEqual(leftIn(rules, 1), [1, 2, 4]);
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?out=1' }))), []);
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?in=1' }))), [4]);
});

test('a program keeps what rules of the last phase ask for, if a request may end before it is set', () => {
  const rules = load(`
SecRule ARGS:bad "@rx ." "id:1,phase:1,nolog,deny"
SecAction "id:2,phase:2,nolog,pass,setvar:tx.seen=1"
SecRule TX:seen "@eq 1" "id:3,phase:5,pass"
SecRule &TX:seen "@eq 0" "id:4,phase:5,pass"
`);
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?good=1' }))), [3]);
  assert.deepEqual(idsOf(judge(rules, requestOf({ target: '/?bad=1' }))), [4]);
});

const name = fc.constantFrom('a', 'b', 'n_%{tx.a}');
const number = fc.constantFrom('0', '1', '2');
const effect = fc.oneof(
  fc.tuple(name, fc.constantFrom('=', '=+', '=-'), number).map((parts) => `setvar:tx.${parts.join('')}`),
  name.map((key) => `setvar:!tx.${key}`),
  fc.constantFrom('setvar:tx.b=%{tx.a}', 'setvar:tx.a=%{ARGS.x}', 'setvar:tx.a=%{tx.0}'),
);
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom('TX:a', 'TX:b', '&TX:a', 'TX:n_1', 'TX:/^n/', 'TX:1', '&TX:0'), number)
    .map(([target, value]) => `SecRule ${target} "@eq ${value}"`),
  fc.constantFrom(
    'SecRule TX:a "@eq %{tx.b}"',
    'SecRule ARGS:x "@rx ^(1|2)$"',
    'SecRule ARGS|ARGS_NAMES|!ARGS:y "@streq 1"',
    'SecRule ARGS "!@rx 1"',
    'SecRule &ARGS "@ge 2"',
    'SecRule ARGS:y "@streq %{tx.a}"',
    'SecRule ARGS "@rx a" ',
    'SecRule ARGS:/^[xy]/|!ARGS:y "@rx 1"',
    'SecRule ARGS|!ARGS:/^x/ "@within %{tx.b} 1"',
    'SecRule REQUEST_HEADERS:X|REQUEST_HEADERS_NAMES "@within %{tx.a}x"',
    'SecRule REQUEST_HEADERS|!REQUEST_HEADERS:Host "!@rx a"',
    'SecAction',
  ),
);
const flow = fc.constantFrom('', '', '', 'skipAfter:M1', 'skipAfter:M2', 'skip:1', 'skip:2', 'skipAfter:3');
const extra = fc.constantFrom(
  '',
  '',
  '',
  'capture',
  't:lowercase',
  'ctl:ruleRemoveById=5-7',
  'ctl:ruleEngine=Off',
  'deny',
  'allow',
  'multiMatch',
);
const rule = fc.record({
  head: condition,
  tail: fc.option(condition, { nil: undefined }),
  effects: fc.array(effect, { maxLength: 2 }),
  flow,
  extra,
  isLogged: fc.boolean(),
  phase: fc.constantFrom(1, 2, 5),
});

test('a program matches the same rules as all rules run one by one, for any rules and any requests', () => {
  const value = fc.constantFrom('1', '2', 'A', 'a1', '');
  const headers: SecRequest['headers'] = [
    ['Host', 'shop.example'],
    ['x', 'a1'],
  ];
  const request = fc
    .array(fc.tuple(fc.constantFrom('x', 'y', '1'), value), { maxLength: 3 })
    .map((pairs) => `/?${pairs.map((pair) => pair.join('=')).join('&')}`);
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 3, maxLength: 12 }),
      fc.array(request, { minLength: 1, maxLength: 4 }),
      (written, targets) => {
        const rules = load(written.map(writeRule).join('\n'));
        // Each request twice: the second time its values are cached.
        for (const target of [...targets, ...targets]) {
          const [fast, plain] = [false, true].map((isPlain) =>
            judge(rules, requestOf({ target, headers }), undefined, isPlain),
          );
          assert.deepEqual(
            fast!.matched.map(({ rule: { id }, message, values }) => ({ id, message, values })),
            plain!.matched.map(({ rule: { id }, message, values }) => ({ id, message, values })),
          );
        }
      },
    ),
    { numRuns: 400 },
  );
});

function writeRule(
  { head, tail, effects, flow: jump, extra: more, isLogged, phase }: Written,
  index: number,
): string {
  const isTested = (text: string): boolean => text !== 'SecAction';
  const actions = [
    `id:${index + 1}`,
    `phase:${phase}`,
    more === 'allow' || more === 'deny' ? '' : 'pass',
    isLogged ? "log,msg:'%{tx.a} %{tx.b} %{tx.n_1}'" : 'nolog',
    ...effects,
    jump,
    isTested(head) ? more : '',
    tail === undefined ? '' : 'chain',
  ].filter((text) => text !== '');
  const lines = [
    index === 4 ? 'SecMarker M1' : index === 8 ? 'SecMarker M2' : '',
    `${head} "${actions.join(',')}"`,
    tail === undefined ? '' : `${tail} "t:none"`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

interface Written {
  readonly head: string;
  readonly tail: string | undefined;
  readonly effects: readonly string[];
  readonly flow: string;
  readonly extra: string;
  readonly isLogged: boolean;
  readonly phase: number;
}
