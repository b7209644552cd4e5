/**
 * One request on its way through the phases. Nothing of it outlives the request but what rules put into persistent
 * collections.
 */
import { type Clock, spendSteps } from '#base';
import type { ActionScope, Controls } from '../actions/action.ts';
import { expandedBytesMax, transactionVariablesMax } from '../limits.ts';
import type { Rule } from '../model.ts';
import { selects, type Target } from '../read/targets.ts';
import type { RuleSet } from '../rule-set.ts';
import { type Entry, RequestVariables } from '../variables/request-variables.ts';
import { requestVariables } from '../variables/variables.ts';
import type { Interruption, MatchedRule, MatchedValue } from './matched-rule.ts';
import type { CollectionRecord, PersistentCollections } from './persistent-collections.ts';
import { Removals } from './removals.ts';
import type { SecRequest, SecResponse } from '../sec-request.ts';
import { TargetValues } from './target-values.ts';
import { TextPool } from './text.ts';

export interface TransactionOptions {
  readonly engine: 'on' | 'detection-only';
  readonly collections: PersistentCollections;
  readonly clock: Clock;
  /** Values of TX before the first rule, by lower-case name. */
  readonly variables?: Iterable<readonly [name: string, value: string]>;
}

/** What looking at a rule takes before any value is. */
const stepsPerRule = 5;

export class Transaction implements ActionScope {
  readonly ruleSet: RuleSet;
  readonly controls: Controls;
  readonly removals = new Removals();
  readonly targets: TargetValues;
  readonly variables: RequestVariables;
  readonly matched: MatchedRule[] = [];
  interruption: Interruption | undefined;
  /** The rule that is being looked at, for macros. */
  current: Rule | undefined;
  /** The values on which links of the current chain matched, the newest last. */
  matchedValues: MatchedValue[] = [];
  readonly #tx: Map<string, string>;
  readonly #env = new Map<string, string>();
  readonly #records = new Map<string, CollectionRecord>();
  readonly #collections: PersistentCollections;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(ruleSet: RuleSet, request: SecRequest, options: TransactionOptions) {
    const { engine, collections, clock, variables = [] } = options;
    this.ruleSet = ruleSet;
    this.#tx = new Map(variables);
    this.#collections = collections;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const { removals } = this;
    this.controls = {
      engine,
      bodyProcessor: '',
      forcesBodyVariable: false,
      readsRequestBody: true,
      readsResponseBody: true,
      removeRules: (choice) => removals.removeRules(choice),
      removeTarget: (choice, target) => removals.removeTarget(choice, target),
    };
    this.variables = new RequestVariables(request, this.controls);
    const pool = new TextPool(ruleSet.prefilter);
    this.targets = new TargetValues(this.variables, pool, (variable, target) =>
      this.#listVolatile(variable, target),
    );
  }

  startRule(rule: Rule): void {
    this.current = rule;
    spendSteps(stepsPerRule);
    if (this.matchedValues.length > 0) this.matchedValues = [];
  }

  readTx(key: string): string | undefined {
    return this.#tx.get(key);
  }

  takeBody(): void {
    this.variables.hasBody = true;
    this.targets.forget();
  }

  takeResponse(response: SecResponse): void {
    this.variables.response = response;
    this.targets.forget();
  }

  lookUp(variable: string, key: string | undefined): string {
    if (variable === 'TX') return this.#tx.get(key ?? '') ?? '';
    if (variable === 'RULE') return this.#describeRule(key);
    if (!(variable in requestVariables)) {
      const selector = key === undefined ? ({ kind: 'all' } as const) : ({ kind: 'key', key } as const);
      return this.#listVolatile(variable, { variable, selector, isCount: false })[0]?.[1] ?? '';
    }
    const entries = requestVariables[variable]!(this.variables);
    const entry = key === undefined ? entries[0] : entries.find(([other]) => other.toLowerCase() === key);
    return entry?.[1] ?? '';
  }

  setVariable(collection: string, key: string, value: string | undefined): void {
    const text = value?.slice(0, expandedBytesMax);
    const record = this.#records.get(collection);
    if (record !== undefined) return this.#collections.write(record, key, text);
    const map = collection === 'TX' ? this.#tx : collection === 'ENV' ? this.#env : undefined;
    if (map === undefined) return;
    if (text === undefined) map.delete(key);
    else if (map.size < transactionVariablesMax || map.has(key)) map.set(key, text);
  }

  openCollection(collection: string, name: string): void {
    this.#records.set(collection, this.#collections.open(collection, name));
  }

  expireVariable(collection: string, key: string, seconds: number): void {
    const record = this.#records.get(collection);
    if (record !== undefined) this.#collections.expire(record, key, seconds);
  }

  #describeRule(key: string | undefined): string {
    const rule = this.current;
    if (rule === undefined) return '';
    if (key === 'id') return String(rule.id);
    if (key === 'msg') return rule.message;
    return key === 'severity' ? rule.severity : '';
  }

  #listVolatile(variable: string, { selector }: Target): readonly Entry[] {
    if (variable === 'TX' || variable === 'ENV') {
      const map = variable === 'TX' ? this.#tx : this.#env;
      if (selector.kind !== 'key') return [...map].filter(([key]) => selects(selector, key));
      const value = map.get(selector.key);
      return value === undefined ? [] : [[selector.key, value]];
    }
    const last = this.matchedValues.at(-1);
    switch (variable) {
      case 'MATCHED_VAR':
        return last === undefined ? [] : [['', last.value]];
      case 'MATCHED_VAR_NAME':
        return last === undefined ? [] : [['', last.name]];
      case 'MATCHED_VARS':
        return this.matchedValues.map(({ name, value }) => [name, value]);
      case 'MATCHED_VARS_NAMES':
        return this.matchedValues.map(({ name }) => [name, name]);
      case 'REQBODY_PROCESSOR':
        return [['', this.variables.processor]];
      case 'DURATION':
        return [['', String(this.#clock.now() - this.#startedAt)]];
      case 'TIME_EPOCH':
        return [['', String(Math.floor(this.#clock.now() / 1_000))]];
      case 'TIME':
        return [['', new Date(this.#clock.now()).toISOString().slice(11, 19)]];
      case 'RULE':
        return [['id', this.#describeRule('id')]];
      default:
        return this.#listRecord(variable);
    }
  }

  #listRecord(collection: string): readonly Entry[] {
    const record = this.#records.get(collection);
    if (record === undefined) return [];
    const entries: Entry[] = [];
    for (const key of record.entries.keys()) {
      const value = this.#collections.read(record, key);
      if (value !== undefined) entries.push([key, value]);
    }
    return entries;
  }
}
