/**
 * Which slots still matter at an address: those that some path from there tests before overwriting
 * them. Everything else is forgotten, which keeps the number of places small.
 */
import type { ExplainRow, Program } from './explain.ts';
import { jumpsMax } from './limits.ts';
import { jumpingOpcodes, redirectingOpcodes, seekingOpcodes, testingOpcodes } from './opcodes.ts';
import type { Slots } from './slots.ts';
import type { TransferPoints } from './transfer-points.ts';

/** Sets of slots, one for each address, a bit for each slot. */
export class LiveSlots {
  readonly #words: number;
  readonly #bits: Uint32Array;

  private constructor(addresses: number, slots: number) {
    this.#words = Math.ceil(slots / 32);
    this.#bits = new Uint32Array(addresses * this.#words);
  }

  /** Undefined if the program jumps about too much. */
  static find(program: Program, slots: Slots, points: TransferPoints): LiveSlots | undefined {
    const successors = program.map((op) => findSuccessors(op, program, points));
    if (successors.reduce((sum, targets) => sum + targets.length, 0) > jumpsMax) return undefined;
    const predecessors: number[][] = program.map(() => []);
    successors.forEach((targets, address) =>
      targets.forEach((target) => predecessors[target]?.push(address)),
    );

    const live = new LiveSlots(program.length, slots.size);
    const queue = program.map((_, address) => address);
    const queued = new Uint8Array(program.length).fill(1);
    for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
      queued[address] = 0;
      const targets = successors[address]!.filter((target) => target >= 0 && target < program.length);
      if (!live.#update(address, targets, slots)) continue;
      for (const predecessor of predecessors[address]!) {
        if (queued[predecessor] === 1) continue;
        queued[predecessor] = 1;
        queue.push(predecessor);
      }
    }
    return live;
  }

  has(address: number, slot: number): boolean {
    return ((this.#bits[address * this.#words + (slot >>> 5)]! >>> (slot & 31)) & 1) === 1;
  }

  /** Takes over what matters at the targets; answers whether that was news. */
  #update(address: number, targets: readonly number[], slots: Slots): boolean {
    const before = new Uint32Array(this.#words);
    for (const target of targets) {
      for (let word = 0; word < this.#words; word++)
        before[word]! |= this.#bits[target * this.#words + word]!;
    }
    for (const slot of slots.overwritten(address)) before[slot >>> 5]! &= ~(1 << (slot & 31));
    for (const slot of slots.tested(address)) before[slot >>> 5]! |= 1 << (slot & 31);
    let changed = false;
    const start = address * this.#words;
    for (let word = 0; word < this.#words; word++) {
      if (this.#bits[start + word] === before[word]) continue;
      this.#bits[start + word] = before[word]!;
      changed = true;
    }
    return changed;
  }
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
