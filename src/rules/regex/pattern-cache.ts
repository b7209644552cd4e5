/**
 * The patterns of a process by their source, so that none is compiled twice: not for the same rule in another zone or
 * another version, nor while an API call is answered whose patterns were compiled before it started.
 *
 * A pattern in use always stays. Of the others, the most recently used stay up to a size limit.
 */
import { RecentMap } from '#base';
import type { Pattern } from './types.ts';

export class PatternCache {
  readonly #known = new Map<string, WeakRef<Pattern>>();
  readonly #gone = new FinalizationRegistry<string>((source) => {
    if (this.#known.get(source)?.deref() === undefined) this.#known.delete(source);
  });
  readonly #recent: RecentMap<string, Pattern>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#recent = new RecentMap({ sizeMax, sizeOf: ({ size }) => size });
  }

  get(source: string): Pattern | undefined {
    const recent = this.#recent.get(source);
    if (recent !== undefined) return recent;
    const found = this.#known.get(source)?.deref();
    return found === undefined ? undefined : this.#recent.set(source, found);
  }

  add(pattern: Pattern): void {
    const { source } = pattern;
    this.#known.set(source, new WeakRef(pattern));
    this.#gone.register(pattern, source);
    this.#recent.set(source, pattern);
  }
}
