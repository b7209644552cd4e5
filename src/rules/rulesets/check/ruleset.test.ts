import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../plans/plans.ts';
import { changeRuleset, createRuleset } from '../edit/edit-ruleset.ts';
import {
  blockRule,
  briefly,
  contextOf,
  customPhase,
  managedId,
  managedPhase,
  problemsOf,
  rulesetOf,
  stampsOf,
  valueOf,
} from '../testing.ts';
import type { RulesetContext } from './context.ts';
import {
  checkEntryPointChange,
  checkRuleAddition,
  checkRuleEdit,
  checkRulesetChange,
  checkRulesetDraft,
  entryPointDraft,
} from './ruleset.ts';

const draft = { name: 'x', kind: 'zone', phase: customPhase };
const rule = { action: 'block', expression: 'ssl' };
const execute = { action: 'execute', expression: 'true', action_parameters: { id: managedId } };
const stamp = stampsOf();
const ruleset = rulesetOf([blockRule({ ref: 'one' }), blockRule()], stamp());
const [first, second] = ruleset.rules.map(({ id }) => id) as [string, string];

function rules(count: number): unknown[] {
  return Array.from({ length: count }, () => rule);
}

test('checkRulesetDraft accepts a ruleset, with or without rules', () => {
  const empty = { ...draft, description: '', rules: [] };
  assert.deepEqual(valueOf(checkRulesetDraft(draft, contextOf())), empty);
  assert.deepEqual(valueOf(checkRulesetDraft({ ...draft, rules: [rule], description: 'd' }, contextOf())), {
    ...draft,
    description: 'd',
    rules: [{ ...rule, enabled: true, id: undefined }],
  });
});

const draftsRefused: readonly [unknown, readonly string[], Partial<RulesetContext>?][] = [
  [undefined, ['20901 ', '20903 /name', '20903 /phase', '20903 /kind']],
  [[], ['20901 ', '20903 /name', '20903 /phase', '20903 /kind']],
  [{ ...draft, name: '' }, ['20904 /name']],
  [{ ...draft, nmae: '' }, ['20902 /nmae']],
  [{ ...draft, phase: 'http_nothing' }, ['20905 /phase']],
  [{ ...draft, phase: 'magic_transit' }, ['20907 /phase']],
  [{ ...draft, kind: 'root' }, ['20905 /kind']],
  [{ ...draft, kind: 'managed' }, ['20905 /kind']],
  [{ ...draft, rules: {} }, ['20901 /rules']],
  [{ ...draft, rules: [rule, { ...rule, expression: '' }] }, ['20125 /rules/1/expression']],
  [{ ...draft, rules: [{ ...rule, position: { index: 1 } }] }, ['20902 /rules/0/position']],
  [{ ...draft, kind: 'custom', phase: managedPhase }, ['20907 /kind'], { level: 'account' }],
  [{ ...draft, kind: 'root' }, ['20908 '], { level: 'account', plan: 'business' }],
  [draft, ['20217 /kind'], { hasEntryPoint: (phase) => phase === customPhase }],
];

for (const [body, problems, parts] of draftsRefused) {
  test(`checkRulesetDraft refuses ${JSON.stringify(body)} ${JSON.stringify(parts ?? {})}`, () => {
    assert.deepEqual(briefly(checkRulesetDraft(body, contextOf(parts))), problems);
  });
}

test('checkRulesetDraft says which entry point is there already', () => {
  const [problem] = problemsOf(checkRulesetDraft(draft, contextOf({ hasEntryPoint: () => true })));
  assert.equal(
    problem!.message,
    `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${customPhase}`,
  );
});

test('checkRulesetDraft allows several custom rulesets for a phase', () => {
  const context = contextOf({ level: 'account', hasEntryPoint: () => true });
  valueOf(checkRulesetDraft({ ...draft, kind: 'custom' }, context));
});

const quotas: readonly [Plan, number][] = [
  ['free', 5],
  ['pro', 20],
  ['business', 100],
  ['enterprise', 1000],
];

