import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainRow } from './explain.ts';
import { end, type Place, walk } from './walk.ts';

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

/** The addresses of a path that never branches, from the entry on. */
function follow(places: readonly Place[]): number[] {
  const addresses: number[] = [];
  for (let place = places[0]; place !== undefined;) {
    addresses.push(place.op.addr);
    assert.equal(place.ways.length, 1, `at ${place.op.addr}`);
    const { to } = place.ways[0]!;
    place = to === end ? undefined : places[to];
  }
  return addresses;
}

test('walk returns from a subroutine to where it was called', () => {
  const main = program(['Init', 0, 1], ['Gosub', 1, 4], ['Gosub', 1, 4], ['Halt'], ['Noop'], ['Return', 1]);
  assert.deepEqual(follow(walk([main], new Map())!), [0, 1, 4, 5, 2, 4, 5, 3]);
});

test('walk goes back and forth between a coroutine and its caller', () => {
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
  assert.deepEqual(follow(walk([main], new Map())!), [0, 1, 5, 2, 6, 5, 3, 6, 5, 4, 7]);
});

test('walk goes into a block that runs once a single time', () => {
  const main = program(
    ['Init', 0, 1],
    ['Gosub', 1, 4],
    ['Gosub', 1, 4],
    ['Halt'],
    ['Once', 0, 6],
    ['Noop'],
    ['Return', 1],
  );
  assert.deepEqual(follow(walk([main], new Map())!), [0, 1, 4, 5, 6, 2, 4, 6, 3]);
});

test('walk comes back from a subprogram and knows what it knew before', () => {
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
  const places = walk([main, trigger], new Map())!;
  assert.deepEqual(follow(places).map((address, index) => [places[index]!.program, address]).length, 7);
  assert.deepEqual(follow(places), [0, 1, 2, 0, 1, 3, 4]);
});

test('walk takes no way to an error', () => {
  const main = program(['Init', 0, 1], ['IsNull', 1, 3], ['Halt', 19], ['Halt']);
  const places = walk([main], new Map())!;
  const failing = places.find(({ op }) => op.addr === 2)!;
  assert.deepEqual(failing.ways, []);
});

test('walk gives up on a program with too many places', () => {
  const flags = Array.from({ length: 40 }, (_, index): Line => ['IsNull', index + 1, index + 2]);
  const again = Array.from({ length: 40 }, (_, index): Line => ['IsNull', index + 1, index + 42]);
  assert.equal(walk([program(['Init', 0, 1], ...flags, ...again, ['Halt'])], new Map()), undefined);
});
