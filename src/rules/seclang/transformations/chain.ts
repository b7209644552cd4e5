/**
 * The transformations of a rule, in order. Chains with the same prefix share it, so each step is applied to a value at
 * most once, however many rules use it.
 */
import type { Transformation } from './transformation.ts';

export interface Chain {
  /** Numbers the chains of a rule set; 0 is the empty one. */
  readonly number: number;
  readonly parent: Chain | undefined;
  readonly last: Transformation | undefined;
  /** Kinds of bytes without which none of its steps changes a value. */
  readonly touches: number;
  /** From the empty chain to this one. */
  readonly steps: readonly Chain[];
}

const emptyChain = createChain(0, undefined, undefined);

function createChain(number: number, parent: Chain | undefined, last: Transformation | undefined): Chain {
  const steps: Chain[] = [...(parent?.steps ?? [])];
  const touches = (parent?.touches ?? 0) | (last?.touches ?? 0);
  const chain = { number, parent, last, touches, steps };
  steps.push(chain);
  return chain;
}

export class ChainTable {
  readonly #chains: Chain[] = [emptyChain];
  readonly #byParent = new Map<Chain, Map<Transformation, Chain>>();

  get size(): number {
    return this.#chains.length;
  }

  intern(transformations: readonly Transformation[]): Chain {
    let chain = this.#chains[0]!;
    for (const transformation of transformations) chain = this.#extend(chain, transformation);
    return chain;
  }

  #extend(parent: Chain, last: Transformation): Chain {
    const known = this.#byParent.get(parent) ?? new Map<Transformation, Chain>();
    this.#byParent.set(parent, known);
    const found = known.get(last);
    if (found !== undefined) return found;
    const chain = createChain(this.#chains.length, parent, last);
    this.#chains.push(chain);
    known.set(last, chain);
    return chain;
  }
}

/** A value after all steps of a chain, for when the intermediate results need not be cached. */
export function applyChain({ parent, last }: Chain, value: string): string {
  return parent === undefined ? value : last!.apply(applyChain(parent, value));
}
