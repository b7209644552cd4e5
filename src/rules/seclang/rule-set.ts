/** Rules that are ready to run, loaded completely or not at all. All requests share a set, and it is immutable. */
import { rememberingSetsMax } from './limits.ts';
import type { Rule, RuleOrMarker } from './model.ts';
import type { Phase } from './phase.ts';
import type { Prefilter } from './prefilter.ts';
import { compilePlainProgram, compileProgram, type PhasePrograms } from './program/program.ts';
import { TextPool } from './run/text-pool.ts';

interface RuleSetParts {
  readonly prefilter: Prefilter;
  readonly steps: readonly RuleOrMarker[];
  readonly ignored: ReadonlyMap<string, number>;
  /** TX before the first rule, by lower-case name. */
  readonly variables?: ReadonlyMap<string, string>;
  /** The pools of all sets with the same rules, by their selection of tests. */
  readonly pools?: Map<string, TextPool>;
}

/** What may differ between users of the same rules. */
export interface RuleSetChoice {
  /** Rules that are disabled. */
  readonly without: ReadonlySet<number>;
  readonly variables: Iterable<readonly [name: string, value: string]>;
}

export class RuleSet {
  /** Every rule, in the order of the files. */
  readonly rules: readonly Rule[];
  /** Directives that are recognised and have no effect here, for display. */
  readonly ignored: ReadonlyMap<string, number>;
  readonly #parts: Required<RuleSetParts>;
  #program: PhasePrograms | undefined;
  #plainProgram: PhasePrograms | undefined;
  #pool: TextPool | undefined;

  constructor(parts: RuleSetParts) {
    this.#parts = { variables: new Map(), pools: new Map(), ...parts };
    this.ignored = parts.ignored;
    this.rules = parts.steps.flatMap((step) => ('rule' in step ? [step.rule] : []));
  }

  /** The same rules for one selection; everything compiled is shared. */
  choose({ without, variables }: RuleSetChoice): RuleSet {
    const steps = this.#parts.steps.filter((step) => 'marker' in step || !without.has(step.rule.id));
    return new RuleSet({ ...this.#parts, steps, variables: new Map(variables) });
  }

  /** Does the work that the first request would otherwise wait for. */
  prepare(): void {
    this.#pool ??= this.#findPool();
  }

  /** Only the rules that depend on the request. */
  get program(): PhasePrograms {
    this.#program ??= compileProgram(this.#programSource());
    return this.#program;
  }

  /** Every rule, without shortcuts. */
  get plainProgram(): PhasePrograms {
    this.#plainProgram ??= compilePlainProgram(this.#programSource());
    return this.#plainProgram;
  }

  /** The cache for values of requests. */
  get pool(): TextPool {
    this.#pool ??= this.#findPool();
    return this.#pool;
  }

  #programSource() {
    const { steps, variables, prefilter } = this.#parts;
    return {
      steps: (phase: Phase) => steps.filter((step) => 'marker' in step || step.rule.phase === phase),
      variables,
      words: prefilter.words,
    };
  }

  #findPool(): TextPool {
    const { prefilter, pools } = this.#parts;
    const { tests } = this.program;
    const key = JSON.stringify(tests.map(({ number, settledArgument }) => [number, settledArgument]));
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = new TextPool(prefilter, tests, { remembers: pools.size < rememberingSetsMax });
    if (pools.size < rememberingSetsMax) pools.set(key, pool);
    return pool;
  }
}
