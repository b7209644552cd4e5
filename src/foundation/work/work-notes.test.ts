import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  noteObject,
  noteStatement,
  noteStatementEnd,
  registerWork,
  WorkName,
  workNotes,
} from './work-notes.ts';

/** What the watchdog thread would read now. */
function readNote(kind: 'object' | 'statement'): string | undefined {
  const { buffer, kinds, slotBytes, slotsMax, nameBytesMax, namesStart } = workNotes;
  const number = new Int32Array(buffer)[kinds.indexOf(kind)]!;
  if (number === 0) return undefined;
  const bytes = Buffer.from(buffer, namesStart).subarray((number % slotsMax) * slotBytes);
  return bytes.toString('utf8', 0, Math.min(bytes.indexOf(0), nameBytesMax));
}

test('WorkName shows its own name however many were registered since', () => {
  const object = new WorkName('Room 1');
  const statement = new WorkName(`SELECT '${'é'.repeat(40)}'`);
  for (let round = 0; round < 3; round++) {
    noteObject(object.number);
    const before = noteStatement(statement.number, object.number);
    equal(readNote('object'), 'Room 1');
    equal(readNote('statement'), `SELECT '${'é'.repeat(40)}'`);
    noteStatementEnd(before);
    equal(readNote('statement'), undefined);
    equal(readNote('object'), 'Room 1', 'as before the statement');
    for (let i = 0; i < workNotes.slotsMax; i += 7)
      registerWork(...Array.from({ length: 7 }, () => 'x'.repeat(99)));
  }
});
