/**
 * Which slots still matter at an address: those that some path from there tests before overwriting
 * them. Everything else is forgotten, which keeps the number of places small.
 */
import type { ExplainRow, Program } from './explain.ts';
import { jumpsMax } from './limits.ts';
import { jumpingOpcodes, redirectingOpcodes, seekingOpcodes, testingOpcodes } from './opcodes.ts';
import type { Slots } from './slots.ts';
import type { TransferPoints } from './transfer-points.ts';

/** For each address, one flag per slot; undefined if the program jumps about too much. */
export function findLiveSlots(
  program: Program,
  slots: Slots,
  points: TransferPoints,
): Uint8Array[] | undefined {
  const live = program.map(() => new Uint8Array(slots.size));
  const successors = program.map((op) => findSuccessors(op, program, points));
  if (successors.reduce((sum, targets) => sum + targets.length, 0) > jumpsMax) return undefined;
  const predecessors: number[][] = program.map(() => []);
  successors.forEach((targets, address) => targets.forEach((target) => predecessors[target]?.push(address)));

  const queue = program.map((_, address) => address);
  const queued = new Uint8Array(program.length).fill(1);
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    queued[address] = 0;
    const op = program[address]!;
    const before = new Uint8Array(slots.size);
    for (const target of successors[address]!) merge(before, live[target]);
    for (const slot of slots.overwritten(address)) before[slot] = 0;
    for (const slot of slots.tested(address)) before[slot] = 1;
    if (!merge(live[address]!, before)) continue;
    for (const predecessor of predecessors[address]!) {
      if (queued[predecessor] === 1) continue;
      queued[predecessor] = 1;
      queue.push(predecessor);
    }
  }
  return live;
}

function merge(into: Uint8Array, from: Uint8Array | undefined): boolean {
  let changed = false;
  from?.forEach((flag, slot) => {
    if (flag === 0 || into[slot] === 1) return;
    into[slot] = 1;
    changed = true;
  });
  return changed;
}

/** Every address control may go to next, seen without any knowledge of registers. */
function findSuccessors(op: ExplainRow, program: Program, points: TransferPoints): number[] {
  const next = op.addr + 1;
  switch (op.opcode) {
    case 'Return':
    case 'Yield':
    case 'EndCoroutine':
      return [next, ...points.targets(op)];
    case 'Jump':
      return [op.p1, op.p2, op.p3];
    case 'SeekScan':
      return [next, op.p2, program[next]?.p2 ?? next];
    case 'Halt':
      return [];
  }
  if (redirectingOpcodes.has(op.opcode) && op.p2 > 0) return [op.p2];
  if (seekingOpcodes.has(op.opcode)) return [next, next + 1, op.p2];
  const jumps = jumpingOpcodes.has(op.opcode) || testingOpcodes.has(op.opcode) || op.opcode === 'Program';
  return jumps ? [next, op.p2] : [next];
}
