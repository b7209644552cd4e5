/**
 * The values that a rule looks at. Rules with the same targets get the same list, made once for a phase. Most rules need
 * no list: one bit for each of their targets says that none of their literals occurs.
 */
import { selects, type Target, type Targets } from '../read/targets.ts';
import type { LinkTest } from '../model.ts';
import { isHit } from '../prefilter.ts';
import type { Entry, RequestVariables } from '../variables/request-variables.ts';
import { requestVariables, volatileVariables } from '../variables/variables.ts';
import { SourceHits } from './source-hits.ts';
import type { Text, TextPool } from './text.ts';

export interface TargetValue {
  readonly variable: string;
  readonly key: string;
  readonly text: Text;
}

/** Lists the entries of a variable that changes while rules run. */
export type VolatileLister = (variable: string, target: Target) => readonly Entry[];

export class TargetValues {
  readonly #variables: RequestVariables;
  readonly #pool: TextPool;
  readonly #listVolatile: VolatileLister;
  readonly #lists = new Map<string, readonly TargetValue[]>();
  #groups: (readonly TargetValue[] | undefined)[] = [];
  #sources: (SourceHits | undefined)[] = [];

  constructor(variables: RequestVariables, pool: TextPool, listVolatile: VolatileLister) {
    this.#variables = variables;
    this.#pool = pool;
    this.#listVolatile = listVolatile;
  }

  /** What was listed may be different now: a body has been read, or a response has come. */
  forget(): void {
    this.#lists.clear();
    this.#groups = [];
    this.#sources = [];
  }

  list(targets: Targets, group: number, removed: readonly Target[]): readonly TargetValue[] {
    if (removed.length > 0)
      return this.#select({ included: targets.included, excluded: [...targets.excluded, ...removed] });
    if (group === -1) return this.#select(targets);
    return (this.#groups[group] ??= this.#select(targets));
  }

  /** False if the test's filter says that it cannot match any value of its targets. */
  canMatch({ targets, sources, filter, chain, isMultiMatch }: LinkTest): boolean {
    for (let index = 0; index < sources.length; index++) {
      const hits = this.#hitsOf(sources[index]!, targets.included[index]!);
      if (isHit(hits.after(chain), filter)) return true;
      if (isMultiMatch && chain.steps.some((step) => isHit(hits.after(step), filter))) return true;
    }
    return false;
  }

  #hitsOf(source: number, target: Target): SourceHits {
    const known = this.#sources[source];
    if (known !== undefined) return known;
    const values = this.#select({ included: [target], excluded: [] });
    const hits = new SourceHits(new Set(values.map(({ text }) => text)), this.#pool.prefilter);
    this.#sources[source] = hits;
    return hits;
  }

  #select({ included, excluded }: Targets): readonly TargetValue[] {
    const values: TargetValue[] = [];
    for (const target of included) {
      const { variable, selector, isCount } = target;
      const all = this.#listVariable(target);
      const exclusions = excluded.filter((other) => other.variable === variable);
      const found =
        selector.kind === 'all' || variable === 'XML' ? all : all.filter(({ key }) => selects(selector, key));
      const kept =
        exclusions.length === 0
          ? found
          : found.filter(({ key }) => !exclusions.some((other) => selects(other.selector, key)));
      if (isCount)
        values.push({ variable: `&${variable}`, key: '', text: this.#pool.intern(String(kept.length)) });
      else values.push(...kept);
    }
    return values;
  }

  #listVariable(target: Target): readonly TargetValue[] {
    const { variable } = target;
    if (variable === 'XML') return this.#toValues(variable, this.#listXml(target));
    if (volatileVariables.has(variable))
      return this.#toValues(variable, this.#listVolatile(variable, target));
    let list = this.#lists.get(variable);
    if (list === undefined) {
      list = this.#toValues(variable, requestVariables[variable]!(this.#variables));
      this.#lists.set(variable, list);
    }
    return list;
  }

  /** The two paths that rules use: all text, and all values of attributes. */
  #listXml({ selector }: Target): readonly Entry[] {
    const { xml } = this.#variables.body;
    if (xml === undefined) return [];
    if (selector.kind === 'key' && selector.key.includes('@'))
      return xml.attributes.map((value) => ['', value]);
    return [['', xml.text]];
  }

  #toValues(variable: string, entries: readonly Entry[]): readonly TargetValue[] {
    return entries.map(([key, value]) => ({ variable, key, text: this.#pool.intern(value) }));
  }
}
