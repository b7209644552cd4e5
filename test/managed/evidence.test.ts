import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { explainJudgement } from '#events';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import { type RequestDescription, requestFrom } from '#request';
import { managedParts, managedRulesets, replaceCoreRules } from '#managed';
import { query } from '../../src/rules/managed/testing.ts';
import { readTestRules } from '../../src/rules/seclang/crs/testing.ts';
import { createConfiguration } from '../detection/corpus/zone.ts';

const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const lastId = '6179ae15870a4bb7b2d480d4843b323c';

/** Likely by itself; rule 50320 about statements scores 15. */
const attack = query("'; select name from users", 'id');
/** The same in a text that shows it. */
const shown = query("Never write `'; select name from users` into a form, says our teacher", 'id');

const findRule = (legacyId: string) =>
  managedRulesets.get(managedId)!.rules.find((rule) => rule.legacyId === legacyId)!;

const asEvidence = { id: owaspId, overrides: { rules: [{ id: lastId, enabled: false }] } };

before(() => replaceCoreRules(readTestRules()));
after(() => replaceCoreRules(undefined));

function judgeBy(executed: readonly object[], request: RequestDescription, skip?: object): string[] {
  const configuration = createConfiguration('paid', executed);
  const [entry] = configuration.entryPoints;
  const exception = { ...entry!.rules[0]!, id: 'skip', action: 'skip', action_parameters: skip };
  const rules = skip === undefined ? entry!.rules : [exception, ...entry!.rules];
  const entryPoints = [{ ...entry!, rules }] as unknown as ZoneConfiguration['entryPoints'];
  const zone = new CompiledZone({ ...configuration, entryPoints }, managedParts);
  const { triggered } = zone.judge({ view: requestFrom(request) });
  const acted = triggered.filter(({ action }) => action !== 'skip');
  return acted.map(({ action, ruleId, evidence }) => {
    const name = managedRulesets.get(managedId)!.rules.find(({ id }) => id === ruleId)?.legacyId ?? ruleId;
    return `${action} ${name}${evidence === undefined ? '' : ` ${evidence.total} of ${evidence.threshold}`}`;
  });
}

const logged = ['log GH0201'];
const blocked = [...logged, 'block GH0101 15 of 10'];

test('evidence makes a likely finding sure, in either order, and where the ruleset is evidence only', () => {
  const managed = { id: managedId };
  deepEqual(judgeBy([managed], attack), logged);
  deepEqual(judgeBy([managed, { id: owaspId }], attack), blocked);
  deepEqual(judgeBy([{ id: owaspId }, managed], attack), blocked);
  deepEqual(judgeBy([managed, asEvidence], attack), blocked);
  deepEqual(judgeBy([asEvidence, managed], attack), blocked);
  // Alone it has no effect.
  deepEqual(judgeBy([asEvidence], attack), []);
});

test('evidence counts neither for what a text shows nor from rules about other attacks', () => {
  const both = [{ id: managedId }, asEvidence];
  deepEqual(judgeBy(both, shown), logged);
  // 50210 about scripts scores 20 in another argument.
  const other = { url: "https://shop.example/?id='%3b%20select%201&q=%3Cscript%3E" };
  deepEqual(
    judgeBy(both, other).filter((line) => line.includes('GH0101')),
    [],
  );
});

test('evidence respects overrides and exceptions of both rulesets', () => {
  const sure = findRule('GH0101').id;
  const managedWith = (rule: object) => ({
    id: managedId,
    overrides: { rules: [{ id: sure, ...rule }] },
  });
  deepEqual(judgeBy([managedWith({ enabled: false }), asEvidence], attack), logged);
  deepEqual(judgeBy([managedWith({ action: 'log' }), asEvidence], attack), [
    ...logged,
    'log GH0101 15 of 10',
  ]);
  const both = [{ id: managedId }, asEvidence];
  const statement = managedRulesets
    .get(owaspId)!
    .rules.find(({ description }) => description.startsWith('50320'))!;
  const skips = [
    { rules: { [managedId]: [sure] } },
    { rules: { [managedId]: [sure] }, arguments: [{ kind: 'argument', name: 'id' }] },
    { rules: { [owaspId]: [statement.id] } },
    { rulesets: [owaspId], arguments: [{ kind: 'argument', name: 'id' }] },
    { rulesets: [owaspId] },
  ];
  for (const skip of skips) deepEqual(judgeBy(both, attack, skip), logged, JSON.stringify(skip));
  const elsewhere = { rulesets: [owaspId], arguments: [{ kind: 'argument', name: 'q' }] };
  deepEqual(judgeBy(both, attack, elsewhere), blocked);
});

test('evidence only logs in a zone that is watched', () => {
  const watched = createConfiguration('paid', [{ id: managedId }, asEvidence], { isWatched: true });
  const { verdict, triggered } = new CompiledZone(watched, managedParts).judge({ view: requestFrom(attack) });
  equal(verdict.kind, 'pass');
  deepEqual(
    triggered.map(({ action }) => action),
    ['log', 'log'],
  );
});

test('evidence is explained with both halves: what the detector found, and each rule that scored', () => {
  const zone = new CompiledZone(createConfiguration('paid', [{ id: managedId }, asEvidence]), managedParts);
  const view = requestFrom(attack);
  const { rules } = explainJudgement(zone, view, zone.judge({ view }));
  const { description, tree, evidence, score } = rules.at(-1)!;
  match(description, /^SQLi - SQL in a value \(likely by itself, confirmed by rules that score 15\)$/);
  equal(score, undefined);
  match(JSON.stringify(tree), /a second statement, SELECT/);
  deepEqual(
    [evidence!.total, evidence!.threshold, evidence!.contributions.map((each) => each.description)],
    [15, 10, ['50320: A statement']],
  );
  match(JSON.stringify(evidence!.contributions[0]!.tree), /"kind":"argument","name":"id"/);
});
