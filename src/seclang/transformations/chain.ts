/**
 * The transformations of a rule, in order. Chains that begin alike share their beginning, so each step is applied
 * to a value at most once, however many rules ask for it.
 */
import type { Transformation } from './transformation.ts';

export interface Chain {
  /** Counts the chains of a rule set; 0 is the empty one. */
  readonly number: number;
  readonly parent: Chain | undefined;
  readonly last: Transformation | undefined;
}

export class ChainTable {
  readonly #chains: Chain[] = [{ number: 0, parent: undefined, last: undefined }];
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
    const chain = { number: this.#chains.length, parent, last };
    this.#chains.push(chain);
    known.set(last, chain);
    return chain;
  }
}

/** From the empty chain to this one. */
export function listSteps(chain: Chain): readonly Chain[] {
  const steps: Chain[] = [];
  for (let step: Chain | undefined = chain; step !== undefined; step = step.parent) steps.unshift(step);
  return steps;
}
