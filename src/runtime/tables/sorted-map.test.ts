import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedMap, type SortedWalk } from './sorted-map.ts';

const keyOf = (number: number): string => String(number).padStart(4, '0');
const key = fc.nat(2400).map(keyOf);
/** A range of keys at a time, so that chunks fill, split and empty. */
const stretch = { from: fc.nat(2000), count: fc.nat(400) };
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('set' as const), value: fc.nat(), ...stretch }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), ...stretch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('walk' as const) }) },
);

function forward(walk: SortedWalk<number>, from: string): Array<[string, number]> {
  const seen: Array<[string, number]> = [];
  for (walk.seek(from); walk.key !== undefined; walk.moveForward()) seen.push([walk.key, walk.value!]);
  return seen;
}

function backward(walk: SortedWalk<number>, before: string): Array<[string, number]> {
  const seen: Array<[string, number]> = [];
  walk.seek(before);
  for (walk.moveBack(); walk.key !== undefined; walk.moveBack()) seen.push([walk.key, walk.value!]);
  return seen;
}

test('SortedMap is a sorted map, and its walks see the state at their start', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), key, (steps, from) => {
      const map = new SortedMap<number>();
      const model = new Map<string, number>();
      const inOrder = (): Array<[string, number]> => [...model].sort(([a], [b]) => (a < b ? -1 : 1));
      const walks: Array<[SortedWalk<number>, Array<[string, number]>]> = [];
      for (const each of steps) {
        if (each.do === 'walk') walks.push([map.walk(), inOrder()]);
        else if (each.do === 'remove') {
          const [lower, upper] = [keyOf(each.from), keyOf(each.from + each.count)];
          const removed: string[] = [];
          map.removeRange(lower, upper, (gone) => removed.push(gone));
          assert.deepEqual(removed, [...model.keys()].filter((k) => k >= lower && k < upper).sort());
          for (const gone of removed) model.delete(gone);
        } else {
          for (let number = each.from; number < each.from + each.count; number++) {
            assert.equal(map.set(keyOf(number), each.value), model.get(keyOf(number)));
            model.set(keyOf(number), each.value);
          }
        }
        assert.equal(map.size, model.size);
      }
      assert.equal(map.get(from), model.get(from));
      walks.push([map.walk(), inOrder()]);
      for (const [walk, expected] of walks) {
        assert.deepEqual(forward(walk, ''), expected);
        assert.deepEqual(
          forward(walk, from),
          expected.filter(([k]) => k >= from),
        );
        assert.deepEqual(backward(walk, from), expected.filter(([k]) => k < from).reverse());
      }
    }),
    { numRuns: 60 },
  );
});
