import { countWork } from '../../../tools/count-work.ts';
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Automaton } from './engines/automaton.ts';
import { Backtracker } from './engines/backtracker.ts';
import { needsBacktracking, programSize } from './engines/program.ts';
import { Threads } from './engines/threads.ts';
import { type EvilPattern, evilPatterns, pumped } from './evil-patterns.ts';
import { backtrackStepsMax, nativeStepsMax } from './limits.ts';
import { parsePattern } from './parse-pattern.ts';
import { parsePcreSyntax } from './syntax/pcre-syntax.ts';
import { parseRustSyntax } from './syntax/rust-syntax.ts';
import type { Pattern } from './types.ts';

const accepted: Array<{ evil: EvilPattern; pattern: Pattern }> = [];
for (const evil of evilPatterns) {
  const result = parsePattern(evil.source, evil.dialect);
  if (result.ok) accepted.push({ evil, pattern: result.pattern });
}

const parse = ({ source, dialect }: EvilPattern): ReturnType<typeof parseRustSyntax> =>
  dialect === 'rust' ? parseRustSyntax(source, {}) : parsePcreSyntax(source, {});

/** Eight times the bytes may take eight times the steps; the rest is one-time work. */
const growthMax = 10;

test('evilPatterns are many, and few of them are refused', () => {
  ok(accepted.length >= 50, String(accepted.length));
  equal(evilPatterns.length - accepted.length, 4);
});

test('Automaton takes a number of steps linear in the value for every evil pattern', () => {
  for (const { evil } of accepted) {
    const { tree } = parse(evil);
    if (needsBacktracking(tree)) continue;
    const stepsFor = (length: number): number => {
      const automaton = new Automaton(tree);
      automaton.test(pumped(evil, length));
      return automaton.steps + length;
    };
    const [small, medium, large] = [stepsFor(1024), stepsFor(8192), stepsFor(65_536)];
    ok(medium <= growthMax * small, `${evil.source}: ${small}, ${medium} steps`);
    ok(large <= growthMax * medium, `${evil.source}: ${medium}, ${large} steps`);
  }
});

test('Threads take no more steps than the value has bytes times what the program has instructions', () => {
  for (const { evil } of accepted) {
    const { tree, groupCount } = parse(evil);
    if (needsBacktracking(tree)) continue;
    const threads = new Threads(tree, groupCount);
    const value = pumped(evil, 1024);
    threads.match(value);
    // At each position every instruction is reached once and run once.
    const stepsMax = 2 * (value.length + 1) * (programSize(tree).instructions + 3);
    ok(threads.steps <= stepsMax, `${evil.source}: ${threads.steps} of ${stepsMax} steps`);
  }
});

test('Backtracker never exceeds its budget', () => {
  for (const { evil } of accepted) {
    const { tree, groupCount } = parse(evil);
    if (!needsBacktracking(tree)) continue;
    const backtracker = new Backtracker(tree, groupCount);
    const value = pumped(evil, 65_536);
    backtracker.match(value);
    // One reference compares at most the value in its last step.
    ok(backtracker.steps <= backtrackStepsMax + value.length + 1, `${evil.source}: ${backtracker.steps}`);
  }
});

test('Pattern answers in V8 only where its worst case is cheap', () => {
  for (const { evil, pattern } of accepted) {
    if (pattern.native === undefined || pattern.nativeLengthMax < 0) continue;
    const length = Math.min(pattern.nativeLengthMax, 65_536);
    const value = pumped(evil, length).slice(-length);
    // V8 does not count its steps; our own backtracking engine tries the same alternatives in the same order.
    const { tree, groupCount } = parse(evil);
    const backtracker = new Backtracker(tree, groupCount);
    backtracker.match(value);
    ok(backtracker.steps <= 2 * nativeStepsMax, `${evil.source}: ${length} bytes take ${backtracker.steps}`);
  }
});

/** Some steps for each byte and each instruction that can be active, or for each of the backtracking engine's. */
const workMax = 10 * backtrackStepsMax;

test('Pattern answers any evil value of 64 KiB after a bounded number of steps', () => {
  for (const { evil, pattern } of accepted) {
    // A value without the required literals is rejected at once, so they are put in front.
    const required = pattern.requiredLiterals?.literals.join('') ?? '';
    const value = `${required}\n${pumped(evil, 65_536)}`;
    const work = countWork(() => pattern.test(value));
    ok(work <= workMax, `${evil.source}: ${work} steps`);
    ok(pattern.exhausted === 0 || pattern.native === undefined);
  }
});
