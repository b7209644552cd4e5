/**
 * Conditions on the events of a block. A comparison runs once for each value that occurs in the block, not once for
 * each event, and only the fields of the condition are decoded.
 */
import type { Expression } from '#expressions';
import { compileExpression, compileValueTest, type EventCondition, type FieldTest } from '../../condition.ts';
import { parseEventExpression } from '../../event-expression.ts';
import { viewedFields } from '../../event-view.ts';
import { placeOf } from './columns.ts';
import { compileExpressionTest } from './expression-test.ts';
import { always, type BlockTest, never, type RowTest } from './row-test.ts';

/** Its expressions must be accepted by `parseEventExpression`. */
export function compileBlockTest(condition: EventCondition): BlockTest {
  switch (condition.kind) {
    case 'and':
      return testAll(condition.parts.map(compileBlockTest));
    case 'or':
      return testAny(condition.parts.map(compileBlockTest));
    case 'not':
      return testNot(compileBlockTest(condition.part));
    case 'expression': {
      const parsed = parseEventExpression(condition.expression);
      const test = parsed.ok && compileTree(parsed.tree.root, condition.expression);
      if (test) return test;
      const isMatch = compileExpression(condition.expression);
      return (block) => (row) => isMatch(block.event(row, viewedFields));
    }
    case 'test':
      return compileFieldTest(condition);
  }
}

/**
 * Compiles each comparison separately, so that the first one that no event of a block fulfils ends the work on the
 * block.
 */
function compileTree(root: Expression, source: string): BlockTest | undefined {
  if (root.kind !== 'and' && root.kind !== 'or') return compileExpressionTest(root, source);
  const parts = root.items.map((item) => compileTree(item, source));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return root.kind === 'and' ? testAll(known) : testAny(known);
}

function testAll(parts: readonly BlockTest[]): BlockTest {
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

function testAny(parts: readonly BlockTest[]): BlockTest {
  return (block) => {
    const tests = parts.map((part) => part(block));
    return tests.every((test) => test === never) ? never : (row) => tests.some((test) => test(row));
  };
}

function testNot(part: BlockTest): BlockTest {
  return (block) => {
    const test = part(block);
    return test === never ? always : test === always ? never : (row) => !test(row);
  };
}

function compileFieldTest(test: FieldTest): BlockTest {
  const { field } = test;
  const isMatch = compileValueTest(test);
  // A block does not store the values of these fields as text.
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
