/** Balances of LIMIT and OFFSET: a register counts down from a number that stands in the program. */
import type { BalanceMaker, Row, Rules, VariableValues } from './balances.ts';
import type { ExplainRow, Program } from './explain.ts';

interface Countdown {
  readonly start: (variables: VariableValues) => number | undefined;
  readonly startOp: ExplainRow;
  readonly ops: ReadonlySet<ExplainRow>;
  readonly kind: string;
}

const countdownOpcodes = new Set(['IfPos', 'IfNotZero', 'DecrJumpZero']);

export function findCountdownBalances(
  program: Program,
  writers: ReadonlyMap<number, readonly ExplainRow[]>,
): BalanceMaker[] {
  const byRegister = new Map<number, ExplainRow[]>();
  for (const op of program) {
    if (!countdownOpcodes.has(op.opcode) || (op.opcode === 'IfPos' && op.p3 !== 1)) continue;
    const ops = byRegister.get(op.p1);
    if (ops === undefined) byRegister.set(op.p1, [op]);
    else ops.push(op);
  }
  const makers: BalanceMaker[] = [];
  for (const [register, ops] of byRegister) {
    const kind = ops[0]!.opcode;
    const [startOp, ...others] = (writers.get(register) ?? []).filter(({ opcode }) => opcode !== 'MustBeInt');
    if (startOp === undefined || others.length > 0 || ops.some(({ opcode }) => opcode !== kind)) continue;
    const start = (variables: VariableValues): number | undefined => findStart(program, startOp, variables);
    makers.push(countdownBalance({ start, startOp, ops: new Set(ops), kind }));
  }
  return makers;
}

function findStart(program: Program, op: ExplainRow, variables: VariableValues): number | undefined {
  switch (op.opcode) {
    case 'Integer':
      return op.p1;
    case 'Variable':
      return variables(op.p1);
    case 'OffsetLimit': {
      const limit = findValueBefore(program, op.addr, op.p1, variables);
      const offset = findValueBefore(program, op.addr, op.p3, variables);
      if (limit === undefined || offset === undefined) return undefined;
      return limit > 0 ? limit + Math.max(offset, 0) : -1;
    }
    default:
      return undefined;
  }
}

/** What a register was given in the unbranched lines just before an address. */
function findValueBefore(
  program: Program,
  address: number,
  register: number,
  variables: VariableValues,
): number | undefined {
  for (let index = address - 1; index >= 0; index--) {
    const op = program[index]!;
    if (!/^(Integer|Variable|MustBeInt|IfNot)$/.test(op.opcode)) return undefined;
    if (op.opcode === 'Integer' && op.p2 === register) return op.p1;
    if (op.opcode === 'Variable' && op.p2 === register) return variables(op.p1);
  }
  return undefined;
}

function countdownBalance({ start, startOp, ops, kind }: Countdown): BalanceMaker {
  return (first) => {
    const [set, jumped, passed] = [first, first + 1, first + 2];
    return {
      of(op, via) {
        if (op === startOp) return [[set, 1]];
        if (!ops.has(op)) return [];
        return [[via === 'jump' ? jumped : passed, 1]];
      },
      rules(variables) {
        const count = start(variables);
        if (count === undefined || count <= 0) return undefined;
        // Started more than once nothing is said; else it is either used up or not.
        const again: Row = { terms: [[set, 1]], constant: -2 };
        if (kind === 'DecrJumpZero') return limitRules(count, jumped, passed, again);
        const usedUp: Row = { terms: [[jumped, 1]], constant: -count };
        const notUsedUp: Row = { terms: [[passed, -1]], constant: 0 };
        return {
          always: [
            {
              terms: [
                [set, count],
                [jumped, -1],
              ],
              constant: 0,
            },
          ],
          cases: [[usedUp], [notUsedUp], [again]],
        };
      },
    };
  };
}

/** `DecrJumpZero` jumps the `count`th time; what it does if asked after that is not its business any more. */
function limitRules(count: number, jumped: number, passed: number, again: Row): Rules {
  const reached: Row = {
    terms: [
      [jumped, 1],
      [passed, 1],
    ],
    constant: -count,
  };
  const notReached: Row[] = [
    { terms: [[jumped, -1]], constant: 0 },
    { terms: [[passed, -1]], constant: count - 1 },
  ];
  return { always: [], cases: [[reached], notReached, [again]] };
}
