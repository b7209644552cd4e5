import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requiredLiteralsOf } from '../required-literals.ts';
import { SyntaxProblem } from '../syntax/pattern-error.ts';
import { type Parsed, parseRustSyntax } from '../syntax/rust-syntax.ts';
import { lengthMin, someTree, type Tree } from '../syntax/tree.ts';
import { backtrack, patternSource, valueBytes } from '../testing.ts';
import { Automaton } from './automaton.ts';
import { emit } from './emit.ts';
import { estimateSearch } from './native-bound.ts';
import { isTooLarge } from './program.ts';
import { Threads } from './threads.ts';

/** More on demand: `REGEX_RUNS=200000 node --test src/regex/engines/engines.test.ts`. */
const numRuns = Number(process.env['REGEX_RUNS'] ?? 1000);

function parse(source: string): Parsed | undefined {
  try {
    const parsed = parseRustSyntax(source);
    return isTooLarge(parsed.tree) ? undefined : parsed;
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}

/** Where Rust and JavaScript may prefer different matches, and report different groups, of the same value. */
const hasEmptyRounds = (tree: Tree): boolean =>
  someTree(tree, (part) => part.kind === 'repeat' && part.max > part.min && lengthMin(part.part) === 0);

/** Where V8 is not asked. */
const hasWordsOfCharacters = (tree: Tree): boolean => someTree(tree, ({ kind }) => kind === 'unicode-assert');

const values = fc.array(valueBytes, { minLength: 1, maxLength: 6 });

test('emit, Automaton, Threads and backtrack agree on any pattern and value', () => {
  fc.assert(
    fc.property(patternSource, values, (source, texts) => {
      const parsed = parse(source);
      if (parsed === undefined) return;
      const { tree, groupCount } = parsed;
      const native = hasWordsOfCharacters(tree) ? undefined : new RegExp(emit(tree, { captures: false }));
      const automaton = new Automaton(tree);
      const threads = new Threads(tree, groupCount);
      for (const value of texts) {
        const found = threads.match(value);
        equal(automaton.test(value), found !== undefined);
        const match = native?.exec(value);
        if (native !== undefined) equal(found !== undefined, match !== null);
        const { steps, slots } = backtrack(parsed, value, { stepsMax: 100_000 });
        if (steps > 100_000) return;
        equal(slots !== undefined, found !== undefined);
        if (found === undefined || hasEmptyRounds(tree)) continue;
        deepEqual(found, slots);
        if (match) deepEqual([found[0], found[1]], [match.index, match.index + match[0].length]);
      }
    }),
    { numRuns },
  );
});

test('requiredLiteralsOf is right about every match of a pattern', () => {
  const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  fc.assert(
    fc.property(patternSource, values, (source, texts) => {
      const parsed = parse(source);
      const required = parsed && requiredLiteralsOf(parsed.tree);
      if (parsed === undefined || required === undefined) return;
      const automaton = new Automaton(parsed.tree);
      for (const value of texts) {
        if (!automaton.test(value)) continue;
        const folded: string = required.ignoreCase ? fold(value) : value;
        ok(required.literals.some((literal): boolean => folded.includes(literal)));
      }
    }),
    { numRuns },
  );
});

test('estimateSearch is never below what backtracking takes', () => {
  // `backtrack` counts groups and anchors at positions where they cannot match, too.
  const stepsPerStep = 8;
  const stepsMax = 200_000;
  fc.assert(
    fc.property(patternSource, valueBytes, fc.nat(6), (source, text, times) => {
      const parsed = parse(source);
      if (parsed === undefined) return;
      const value = text.repeat(times);
      const bound = estimateSearch(parsed.tree)(value.length);
      const { steps } = backtrack(parsed, value, { stepsMax });
      ok(steps <= stepsPerStep * (bound + 1), `${steps} steps, bound ${bound}`);
    }),
    { numRuns },
  );
});

test('Automaton forgets its states when they become too many, and goes on', () => {
  const { tree } = parseRustSyntax('[ab]*a[ab]{14}c');
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
