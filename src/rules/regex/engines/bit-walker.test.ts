import { readBytes } from '#text';
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePattern } from '../parse-pattern.ts';
import { parsePcreSyntax } from '../syntax/pcre-syntax.ts';
import { parseRustSyntax } from '../syntax/rust-syntax.ts';
import { isAnchored, type PatternTree } from '../syntax/tree.ts';
import { sourceOf, valueBytes } from '../testing.ts';
import { Automaton } from './automaton.ts';
import { BitWalker } from './bit-walker.ts';
import { positionBitsFor } from './look-tables.ts';
import { compileProgram, needsBacktracking } from './program.ts';
import { noCategory, Stepper } from './stepper.ts';

const numRuns = Number(process.env['REGEX_RUNS'] ?? 1000);

/** Walks whole values, whatever the cost. */
function walkerOf(tree: PatternTree): (value: string) => boolean {
  const options = { backward: false, groupCount: 0, captures: false, backtracking: false };
  const program = compileProgram(tree, options);
  const stepper = new Stepper(program, { backward: false });
  const walker = BitWalker.for(stepper, isAnchored(tree), { wordsMax: Infinity })!;
  const looks = positionBitsFor(program);
  const start = stepper.newSet();
  stepper.add(start, program.start);
  const state = { instructions: start.list.slice(0, start.count), before: noCategory };
  return (value) => walker.walk(readBytes(value), value.length, 0, state, looks?.bitsOf(value));
}

for (const dialect of ['rust', 'pcre'] as const) {
  test(`BitWalker agrees with Automaton on any ${dialect} pattern and value`, () => {
    const parse = dialect === 'rust' ? parseRustSyntax : parsePcreSyntax;
    // Unrolled several times, a part takes more than one word.
    const source = fc
      .tuple(sourceOf(dialect), fc.constantFrom('', '{1,9}', '{7}', '{5,}?'))
      .map(([inner, count]) => (count === '' ? inner : `a?(?:${inner})${count}b`));
    fc.assert(
      fc.property(source, fc.array(valueBytes, { minLength: 1, maxLength: 6 }), (text, values) => {
        if (!parsePattern(text, dialect).ok) return;
        const { tree } = parse(text, {});
        if (needsBacktracking(tree)) return;
        const [walks, automaton] = [walkerOf(tree), new Automaton(tree)];
        for (const value of values) equal(walks(value), automaton.test(value), value);
      }),
      { numRuns },
    );
  });
}

test('BitWalker carries chains from word to word', () => {
  for (const count of [30, 31, 32, 33, 63, 64, 65, 100]) {
    const walks = walkerOf(parseRustSyntax(`a[ab]{${count}}c`, {}).tree);
    for (const length of [count - 1, count, count + 1]) {
      equal(walks(`ba${'b'.repeat(length)}c`), length === count, `${count} of ${length}`);
    }
  }
});

test('BitWalker takes a fraction of the steps for counted repetitions, and gives up where it would not', () => {
  const program = (source: string): Stepper => {
    const options = { backward: false, groupCount: 0, captures: false, backtracking: false };
    return new Stepper(compileProgram(parseRustSyntax(source, {}).tree, options), { backward: false });
  };
  const value = fc.sample(fc.constantFrom('a', 'b'), { numRuns: 10_000, seed: 7 }).join('');
  const automaton = new Automaton(parseRustSyntax(String.raw`\b[ab]*a[ab]{1900}c`, {}).tree);
  equal(automaton.test(value), false);
  ok(automaton.steps < (value.length * 1900) / 10, String(automaton.steps));
  equal(BitWalker.for(program('(?:a?){300}b'), false), undefined);
});
