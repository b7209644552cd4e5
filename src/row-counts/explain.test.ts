import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExplainRow, findCallees, splitPrograms } from './explain.ts';

function op(addr: number, opcode: string, p3 = 0): ExplainRow {
  return { addr, opcode, p1: 0, p2: 0, p3, p4: null, p5: 0 };
}

test('splitPrograms begins a program at each address 0', () => {
  const rows = [op(0, 'Init'), op(1, 'Halt'), op(0, 'Init'), op(1, 'Halt')];
  assert.deepEqual(splitPrograms(rows), [rows.slice(0, 2), rows.slice(2)]);
  assert.deepEqual(splitPrograms([]), []);
});

test('splitPrograms takes registers of the main program out of subprograms', () => {
  const rows = [op(0, 'Init'), op(1, 'NewRowid', 3), op(0, 'Init'), op(1, 'NewRowid', 3), op(2, 'MemMax')];
  const [main, trigger] = splitPrograms(rows);
  assert.equal(main![1]!.p3, 3);
  assert.deepEqual(
    trigger!.map(({ opcode, p3 }) => [opcode, p3]),
    [
      ['Init', 0],
      ['NewRowid', 0],
      ['Noop', 0],
    ],
  );
});

test('findCallees tells calls apart only if each has a listing of its own', () => {
  const [first, second] = [op(1, 'Program'), op(2, 'Program')];
  const main = [op(0, 'Init'), first, second, op(3, 'Halt')];
  const trigger = [op(0, 'Init'), op(1, 'Halt')];
  const own = findCallees([main, trigger, trigger]);
  assert.deepEqual([own.get(first), own.get(second)], [[1], [2]]);
  const shared = findCallees([main, trigger]);
  assert.deepEqual([shared.get(first), shared.get(second)], [[1], [1]]);
});