for (const [plan, countMax] of quotas) {
  test(`checkEntryPointChange allows ${countMax} custom rules on ${plan}`, () => {
    const target = { phase: customPhase, current: undefined };
    const check = (count: number) =>
      checkEntryPointChange({ rules: rules(count) }, target, contextOf({ plan }));
    assert.equal(valueOf(check(countMax)).rules?.length, countMax);
    assert.deepEqual(problemsOf(check(countMax + 1)), [
      {
        code: 50001,
        message: `exceeded the maximum number of rules in the phase ${customPhase}: ${countMax + 1} out of ${countMax}`,
        pointer: '/rules',
      },
    ]);
  });
}

test('checkRuleAddition counts the rules that are there, checkRuleEdit does not mind them', () => {
  const full = rulesetOf(
    Array.from({ length: 6 }, () => blockRule()),
    stamp(),
  );
  const context = contextOf({ plan: 'free' });
  assert.deepEqual(briefly(checkRuleAddition(rule, full, context)), ['50001 ']);
  valueOf(checkRuleEdit(rule, { ruleset: full, ruleId: full.rules[0]!.id }, context));
});

test('checkEntryPointChange accepts the body of a finishing migration', () => {
  const body = {
    name: 'default',
    rules: [
      {
        id: '',
        version: '',
        action: 'execute',
        expression: 'true',
        description: '',
        ref: '',
        enabled: true,
        action_parameters: {
          id: managedId,
          overrides: { rules: [{ id: 'm1', action: 'log', enabled: false }] },
        },
      },
    ],
  };
  const target = { phase: managedPhase, current: undefined };
  const change = valueOf(checkEntryPointChange(body, target, contextOf({ plan: 'pro' })));
  const created = createRuleset(entryPointDraft({ level: 'zone', phase: managedPhase }, change), stamp());
  assert.deepEqual(
    { name: created.name, kind: created.kind, source: created.source },
    { name: 'default', kind: 'zone', source: 'firewall_managed' },
  );
});

test('checkEntryPointChange disregards another name, and refuses another kind or phase', () => {
  const target = { phase: customPhase, current: ruleset };
  const { name } = changeRuleset(
    ruleset,
    valueOf(checkEntryPointChange({ name: 'y' }, target, contextOf())),
    stamp(),
  );
  assert.equal(name, 'default');
  assert.deepEqual(
    briefly(checkEntryPointChange({ kind: 'root', phase: managedPhase }, target, contextOf())),
    ['20906 /kind', '20906 /phase'],
  );
});

test('checkRulesetChange keeps what is not mentioned and refuses to change what cannot be', () => {
  assert.deepEqual(valueOf(checkRulesetChange({ description: 'd' }, ruleset, contextOf())), {
    description: 'd',
  });
  assert.deepEqual(valueOf(checkRulesetChange({ ...ruleset, rules: [] }, ruleset, contextOf())).rules, []);
  assert.deepEqual(briefly(checkRulesetChange({ name: 'y' }, ruleset, contextOf())), ['20906 /name']);
});

const togetherRefused: readonly [string, unknown[], readonly string[]][] = [
  [
    'the same ref twice',
    [
      { ...rule, ref: 'a' },
      { ...rule, ref: 'a' },
    ],
    ['20911 /rules/1/ref'],
  ],
  [
    'the same id twice',
    [
      { ...rule, id: first, ref: 'a' },
      { ...rule, id: first, ref: 'b' },
    ],
    ['20911 /rules/1/id'],
  ],
  [
    "a ref that is another rule's id",
    [
      { ...rule, id: first },
      { ...rule, ref: first },
    ],
    ['20911 /rules/1/ref'],
  ],
];

for (const [title, list, problems] of togetherRefused) {
  test(`checkRulesetChange refuses ${title}`, () => {
    assert.deepEqual(briefly(checkRulesetChange({ rules: list }, ruleset, contextOf())), problems);
  });
}

test('checkRulesetChange disregards ids that the ruleset does not have', () => {
  const unknown = { ...rule, id: 'f'.repeat(32) };
  const { rules } = valueOf(checkRulesetChange({ rules: [unknown, unknown] }, ruleset, contextOf()));
  assert.deepEqual(
    rules?.map(({ id }) => id),
    [undefined, undefined],
  );
});

