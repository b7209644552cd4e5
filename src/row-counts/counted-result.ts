/** Finds the instructions that count, one by one or at once, what a plain `SELECT count(*) …` answers. */
import type { ExplainRow, Program } from './explain.ts';

/** Empty unless the statement answers one row, once, whose first value is such a count. */
export function findCountedOps(program: Program): Set<ExplainRow> {
  const results = program.filter(({ opcode }) => opcode === 'ResultRow');
  const result = results[0];
  // Followed by the end of the program, the row belongs to no loop.
  if (result === undefined || results.length > 1 || program[result.addr + 1]?.opcode !== 'Halt')
    return new Set();
  const source = findCopySource(program, result);
  if (source === undefined) return new Set();
  const counting = program.filter(({ opcode, p2, p3 }) => opcode === 'Count' && p2 === source && p3 === 0);
  if (counting.length === 1) return new Set(counting);
  const isFinal = ({ opcode, p1, p4 }: ExplainRow): boolean =>
    opcode === 'AggFinal' && p1 === source && p4 === 'count(0)';
  const isStep = ({ opcode, p3, p4 }: ExplainRow): boolean =>
    opcode === 'AggStep' && p3 === source && p4 === 'count(0)';
  return program.filter(isFinal).length === 1 ? new Set(program.filter(isStep)) : new Set();
}

/** The register the first value of the row was copied from, in the unbranched lines before it. */
function findCopySource(program: Program, result: ExplainRow): number | undefined {
  for (let address = result.addr - 1; address >= 0; address--) {
    const { opcode, p1, p2, p3 } = program[address]!;
    if (!/^(Copy|SCopy|AggFinal|Close)$/.test(opcode)) return undefined;
    if (opcode === 'SCopy' || opcode === 'Copy') {
      const count = opcode === 'Copy' ? p3 + 1 : 1;
      if (result.p1 >= p2 && result.p1 < p2 + count) return p1 + result.p1 - p2;
    }
  }
  return undefined;
}
