/**
 * Conditions on the events of a block. A comparison is made once for each value that occurs in the block, not once for
 * each event, and only the fields of the condition are decoded.
 */
import { compileExpression, compileValueTest, type Condition, type FieldTest } from '../../condition.ts';
import { viewedFields } from '../../event-view.ts';
import { placeOf } from './columns.ts';
import type { OpenBlock } from './open-block.ts';

/** The test of the event in a row. */
type RowTest = (row: number) => boolean;
export type BlockTest = (block: OpenBlock) => RowTest;

const never: RowTest = () => false;
const always: RowTest = () => true;

/** Its expressions must be ones that `parseEventExpression` accepts. */
export function compileBlockTest(condition: Condition): BlockTest {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.parts.map(compileBlockTest);
      return (block) => {
        const tests: RowTest[] = [];
        for (const part of parts) {
          const test = part(block);
          // The fields of the remaining parts need not be decoded.
          if (test === never) return never;
          if (test !== always) tests.push(test);
        }
        return tests.length === 0 ? always : (row) => tests.every((test) => test(row));
      };
    }
    case 'or': {
      const parts = condition.parts.map(compileBlockTest);
      return (block) => {
        const tests = parts.map((part) => part(block));
        return tests.every((test) => test === never) ? never : (row) => tests.some((test) => test(row));
      };
    }
    case 'not': {
      const part = compileBlockTest(condition.part);
      return (block) => {
        const test = part(block);
        return test === never ? always : test === always ? never : (row) => !test(row);
      };
    }
    case 'expression': {
      const isMatch = compileExpression(condition.expression);
      return (block) => (row) => isMatch(block.event(row, viewedFields));
    }
    case 'test':
      return compileFieldTest(condition);
  }
}

function compileFieldTest(test: FieldTest): BlockTest {
  const { field } = test;
  const isMatch = compileValueTest(test);
  // The values of these are not written out in a block.
  if (field === 'id' || field === 'datetime' || field === 'originatorRayName') {
    return (block) => (row) => isMatch(block.value(field, row) as string);
  }
  return (block) => {
    const column = block.column(field);
    const matches = column.values.map((value) => isMatch(value as string | number));
    if (!matches.includes(true)) return never;
    if (!matches.includes(false)) return always;
    return (row) => matches[placeOf(column, row)]!;
  };
}
