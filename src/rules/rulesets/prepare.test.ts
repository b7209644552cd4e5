import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { workTurns } from '#work';
import { countReadings } from '#expressions';
import { checkExpression, type CheckedExpression, type ExpressionContext } from './expression.ts';
import { prepareExpressions } from './prepare.ts';

const zone: ExpressionContext = { plan: 'enterprise', lists: new Map([['office', 'ip']]) };
const account: ExpressionContext = { ...zone, level: 'account' };

function treeOf(checked: CheckedExpression): object {
  ok(checked.ok);
  return checked.tree;
}

/** Some 3 KB each. */
const large = Array.from({ length: 100 }, (_, rule) => ({
  name: `/rules/${rule}/expression`,
  text: Array.from({ length: 60 }, (_, part) => `http.request.uri.path eq "/${rule}/${part}/page"`).join(
    ' or ',
  ),
}));

test('prepareExpressions reads large expressions in turns, and whoever checks them does not read them again', async () => {
  const { turns } = workTurns.counts;
  const prepared = await prepareExpressions(large, { readsTrees: true });
  ok(prepared.ok);
  // 300 KB, read twice, at 20 steps per character and a million steps per turn.
  ok(workTurns.counts.turns - turns >= 10, 'others have their turn in between');
  const before = countReadings();
  for (const { text } of large) equal(checkExpression(text, zone).ok, true);
  deepEqual(countReadings(), { read: before.read, found: before.found + large.length });
  prepared.held[Symbol.dispose]();
  equal(checkExpression(large[0]!.text, zone).ok, true);
  equal(countReadings().read, before.read + 1);
});

test('prepareExpressions leaves the result of a check as it is without it', async () => {
  const texts = [
    'ssl',
    ' ssl ',
    'cf.zone.plan eq "ENT"',
    'ip.src in $office',
    'ip.src in $nowhere',
    'http.host matches "a+("',
    'no.such.field',
    '',
  ];
  const check = (): CheckedExpression[] =>
    [zone, account].flatMap((context) => texts.map((text) => checkExpression(text, context)));
  const without = check();
  const prepared = await prepareExpressions(
    texts.map((text) => ({ name: text, text })),
    { readsTrees: true },
  );
  ok(prepared.ok);
  deepEqual(check(), without);
  equal(treeOf(checkExpression('ssl', zone)), treeOf(checkExpression('ssl', account)));
  prepared.held[Symbol.dispose]();
  notEqual(treeOf(checkExpression('ssl', zone)), treeOf(checkExpression('ssl', account)));
});

test('prepareExpressions holds an expression of two calls until both are done', async () => {
  const given = [{ name: 'a', text: 'http.host eq "held.example"' }];
  const [one, other] = await Promise.all([
    prepareExpressions(given, { readsTrees: true }),
    prepareExpressions(given, { readsTrees: true }),
  ]);
  ok(one.ok && other.ok);
  one.held[Symbol.dispose]();
  const { read } = countReadings();
  ok(checkExpression(given[0]!.text, zone).ok);
  equal(countReadings().read, read);
  other.held[Symbol.dispose]();
  ok(checkExpression(given[0]!.text, zone).ok);
  equal(countReadings().read, read + 1);
});
