import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEntryPointChange, entryPointDraft } from '../check/ruleset.ts';
import { type Position, type RuleDraft, type Ruleset, summaryOf } from '../model.ts';
import {
  blockRule,
  contextOf,
  customPhase,
  managedId,
  managedPhase,
  rulesetOf,
  stampsOf,
  valueOf,
} from '../testing.ts';
import {
  addRule,
  changeRuleset,
  createRuleset,
  editRule,
  removeRule,
  restoreRuleset,
} from './edit-ruleset.ts';

function refs({ rules }: Ruleset): string {
  return rules.map(({ ref }) => ref).join('');
}

/** Rules `a` to `c`, each with its letter as ref. */
function abc(): { ruleset: Ruleset; stamp: ReturnType<typeof stampsOf>; ids: Record<string, string> } {
  const stamp = stampsOf();
  const drafts = ['a', 'b', 'c'].map((ref) => blockRule({ ref }));
  const ruleset = rulesetOf(drafts, stamp());
  return { ruleset, stamp, ids: Object.fromEntries(ruleset.rules.map(({ ref, id }) => [ref, id])) };
}

function put(ruleset: Ruleset, rules: readonly RuleDraft[], stamp: ReturnType<typeof stampsOf>): Ruleset {
  return changeRuleset(ruleset, { rules }, stamp());
}

test('createRuleset emits keys in the order of the API', () => {
  const body = {
    rules: [
      {
        enabled: true,
        description: 'd',
        logging: {},
        action: 'skip',
        expression: 'ssl',
        action_parameters: { ruleset: 'current' },
      },
      {
        action_parameters: { overrides: { enabled: true }, id: managedId },
        expression: 'true',
        action: 'execute',
      },
    ],
  };
  const change = valueOf(
    checkEntryPointChange(body, { phase: managedPhase, current: undefined }, contextOf()),
  );
  const created = createRuleset(
    entryPointDraft({ level: 'zone', phase: managedPhase }, change),
    stampsOf()(),
  );
  assert.equal(
    JSON.stringify(created),
    JSON.stringify({
      id: '00000000000000000000000000000001',
      name: 'default',
      description: '',
      source: 'firewall_managed',
      kind: 'zone',
      version: '1',
      rules: [
        {
          id: '00000000000000000000000000000002',
          version: '1',
          action: 'skip',
          expression: 'ssl',
          action_parameters: { ruleset: 'current' },
          description: 'd',
          last_updated: '2024-01-20T14:29:00.000001Z',
          ref: '00000000000000000000000000000002',
          enabled: true,
          logging: { enabled: true },
        },
        {
          id: '00000000000000000000000000000003',
          version: '1',
          action: 'execute',
          expression: 'true',
          action_parameters: { id: managedId, version: 'latest', overrides: { enabled: true } },
          last_updated: '2024-01-20T14:29:00.000001Z',
          ref: '00000000000000000000000000000003',
          enabled: true,
        },
      ],
      last_updated: '2024-01-20T14:29:00.000001Z',
      phase: managedPhase,
    }),
  );
  assert.deepEqual(
    Object.keys(summaryOf(created)),
    Object.keys(created).filter((key) => key !== 'rules'),
  );
});

test('createRuleset gives only managed phases a source', () => {
  const { source } = createRuleset(entryPointDraft({ level: 'zone', phase: customPhase }, {}), stampsOf()());
  assert.equal(source, undefined);
});

test('changeRuleset recognises rules by id, then by ref, then by what they say, and makes others anew', () => {
  const { ruleset, stamp, ids } = abc();
  const next = put(
    ruleset,
    [
      blockRule({ ref: 'c' }),
      blockRule({ id: ids['a'], ref: 'z' }),
      blockRule({ ref: 'a' }),
      blockRule(),
      blockRule(),
    ],
    stamp,
  );
  const [c, a, anotherA, b, fresh] = next.rules;
  assert.equal(c!.id, ids['c']);
  assert.equal(a!.id, ids['a']);
  assert.ok(!Object.values(ids).includes(anotherA!.id));
  assert.deepEqual([b!.id, b!.ref, b!.version], [ids['b'], 'b', '1']);
  assert.ok(!Object.values(ids).includes(fresh!.id));
  assert.equal(fresh!.ref, fresh!.id);
});

