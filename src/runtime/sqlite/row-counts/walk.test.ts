import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainRow } from './bytecode.ts';
import { Code } from './code.ts';
import { end, type ProgramPlace, Walk } from './walk.ts';

type Line = readonly [opcode: string, p1?: number, p2?: number, p3?: number];

function program(...lines: readonly Line[]): ExplainRow[] {
  return lines.map(([opcode, p1 = 0, p2 = 0, p3 = 0], addr) => ({
    addr,
    opcode,
    p1,
    p2,
    p3,
    p4: null,
    p5: 0,
  }));
}

function walk(...programs: readonly ExplainRow[][]): ProgramPlace[] | undefined {
  return new Walk(programs.map((rows) => new Code(rows))).run();
}

/** The addresses of a path that never branches, from the entry on. */
function follow(places: readonly ProgramPlace[]): number[] {
  const addresses: number[] = [];
  for (let place = places[0]; place !== undefined;) {
    addresses.push(place.op.addr);
    assert.equal(place.ways.length, 1, `at ${place.op.addr}`);
    const { to } = place.ways[0]!;
    place = to === end ? undefined : places[to];
  }
  return addresses;
}

test('Walk returns from a subroutine to where it was called', () => {
  const main = program(['Init', 0, 1], ['Gosub', 1, 4], ['Gosub', 1, 4], ['Halt'], ['Noop'], ['Return', 1]);
  assert.deepEqual(follow(walk(main)!), [0, 1, 4, 5, 2, 4, 5, 3]);
});

test('Walk goes back and forth between a coroutine and its caller', () => {
  const main = program(
    ['Init', 0, 1],
    ['InitCoroutine', 1, 5, 2],
    ['Yield', 1],
    ['Yield', 1],
    ['EndCoroutine', 1],
    ['Yield', 1, 7],
    ['Goto', 0, 5],
    ['Halt'],
  );
  assert.deepEqual(follow(walk(main)!), [0, 1, 5, 2, 6, 5, 3, 6, 5, 4, 7]);
});

test('Walk goes into a block that runs once a single time', () => {
  const main = program(
    ['Init', 0, 1],
    ['Gosub', 1, 4],
    ['Gosub', 1, 4],
    ['Halt'],
    ['Once', 0, 6],
    ['Noop'],
    ['Return', 1],
  );
  assert.deepEqual(follow(walk(main)!), [0, 1, 4, 5, 6, 2, 4, 6, 3]);
});

test('Walk knows a flag that was copied, and one that counts down to nothing', () => {
  const copied = program(['Init', 0, 1], ['Integer', 0, 1], ['Copy', 1, 2], ['If', 2, 5], ['Halt'], ['Halt']);
  assert.deepEqual(follow(walk(copied)!), [0, 1, 2, 3, 4]);
  const limit = program(
    ['Init', 0, 1],
    ['Integer', 1, 1],
    ['DecrJumpZero', 1, 4],
    ['Halt'],
    ['Noop'],
    ['Halt'],
  );
  assert.deepEqual(follow(walk(limit)!), [0, 1, 2, 4, 5]);
});

test('Walk comes back from a subprogram and knows what it knew before', () => {
  const main = program(
    ['Init', 0, 1],
    ['Integer', 0, 1],
    ['Program'],
    ['If', 1, 5],
    ['Halt'],
    ['Noop'],
    ['Halt'],
  );
  const trigger = program(['Init', 0, 1], ['Halt']);
  const places = walk(main, trigger)!;
  assert.deepEqual(follow(places), [0, 1, 2, 0, 1, 3, 4]);
  assert.deepEqual(
    places.filter((place) => place.program === 1).map(({ op }) => op.addr),
    [0, 1],
  );
});

test('Walk takes no way to an error', () => {
  const main = program(['Init', 0, 1], ['IsNull', 1, 3], ['Halt', 19], ['Halt']);
  const failing = walk(main)!.find(({ op }) => op.addr === 2)!;
  assert.deepEqual(failing.ways, []);
});

test('Walk gives up where it is not known what a subroutine returns to, and on too many places', () => {
  assert.equal(walk(program(['Init', 0, 1], ['Return', 1], ['Halt'])), undefined);
  const flags = Array.from({ length: 40 }, (_, index): Line[] => [
    ['IsNull', 100, 3 * index + 4],
    ['Integer', 1, index + 1],
    ['If', index + 1, 3 * index + 4],
  ]);
  assert.equal(walk(program(['Init', 0, 1], ...flags.flat(), ['Halt'])), undefined);
});
