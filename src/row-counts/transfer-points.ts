/** Where subroutines and coroutines of a program can be entered, left and resumed. */
import type { ExplainRow, Program } from './explain.ts';

export class TransferPoints {
  readonly #targets = new Map<string, Set<number>>();

  constructor(program: Program) {
    for (const { opcode, addr, p1, p2, p3 } of program) {
      if (opcode === 'Gosub') this.#add('return', p1, addr + 1);
      if (opcode === 'InitCoroutine') this.#add('yield', p1, p3);
      if (opcode === 'Yield') {
        this.#add('yield', p1, addr + 1);
        this.#add('end', p1, p2);
      }
      if (opcode === 'EndCoroutine') this.#add('yield', p1, addr);
    }
  }

  /** All addresses a `Return`, `Yield` or `EndCoroutine` may go to when its register is not known. */
  targets({ opcode, p1 }: ExplainRow): ReadonlySet<number> {
    const kind = opcode === 'Return' ? 'return' : opcode === 'Yield' ? 'yield' : 'end';
    return this.#targets.get(`${kind} ${p1}`) ?? new Set();
  }

  #add(kind: 'return' | 'yield' | 'end', register: number, address: number): void {
    const key = `${kind} ${register}`;
    const targets = this.#targets.get(key);
    if (targets === undefined) this.#targets.set(key, new Set([address]));
    else targets.add(address);
  }
}
