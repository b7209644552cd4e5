/**
 * The patterns of a process by their source, so that what has been compiled once is not compiled again: not for the same
 * rule in another zone or another version, nor while an API call is answered whose patterns were compiled before it began.
 *
 * A pattern stays as long as anybody uses it. Of the others, the ones asked for last stay up to a size.
 */
import type { Pattern } from './types.ts';

export class PatternCache {
  readonly #sizeMax: number;
  readonly #known = new Map<string, WeakRef<Pattern>>();
  readonly #gone = new FinalizationRegistry<string>((source) => {
    if (this.#known.get(source)?.deref() === undefined) this.#known.delete(source);
  });
  /** The one asked for longest ago comes first. */
  readonly #recent = new Map<string, Pattern>();
  #recentSize = 0;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#sizeMax = sizeMax;
  }

  get(source: string): Pattern | undefined {
    const found = this.#recent.get(source) ?? this.#known.get(source)?.deref();
    if (found !== undefined) this.#keep(source, found);
    return found;
  }

  add(pattern: Pattern): void {
    const { source } = pattern;
    this.#known.set(source, new WeakRef(pattern));
    this.#gone.register(pattern, source);
    this.#keep(source, pattern);
  }

  #keep(source: string, pattern: Pattern): void {
    if (this.#recent.delete(source)) this.#recentSize -= pattern.size;
    this.#recent.set(source, pattern);
    this.#recentSize += pattern.size;
    for (const [oldest, { size }] of this.#recent) {
      if (this.#recentSize <= this.#sizeMax || oldest === source) return;
      this.#recent.delete(oldest);
      this.#recentSize -= size;
    }
  }
}