test('checkEntryPointChange deploys each managed ruleset once in a zone, more often in an account', () => {
  const target = { phase: managedPhase, current: undefined };
  assert.deepEqual(briefly(checkEntryPointChange({ rules: [execute, execute] }, target, contextOf())), [
    '20911 /rules/1/action_parameters/id',
  ]);
  const limited = { ...execute, expression: '(ssl) and cf.zone.plan eq "ENT"' };
  valueOf(checkEntryPointChange({ rules: [limited, limited] }, target, contextOf({ level: 'account' })));
});

test('checkRuleAddition compares with the rules that are there', () => {
  assert.deepEqual(briefly(checkRuleAddition({ ...rule, ref: 'one' }, ruleset, contextOf())), ['20911 /ref']);
  const change = valueOf(
    checkEntryPointChange({ rules: [execute] }, { phase: managedPhase, current: undefined }, contextOf()),
  );
  const managed = createRuleset(entryPointDraft({ level: 'zone', phase: managedPhase }, change), stamp());
  assert.deepEqual(briefly(checkRuleAddition(execute, managed, contextOf())), [
    '20911 /action_parameters/id',
  ]);
  valueOf(checkRuleEdit(execute, { ruleset: managed, ruleId: managed.rules[0]!.id }, contextOf()));
});

test('checkRuleEdit with nothing but a position leaves the rule as it is', () => {
  const target = { ruleset, ruleId: first };
  const body = { id: first, version: '1', position: { after: '' } };
  assert.deepEqual(valueOf(checkRuleEdit(body, target, contextOf())), { position: { after: '' } });
  assert.deepEqual(briefly(checkRuleEdit({}, target, contextOf())), ['20903 /action', '20125 /expression']);
  assert.deepEqual(briefly(checkRuleEdit({ enabled: false, position: { index: 1 } }, target, contextOf())), [
    '20903 /action',
    '20125 /expression',
  ]);
});

test('checkRuleEdit lets a rule keep its own ref', () => {
  const edit = valueOf(checkRuleEdit({ ...rule, ref: 'one' }, { ruleset, ruleId: first }, contextOf()));
  assert.deepEqual(edit.draft, { ...rule, enabled: true, ref: 'one', id: first });
});

const positionsRefused: readonly [unknown, string][] = [
  [{}, '20912 /position'],
  ['first', '20901 /position'],
  [{ before: '', after: '' }, '20912 /position'],
  [{ behind: '' }, '20902 /position/behind'],
  [{ before: 'nope' }, '20912 /position/before'],
  [{ after: first }, '20912 /position/after'],
  [{ index: 0 }, '20912 /position/index'],
  [{ index: 3 }, '20912 /position/index'],
  [{ index: 1.5 }, '20901 /position/index'],
  [{ index: '1' }, '20901 /position/index'],
];

for (const [position, problem] of positionsRefused) {
  test(`checkRuleEdit refuses the position ${JSON.stringify(position)}`, () => {
    const checked = checkRuleEdit({ position }, { ruleset, ruleId: first }, contextOf());
    assert.deepEqual(briefly(checked), [problem]);
  });
}

test('checkRuleAddition has one place more than there are rules', () => {
  for (const position of [{ index: 3 }, { index: 1 }, { before: second }, { after: second }]) {
    assert.deepEqual(
      valueOf(checkRuleAddition({ ...rule, position }, ruleset, contextOf())).position,
      position,
    );
  }
  assert.deepEqual(briefly(checkRuleAddition({ ...rule, position: { index: 4 } }, ruleset, contextOf())), [
    '20912 /position/index',
  ]);
});

test('checkRulesetChange stops looking once it has found enough', () => {
  const broken = Array.from({ length: 1000 }, () => ({ action: 'nope', expression: '(' }));
  assert.equal(problemsOf(checkRulesetChange({ rules: broken }, ruleset, contextOf())).length, 20);
  const many = Array.from({ length: 10_000 }, () => 0);
  assert.deepEqual(briefly(checkRulesetChange({ rules: many }, ruleset, contextOf())), ['50001 /rules']);
});
