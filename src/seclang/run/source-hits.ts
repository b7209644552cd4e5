/**
 * Which filters have a literal in any value of a target, after a chain of transformations. It may say more than there
 * is: literals of a value before its transformations count too, so that nothing is computed for a chain that changes
 * none of the values.
 */
import { spendSteps } from '#base';
import type { Prefilter } from '../prefilter.ts';
import type { Chain } from '../transformations/chain.ts';
import type { Text } from './text.ts';

export class SourceHits {
  readonly #texts: ReadonlySet<Text>;
  readonly #kinds: number;
  readonly #own: Uint32Array;
  readonly #byChain: (Uint32Array | undefined)[] = [];

  constructor(texts: ReadonlySet<Text>, { noHits }: Prefilter) {
    this.#texts = texts;
    spendSteps(texts.size);
    let kinds = 0;
    let own = noHits;
    for (const text of texts) {
      kinds |= text.kinds;
      own = unite(own, text.hits, noHits);
    }
    this.#kinds = kinds;
    this.#own = own;
  }

  after(chain: Chain): Uint32Array {
    if ((this.#kinds & chain.touches) === 0) return this.#own;
    const known = this.#byChain[chain.number];
    if (known !== undefined) return known;
    spendSteps(this.#texts.size);
    let hits = this.#own;
    for (const text of this.#texts) {
      const after = text.transform(chain);
      if (after !== text) hits = unite(hits, after.hits, this.#own);
    }
    this.#byChain[chain.number] = hits;
    return hits;
  }
}

/** Leaves `kept`, which belongs to somebody else, as it is. */
function unite(hits: Uint32Array, more: Uint32Array, kept: Uint32Array): Uint32Array {
  let isNew = false;
  for (let word = 0; word < hits.length && !isNew; word++) isNew = (more[word]! & ~hits[word]!) !== 0;
  if (!isNew) return hits;
  const united = hits === kept ? hits.slice() : hits;
  for (let word = 0; word < united.length; word++) united[word]! |= more[word]!;
  return united;
}
