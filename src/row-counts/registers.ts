/** Which registers instructions write, and who writes a register. */
import type { ExplainRow, Program } from './explain.ts';
import { coroutineOpcodes, testsRegister, writtenRegisters } from './opcodes.ts';

/** Registers `from`, `from + 1`, … are copied to `to`, `to + 1`, …. */
export interface RegisterCopy {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export function registerCopy({ opcode, p1, p2, p3 }: ExplainRow): RegisterCopy | undefined {
  if (opcode === 'SCopy' || opcode === 'IntCopy') return { from: p1, to: p2, count: 1 };
  if (opcode === 'Copy') return { from: p1, to: p2, count: p3 + 1 };
  if (opcode === 'Move') return { from: p1, to: p2, count: p3 };
  return undefined;
}

/** The registers an instruction gives a value that does not depend on what they held. */
export function overwrittenRegisters(op: ExplainRow): number[] {
  const { opcode, p1, p2, p3 } = op;
  const copy = registerCopy(op);
  if (copy !== undefined) {
    const targets = listRegisters(copy.to, copy.count);
    return opcode === 'Move' ? [...targets, ...listRegisters(copy.from, copy.count)] : targets;
  }
  switch (opcode) {
    case 'Null':
      return listRegisters(p2, Math.max(1, p3 - p2 + 1));
    case 'Integer':
    case 'BeginSubrtn':
      return [p2];
    case 'Gosub':
    case 'InitCoroutine':
      return [p1];
    // Grows it or leaves it.
    case 'MemMax':
      return [];
    default:
      return testsRegister(opcode) || coroutineOpcodes.has(opcode) ? [] : writtenRegisters(op);
  }
}

export function listRegisters(first: number, count: number): number[] {
  return Array.from({ length: Math.max(count, 0) }, (_, index) => first + index);
}

/** How many registers the instructions of a program name, counted without listing them. */
export function countRegisters(program: Program): number {
  return program.reduce((sum, op) => {
    const copied = registerCopy(op)?.count ?? 1;
    return sum + Math.max(1, op.opcode === 'Null' ? op.p3 - op.p2 + 1 : copied);
  }, 0);
}

/** For each register the instructions that write it. */
export function findWriters(program: Program): Map<number, ExplainRow[]> {
  const writers = new Map<number, ExplainRow[]>();
  for (const op of program) {
    for (const register of overwrittenRegisters(op)) {
      const list = writers.get(register);
      if (list === undefined) writers.set(register, [op]);
      else list.push(op);
    }
  }
  return writers;
}
