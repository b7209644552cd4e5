/** The values that rules look at. Those of a source are listed once for a phase, unless they change while rules run. */
import type { LinkTest, Source } from '../model.ts';
import { selects, type Target } from '../read/targets.ts';
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

/** What was listed since the start, or since the phase began. */
class Listed {
  readonly byVariable = new Map<string, readonly TargetValue[]>();
  /** By number of the source. */
  readonly bySource: (readonly TargetValue[] | undefined)[] = [];
}

export class TargetValues {
  readonly #variables: RequestVariables;
  readonly #texts: TextHome;
  readonly #listVolatile: VolatileLister;
  readonly #lasting = new Listed();
  /** What a body or a response may change. */
  #changing = new Listed();
  /** By list of a variable, then by key in lower case: rules ask for a dozen headers. */
  readonly #byKey = new Map<readonly TargetValue[], ReadonlyMap<string, readonly TargetValue[]>>();

  constructor(variables: RequestVariables, texts: TextHome, listVolatile: VolatileLister) {
    this.#variables = variables;
    this.#texts = texts;
    this.#listVolatile = listVolatile;
  }

  /** A body has been read, or a response has come. */
  forget(): void {
    this.#changing = new Listed();
  }

  valuesOf({ number, target, excluded, isVolatile, isChanging }: Source): readonly TargetValue[] {
    if (isVolatile) return this.#select(target, excluded);
    const { bySource } = isChanging ? this.#changing : this.#lasting;
    return (bySource[number] ??= this.#select(target, excluded));
  }

  /** All values of a test, without those that a rule has removed for this request. */
  valuesWithout({ targets }: LinkTest, removed: readonly Target[]): readonly TargetValue[] {
    const excluded = [...targets.excluded, ...removed];
    return targets.included.flatMap((target) =>
      this.#select(
        target,
        excluded.filter(({ variable }) => variable === target.variable),
      ),
    );
  }

  /** What is excluded is of the same variable. */
  #select(target: Target, excluded: readonly Target[]): readonly TargetValue[] {
    const found = this.#listSelected(target);
    const kept =
      excluded.length === 0
        ? found
        : found.filter(({ key }) => !excluded.some((other) => selects(other.selector, key)));
    if (!target.isCount) return kept;
    const count = this.#texts.intern(String(kept.length));
    return [{ variable: `&${target.variable}`, key: '', text: count }];
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
    const { byVariable } = changesBetweenPhases(variable) ? this.#changing : this.#lasting;
    let list = byVariable.get(variable);
    if (list === undefined) {
      list = this.#toValues(variable, requestVariables[variable]!(this.#variables));
      byVariable.set(variable, list);
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
