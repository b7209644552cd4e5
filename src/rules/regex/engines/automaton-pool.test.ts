import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OutOfSteps, StepBudget } from '#work';
import { evilPatterns, pumped } from '../evil-patterns.ts';
import { tableBytesMax } from '../limits.ts';
import { parsePattern } from '../parse-pattern.ts';
import { parseRustSyntax } from '../syntax/rust-syntax.ts';
import { sourceOf, valueBytes } from '../testing.ts';
import type { Pattern } from '../types.ts';
import { Automaton } from './automaton.ts';
import { AutomatonPool, automatonPool } from './automaton-pool.ts';

const rustPatterns = evilPatterns.filter(({ dialect }) => dialect === 'rust');

test('AutomatonPool drops what was used longest ago, never what is in use', () => {
  const pool = new AutomatonPool({ bytesMax: 100 });
  const dropped: string[] = [];
  const pooled = (name: string): { drop: () => void } => ({ drop: () => void dropped.push(name) });
  const [a, b, c] = [pooled('a'), pooled('b'), pooled('c')];
  pool.use(a, 40);
  pool.use(b, 40);
  pool.use(a, 40);
  equal(pool.bytes, 80);
  pool.use(c, 30);
  deepEqual(dropped, ['b']);
  equal(pool.bytes, 70);
  pool.use(c, 500);
  deepEqual([dropped, pool.bytes, pool.evictions], [['b', 'a'], 500, 2]);
});

test('Pattern keeps all tables of the process within their bytes, and answers as without them', () => {
  const before = automatonPool.bytesMax;
  automatonPool.bytesMax = 50_000;
  try {
    const patterns = rustPatterns.flatMap((evil) => {
      const parsed = parsePattern(evil.source);
      return parsed.ok ? [{ evil, pattern: parsed.pattern }] : [];
    });
    for (let round = 0; round < 2; round++) {
      for (const { evil, pattern } of patterns) {
        for (const value of [pumped(evil, 3000), `${pumped(evil, 2000)}\n!`]) {
          equal(
            pattern.test(value),
            new Automaton(parseRustSyntax(evil.source, {}).tree).test(value),
            evil.source,
          );
          // The one in use may be larger than the limit for all others together.
          ok(automatonPool.bytes <= 50_000 + 4_000_000, String(automatonPool.bytes));
        }
      }
    }
    ok(automatonPool.evictions > 20, String(automatonPool.evictions));
  } finally {
    automatonPool.bytesMax = before;
  }
});

test('Pattern answers the same whenever its tables are dropped or its budget runs out', () => {
  fc.assert(
    fc.property(
      sourceOf('rust'),
      fc.array(fc.tuple(valueBytes, fc.nat(200), fc.boolean()), { maxLength: 8 }),
      (source, uses) => {
        const parsed = parsePattern(source);
        if (!parsed.ok) return;
        const { pattern } = parsed;
        const { tree } = parseRustSyntax(source, {});
        for (const [text, steps, isDropped] of uses) {
          const value = text.repeat(20);
          const expected = new Automaton(tree).test(value);
          const outcome = testWithin(pattern, value, steps);
          if (outcome !== undefined) equal(outcome, expected);
          equal(pattern.test(value), expected);
          if (isDropped) (pattern as unknown as { drop(): void }).drop();
        }
      },
    ),
    { numRuns: 300 },
  );
});

function testWithin(pattern: Pattern, value: string, steps: number): boolean | undefined {
  try {
    return new StepBudget(steps).run(() => pattern.test(value));
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

test('Many patterns and one long value hold no more memory than the pool allows', () => {
  // Every position leads to a new state.
  const value = fc.sample(fc.constantFrom('a', 'b'), { numRuns: 15_000, seed: 7 }).join('');
  const evictionsBefore = automatonPool.evictions;
  for (let index = 0; index < 120; index++) {
    const parsed = parsePattern(`[ab]*a[ab]{${20 + (index % 20)}}[c-z]`);
    ok(parsed.ok);
    try {
      new StepBudget(800_000).run(() => parsed.pattern.test(value));
    } catch (error) {
      ok(error instanceof OutOfSteps);
    }
    ok(automatonPool.bytes <= tableBytesMax + 4_000_000);
  }
  ok(automatonPool.evictions > evictionsBefore);
});

test('Automaton stops within its budget, whatever the pattern and the value', () => {
  for (const evil of rustPatterns) {
    const parsed = parsePattern(evil.source);
    if (!parsed.ok) continue;
    const required = parsed.pattern.requiredLiterals?.literals.join('') ?? '';
    const value = `${required}\n${pumped(evil, 131_072)}`;
    const automaton = new Automaton(parseRustSyntax(evil.source, {}).tree);
    const stepsBefore = automaton.steps;
    const budget = new StepBudget(200_000);
    try {
      budget.run(() => automaton.test(value));
    } catch (error) {
      ok(error instanceof OutOfSteps);
    }
    // Between two checks of the budget, a byte may take as many steps as the program has instructions.
    ok(automaton.steps - stepsBefore <= 200_000 + 4 * parsed.pattern.size, evil.source);
  }
});
