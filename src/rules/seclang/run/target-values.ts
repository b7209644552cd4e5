/** The values that rules read. Those of a source are listed once per phase, unless they change while rules run. */
import type { LinkTest, TargetSource } from '../model.ts';
import { selects, type VariableTarget } from '../read/targets.ts';
import type { VariableEntry, RequestVariables } from '../variables/request-variables.ts';
import { changingNumbers, numberedVariables, numberOfVariable } from '../variables/variables.ts';
import type { RequestText } from './text.ts';
import type { RequestTexts } from './text-pool.ts';

export interface TargetValue {
  readonly variable: string;
  readonly key: string;
  readonly text: RequestText;
}

/** Lists the entries of a variable that changes while rules run. */
export type VolatileLister = (variable: string, target: VariableTarget) => readonly VariableEntry[];

type Values = readonly TargetValue[];

/** An array whose elements are set later. Allocating it at its final length is faster than growing it. */
function createSlots<T>(length: number): (T | undefined)[] {
  const slots: (T | undefined)[] = [];
  slots.length = length;
  return slots;
}

/** Up to this many values are searched for each key that rules read, instead of being indexed once. */
const fewMax = 32;

function isKey(key: string, wanted: string): boolean {
  return key.length === wanted.length && (key === wanted || key.toLowerCase() === wanted);
}

interface TargetValuesParts {
  readonly variables: RequestVariables;
  readonly texts: RequestTexts;
  readonly listVolatile: VolatileLister;
  /** How many sources the rules have. */
  readonly sourceCount: number;
}

export class TargetValues {
  readonly #variables: RequestVariables;
  readonly #texts: RequestTexts;
  readonly #listVolatile: VolatileLister;
  /** By the number of the source: the values listed since the start. */
  readonly #lasting: (Values | undefined)[];
  /** The same since the phase started, for values that a body or a response may change. */
  #changing: (Values | undefined)[];
  /** By number of the variable. */
  readonly #byVariable = createSlots<Values>(numberedVariables.length);
  /** By the number of the variable, then by key in lower case: rules read a dozen headers. */
  readonly #byKey = createSlots<ReadonlyMap<string, Values>>(numberedVariables.length);

  constructor(parts: TargetValuesParts) {
    this.#variables = parts.variables;
    this.#texts = parts.texts;
    this.#listVolatile = parts.listVolatile;
    this.#lasting = createSlots<Values>(parts.sourceCount);
    this.#changing = createSlots<Values>(parts.sourceCount);
  }

  /** Called when a body was read, or a response has arrived. */
  forget(): void {
    this.#changing = createSlots<Values>(this.#changing.length);
    for (const number of changingNumbers) {
      this.#byVariable[number] = undefined;
      this.#byKey[number] = undefined;
    }
  }

  valuesOf({ number, target, variableNumber, excluded, isVolatile, isChanging }: TargetSource): Values {
    if (isVolatile) return this.#select(target, variableNumber, excluded);
    const bySource = isChanging ? this.#changing : this.#lasting;
    return (bySource[number] ??= this.#select(target, variableNumber, excluded));
  }

  /** All values of a variable that does not change while rules run, by its number. */
  allOf(number: number): Values {
    const { name, list } = numberedVariables[number]!;
    return (this.#byVariable[number] ??= this.#toValues(name, list(this.#variables)));
  }

  /** All values of a test, without those that a rule has removed for this request. */
  valuesWithout({ targets }: LinkTest, removed: readonly VariableTarget[]): Values {
    const excluded = [...targets.excluded, ...removed];
    return targets.included.flatMap((target) =>
      this.#select(
        target,
        numberOfVariable(target.variable),
        excluded.filter(({ variable }) => variable === target.variable),
      ),
    );
  }

  /** Exclusions belong to the same variable. */
  #select(target: VariableTarget, variableNumber: number, excluded: readonly VariableTarget[]): Values {
    const found =
      variableNumber === -1 ? this.#listUnnumbered(target) : this.#listNumbered(target, variableNumber);
    const kept =
      excluded.length === 0
        ? found
        : found.filter(({ key }) => !excluded.some((other) => selects(other.selector, key)));
    if (!target.isCount) return kept;
    const count = this.#texts.intern(String(kept.length));
    return [{ variable: `&${target.variable}`, key: '', text: count }];
  }

  #listNumbered({ selector }: VariableTarget, number: number): Values {
    const all = this.allOf(number);
    if (selector.kind === 'all' || all.length === 0) return all;
    if (selector.kind === 'pattern') return all.filter(({ key }) => selects(selector, key));
    if (all.length <= fewMax) return all.filter(({ key }) => isKey(key, selector.key));
    const byKey = (this.#byKey[number] ??= Map.groupBy(all, ({ key }) => key.toLowerCase()));
    return byKey.get(selector.key) ?? [];
  }

  #listUnnumbered(target: VariableTarget): Values {
    const { variable, selector } = target;
    if (variable === 'XML') return this.#toValues(variable, this.#listXml(target));
    const all = this.#toValues(variable, this.#listVolatile(variable, target));
    return selector.kind === 'all' ? all : all.filter(({ key }) => selects(selector, key));
  }

  /** The two paths that rules use: all text, and all attribute values. */
  #listXml({ selector }: VariableTarget): readonly VariableEntry[] {
    const { xml } = this.#variables.body;
    if (xml === undefined) return [];
    if (selector.kind === 'key' && selector.key.includes('@'))
      return xml.attributes.map((value) => ['', value]);
    return [['', xml.text]];
  }

  #toValues(variable: string, entries: readonly VariableEntry[]): Values {
    return entries.map(([key, value]) => ({ variable, key, text: this.#texts.intern(value) }));
  }
}
