import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requiredLiteralsOf } from '../required-literals.ts';
import type { ParsedPattern } from '../syntax/parsed.ts';
import { SyntaxProblem } from '../syntax/pattern-error.ts';
import { parsePcreSyntax } from '../syntax/pcre-syntax.ts';
import { parseRustSyntax } from '../syntax/rust-syntax.ts';
import { lengthMin, someTree, type PatternTree } from '../syntax/tree.ts';
import { unrolledMax } from '../limits.ts';
import { sourceOf, valueBytes } from '../testing.ts';
import type { Dialect } from '../types.ts';
import { Automaton } from './automaton.ts';
import { Backtracker } from './backtracker.ts';
import { emit } from './emit.ts';
import { estimateSearch } from './native-bound.ts';
import { isTooLarge, needsBacktracking } from './program.ts';
import { Threads } from './threads.ts';

/** More on demand: `REGEX_RUNS=200000 node --test src/rules/regex/engines/engines.test.ts`. */
const numRuns = Number(process.env['REGEX_RUNS'] ?? 1000);

function parse(source: string, dialect: Dialect): ParsedPattern | undefined {
  try {
    const parsed = dialect === 'rust' ? parseRustSyntax(source, {}) : parsePcreSyntax(source, {});
    return isTooLarge(parsed.tree, unrolledMax) || needsBacktracking(parsed.tree) ? undefined : parsed;
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}

/** Where the dialects and JavaScript may prefer different matches in the same value, and report different groups. */
const hasEmptyRounds = (tree: PatternTree): boolean =>
  someTree(tree, (part) => part.kind === 'repeat' && part.max > part.min && lengthMin(part.part) === 0);

for (const dialect of ['rust', 'pcre'] as const) {
  test(`emit, Automaton, Threads and Backtracker agree on any ${dialect} pattern and value`, () => {
    fc.assert(
      fc.property(
        sourceOf(dialect),
        fc.array(valueBytes, { minLength: 1, maxLength: 6 }),
        (source, values) => {
          const parsed = parse(source, dialect);
          if (parsed === undefined) return;
          const { tree, groupCount } = parsed;
          const native = new RegExp(emit(tree, { captures: false }));
          const automaton = new Automaton(tree);
          const threads = new Threads(tree, groupCount);
          const backtracker = new Backtracker(tree, groupCount, { stepsMax: 100_000 });
          for (const value of values) {
            const match = native.exec(value);
            equal(automaton.test(value), match !== null);
            const found = threads.match(value);
            equal(found !== undefined, match !== null);
            const slots = backtracker.match(value);
            if (backtracker.exhausted > 0) return;
            equal(slots !== undefined, match !== null);
            if (match === null || hasEmptyRounds(tree)) continue;
            deepEqual(found, slots!.slice(0, found!.length));
            deepEqual([found[0], found[1]], [match.index, match.index + match[0].length]);
          }
        },
      ),
      { numRuns },
    );
  });

  test(`requiredLiteralsOf is right about every match of a ${dialect} pattern`, () => {
    const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    fc.assert(
      fc.property(
        sourceOf(dialect),
        fc.array(valueBytes, { minLength: 1, maxLength: 6 }),
        (source, values) => {
          const parsed = parse(source, dialect);
          const required = parsed && requiredLiteralsOf(parsed.tree);
          if (parsed === undefined || required === undefined) return;
          const automaton = new Automaton(parsed.tree);
          for (const value of values) {
            if (!automaton.test(value)) continue;
            const folded: string = required.ignoreCase ? fold(value) : value;
            ok(required.literals.some((literal): boolean => folded.includes(literal)));
          }
        },
      ),
      { numRuns },
    );
  });

  test(`estimateSearch is never below what backtracking takes for a ${dialect} pattern`, () => {
    // Our own backtracking engine also counts splits, saves and returns from the stack.
    const stepsPerStep = 8;
    fc.assert(
      fc.property(sourceOf(dialect), valueBytes, fc.nat(6), (source, text, times) => {
        const parsed = parse(source, dialect);
        if (parsed === undefined) return;
        const value = text.repeat(times);
        const bound = estimateSearch(parsed.tree)(value.length);
        const backtracker = new Backtracker(parsed.tree, parsed.groupCount, { stepsMax: 200_000 });
        backtracker.match(value);
        if (backtracker.exhausted > 0) ok(bound * stepsPerStep > 200_000, `bound ${bound}`);
        else
          ok(backtracker.steps <= stepsPerStep * (bound + 1), `${backtracker.steps} steps, bound ${bound}`);
      }),
      { numRuns },
    );
  });
}

test('Automaton forgets its states when they become too many, and goes on', () => {
  const { tree } = parseRustSyntax('[ab]*a[ab]{14}c', {});
  const automaton = new Automaton(tree);
  const random = fc.sample(fc.constantFrom('a', 'b'), { numRuns: 100_000, seed: 7 }).join('');
  const calm = 'b'.repeat(400_000);
  const native = new RegExp(emit(tree, { captures: false }));
  equal(automaton.test(random), false);
  equal(automaton.test(`${random}a${'b'.repeat(14)}c`), true);
  equal(automaton.test(calm + random), false);
  for (const tail of ['', 'c', 'bc', 'aabbabababababac', 'abbbbbbbbbbbbbbc']) {
    const value = random.slice(0, 300) + tail;
    equal(automaton.test(value), native.test(value), tail);
  }
});
