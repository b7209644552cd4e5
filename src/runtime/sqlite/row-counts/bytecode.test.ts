import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExplainRow, findCallees, splitPrograms, writesRegister } from './bytecode.ts';

function op(addr: number, opcode: string, p1 = 0, p2 = 0, p3 = 0): ExplainRow {
  return { addr, opcode, p1, p2, p3, p4: null, p5: 0 };
}

test('splitPrograms begins a program at each address 0', () => {
  const rows = [op(0, 'Init'), op(1, 'Halt'), op(0, 'Init'), op(1, 'Halt')];
  assert.deepEqual(splitPrograms(rows), [rows.slice(0, 2), rows.slice(2)]);
  assert.deepEqual(splitPrograms([]), []);
});

test('splitPrograms takes a register of the main program out of subprograms', () => {
  const rows = [op(0, 'Init'), op(1, 'NewRowid', 0, 1, 3), op(0, 'Init'), op(1, 'NewRowid', 0, 1, 3)];
  const [main, trigger] = splitPrograms(rows);
  assert.deepEqual([main![1]!.p3, trigger![1]!.p3], [3, 0]);
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

test('writesRegister knows ranges, and takes an unknown instruction to write all that it names', () => {
  const written = (row: ExplainRow): number[] =>
    [1, 2, 3, 4, 5].filter((register) => writesRegister(row, register));
  assert.deepEqual(written(op(1, 'Null', 0, 2, 4)), [2, 3, 4]);
  assert.deepEqual(written(op(1, 'Copy', 1, 4, 1)), [4, 5]);
  assert.deepEqual(written(op(1, 'Move', 1, 4, 2)), [1, 2, 4, 5]);
  assert.deepEqual(written(op(1, 'Column', 1, 2, 3)), [3]);
  assert.deepEqual(written(op(1, 'Next', 1, 2, 3)), []);
  assert.deepEqual(written(op(1, 'FromTheFuture', 1, 2, 3)), [1, 2, 3]);
});
