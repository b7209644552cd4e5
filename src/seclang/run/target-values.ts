/** The values that rules look at. Those of a source are listed once for a phase, unless they change while rules run. */
import type { LinkTest, Source } from '../model.ts';
import { selects, type Target, type Targets } from '../read/targets.ts';
import type { Entry, RequestVariables } from '../variables/request-variables.ts';
import { changesBetweenPhases, requestVariables, volatileVariables } from '../variables/variables.ts';
import type { Text, TextHome } from './text.ts';

export interface TargetValue {
  readonly variable: string;
  readonly key: string;
  readonly text: Text;
}

/** Lists the entries of a variable that changes while rules run. */
export type VolatileLister = (variable: string, target: Target) => readonly Entry[];

export class TargetValues {
  readonly #variables: RequestVariables;
  readonly #texts: TextHome;
  readonly #listVolatile: VolatileLister;
  readonly #byVariable = new Map<string, readonly TargetValue[]>();
  /** By list of a variable, then by key in lower case: rules ask for a dozen headers. */
  readonly #byKey = new Map<readonly TargetValue[], ReadonlyMap<string, readonly TargetValue[]>>();
  /** By number of the source. */
  readonly #bySource: (readonly TargetValue[] | undefined)[] = [];
  readonly #listed: Source[] = [];

  constructor(variables: RequestVariables, texts: TextHome, listVolatile: VolatileLister) {
    this.#variables = variables;
    this.#texts = texts;
    this.#listVolatile = listVolatile;
  }

  /** A body has been read, or a response has come. */
  forget(): void {
    for (const variable of this.#byVariable.keys())
      if (changesBetweenPhases(variable)) this.#byVariable.delete(variable);
    for (const { number, target } of this.#listed)
      if (changesBetweenPhases(target.variable)) this.#bySource[number] = undefined;
  }

  valuesOf(source: Source): readonly TargetValue[] {
    const known = this.#bySource[source.number];
    if (known !== undefined) return known;
    const values = this.#select(source.target, source.excluded);
    if (source.isVolatile) return values;
    this.#bySource[source.number] = values;
    this.#listed.push(source);
    return values;
  }

  /** All values of a test, without those that a rule has removed for this request. */
  valuesWithout({ targets }: LinkTest, removed: readonly Target[]): readonly TargetValue[] {
    const { included, excluded }: Targets = targets;
    return included.flatMap((target) => this.#select(target, [...excluded, ...removed]));
  }

  #select(target: Target, excluded: readonly Target[]): readonly TargetValue[] {
    const { variable, isCount } = target;
    const exclusions = excluded.filter((other) => other.variable === variable);
    const found = this.#listSelected(target);
    const kept =
      exclusions.length === 0
        ? found
        : found.filter(({ key }) => !exclusions.some((other) => selects(other.selector, key)));
    if (!isCount) return kept;
    return [{ variable: `&${variable}`, key: '', text: this.#texts.intern(String(kept.length)) }];
  }

  #listSelected(target: Target): readonly TargetValue[] {
    const { variable, selector } = target;
    const all = this.#listVariable(target);
    if (selector.kind === 'all' || variable === 'XML' || all.length === 0) return all;
    if (selector.kind === 'pattern' || volatileVariables.has(variable))
      return all.filter(({ key }) => selects(selector, key));
    let byKey = this.#byKey.get(all);
    if (byKey === undefined) {
      byKey = Map.groupBy(all, ({ key }) => key.toLowerCase());
      this.#byKey.set(all, byKey);
    }
    return byKey.get(selector.key) ?? [];
  }

  #listVariable(target: Target): readonly TargetValue[] {
    const { variable } = target;
    if (variable === 'XML') return this.#toValues(variable, this.#listXml(target));
    if (volatileVariables.has(variable))
      return this.#toValues(variable, this.#listVolatile(variable, target));
    let list = this.#byVariable.get(variable);
    if (list === undefined) {
      list = this.#toValues(variable, requestVariables[variable]!(this.#variables));
      this.#byVariable.set(variable, list);
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
    return entries.map(([key, value]) => ({ variable, key, text: this.#texts.intern(value) }));
  }
}