test('changeRuleset counts a rule that changes, and no other', () => {
  const { ruleset, stamp } = abc();
  const next = put(ruleset, [blockRule({ ref: 'c', enabled: false }), blockRule({ ref: 'a' })], stamp);
  assert.deepEqual(
    next.rules.map(({ ref, version, last_updated }) => [ref, version, last_updated.slice(-3, -1)]),
    [
      ['c', '2', '02'],
      ['a', '1', '01'],
    ],
  );
  assert.equal(next.version, '2');
  assert.equal(next.last_updated.slice(-3, -1), '02');
});

test('changeRuleset takes a rule without its ref for one that has its id as ref', () => {
  const { ruleset, stamp, ids } = abc();
  const [a] = put(ruleset, [blockRule({ id: ids['a'] })], stamp).rules;
  assert.deepEqual([a!.id, a!.ref, a!.version], [ids['a'], ids['a'], '2']);
});

test('changeRuleset with a description alone keeps the rules', () => {
  const { ruleset, stamp } = abc();
  const next = changeRuleset(ruleset, { description: 'd' }, stamp());
  assert.deepEqual([next.description, next.version, next.rules], ['d', '2', ruleset.rules]);
});

const places: readonly [string, (ids: Record<string, string>) => Position | undefined, string, string][] = [
  ['no position', () => undefined, 'abcx', 'abc'],
  ['the first', () => ({ before: '' }), 'xabc', 'bac'],
  ['the last', () => ({ after: '' }), 'abcx', 'acb'],
  ['before a', ({ a }) => ({ before: a! }), 'xabc', 'bac'],
  ['after a', ({ a }) => ({ after: a! }), 'axbc', 'abc'],
  ['after c', ({ c }) => ({ after: c! }), 'abcx', 'acb'],
  ['index 1', () => ({ index: 1 }), 'xabc', 'bac'],
  ['index 3', () => ({ index: 3 }), 'abxc', 'acb'],
];

for (const [title, positionOf, added, edited] of places) {
  test(`addRule and editRule put a rule in its place: ${title}`, () => {
    const { ruleset, stamp, ids } = abc();
    const place = positionOf(ids);
    const position = place === undefined ? {} : { position: place };
    assert.equal(refs(addRule(ruleset, { draft: blockRule({ ref: 'x' }), ...position }, stamp())), added);
    const moved = editRule(ruleset, { ruleId: ids['b']!, edit: position }, stamp());
    assert.equal(refs(moved), edited);
    assert.ok(moved.rules.every(({ version }) => version === '1'));
    assert.equal(moved.version, '2');
  });
}

test('editRule replaces what a rule says and counts it', () => {
  const { ruleset, stamp, ids } = abc();
  const edit = { draft: blockRule({ ref: 'b', description: 'd' }) };
  const next = editRule(ruleset, { ruleId: ids['b']!, edit }, stamp());
  assert.deepEqual([next.rules[1]!.description, next.rules[1]!.version], ['d', '2']);
  const again = editRule(next, { ruleId: ids['b']!, edit }, stamp());
  assert.deepEqual([again.rules[1], again.version], [next.rules[1], '3']);
});

test('removeRule takes one rule out; an unknown one is the caller’s mistake', () => {
  const { ruleset, stamp, ids } = abc();
  assert.equal(refs(removeRule(ruleset, ids['b']!, stamp())), 'ac');
  assert.throws(() => removeRule(ruleset, 'nope', stamp()), RangeError);
});

test('restoreRuleset brings rules back with their ids, as a version of its own', () => {
  const { ruleset, stamp, ids } = abc();
  const edited = editRule(
    removeRule(ruleset, ids['a']!, stamp()),
    { ruleId: ids['b']!, edit: { draft: blockRule({ ref: 'b', enabled: false }) } },
    stamp(),
  );
  const restored = restoreRuleset(edited, ruleset, stamp());
  assert.equal(restored.version, '4');
  assert.deepEqual(
    restored.rules.map(({ id, version, enabled }) => [id, version, enabled]),
    [
      [ids['a'], '2', true],
      [ids['b'], '3', true],
      [ids['c'], '1', true],
    ],
  );
});
