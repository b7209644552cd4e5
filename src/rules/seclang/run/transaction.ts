/**
 * The state of one request during the phases. Only data that rules put into persistent collections outlives the
 * request.
 */
import type { Clock } from '#base';
import { spendSteps } from '#work';
import type { ActionScope, Controls } from '../actions/action.ts';
import { expandedBytesMax, transactionVariablesMax } from '../limits.ts';
import type { LinkTest, Rule } from '../model.ts';
import { selects, type VariableTarget } from '../read/targets.ts';
import type { PhasePrograms } from '../program/program.ts';
import type { TestSet } from '../prefilter.ts';
import type { RuleSet } from '../rule-set.ts';
import { type VariableEntry, RequestVariables } from '../variables/request-variables.ts';
import { requestVariables } from '../variables/variables.ts';
import type { Interruption, MatchedRule, MatchedValue } from './matched-rule.ts';
import type { CollectionRecord, PersistentCollections } from './persistent-collections.ts';
import { Removals } from './removals.ts';
import type { SecRequest, SecResponse } from '../sec-request.ts';
import { TargetValues } from './target-values.ts';
import { TxVariables } from './tx-variables.ts';

export interface TransactionOptions {
  readonly engine: 'on' | 'detection-only';
  readonly collections: PersistentCollections;
  readonly clock: Clock;
  /** Runs every rule on every value, without shortcuts. The matches are the same. */
  readonly isPlain?: boolean;
  /** Whether messages and data of matching rules are expanded; they are empty otherwise. */
  readonly describesMatches?: boolean;
}

/** The cost of a rule before it reads a value. */
const stepsPerRule = 5;

export class Transaction implements ActionScope {
  readonly program: PhasePrograms;
  readonly isPlain: boolean;
  readonly describesMatches: boolean;
  readonly controls: Controls;
  readonly removals = new Removals();
  readonly targets: TargetValues;
  readonly variables: RequestVariables;
  readonly matched: MatchedRule[] = [];
  interruption: Interruption | undefined;
  /** The first tests of rules in phases 1 and 2 that some value may match. */
  candidates: TestSet | undefined;
  /** The current rule, for macros. */
  current: Rule | undefined;
  /** The values on which links of the current chain matched, the newest last. */
  matchedValues: MatchedValue[] = [];
  readonly #tx: TxVariables;
  /** Created when a rule sets a variable. */
  #env: Map<string, string> | undefined;
  /** Records by collection; only the name if no rule has used the record yet. */
  readonly #records = new Map<string, CollectionRecord | string>();
  readonly #collections: PersistentCollections;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(ruleSet: RuleSet, request: SecRequest, options: TransactionOptions) {
    const { engine, collections, clock, isPlain = false, describesMatches = true } = options;
    this.program = isPlain ? ruleSet.plainProgram : ruleSet.program;
    this.isPlain = isPlain;
    this.describesMatches = describesMatches;
    this.#tx = new TxVariables(this.program.variables);
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
    this.targets = new TargetValues({
      variables: this.variables,
      texts: ruleSet.pool.forRequest(),
      listVolatile: (variable, target) => this.#listVolatile(variable, target),
      sourceCount: this.program.sourceCount,
    });
  }

  startRule(rule: Rule): void {
    this.current = rule;
    spendSteps(stepsPerRule);
    if (this.matchedValues.length > 0) this.matchedValues = [];
  }

  readTx(key: string): string | undefined {
    return this.#tx.get(key);
  }

  /** A test with `capture` has matched on the value. */
  capture({ operator, number }: LinkTest, value: string): void {
    this.#tx.capture({ operator, value, scope: this }, number !== -1 && !this.isPlain);
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
    if (collection === 'TX') return this.#tx.set(key, text);
    const record = this.#useRecord(collection);
    if (record !== undefined) return this.#collections.write(record, key, text);
    if (collection !== 'ENV') return;
    const env = (this.#env ??= new Map());
    if (text === undefined) env.delete(key);
    else if (env.size < transactionVariablesMax || env.has(key)) env.set(key, text);
  }

  /** CRS opens two for every request, and hardly ever uses them. */
  openCollection(collection: string, name: string): void {
    this.#records.set(collection, name);
  }

  expireVariable(collection: string, key: string, seconds: number): void {
    const record = this.#useRecord(collection);
    if (record !== undefined) this.#collections.expire(record, key, seconds);
  }

  #useRecord(collection: string): CollectionRecord | undefined {
    const record = this.#records.get(collection);
    if (typeof record !== 'string') return record;
    const opened = this.#collections.open(collection, record);
    this.#records.set(collection, opened);
    return opened;
  }

  #describeRule(key: string | undefined): string {
    const rule = this.current;
    if (rule === undefined) return '';
    if (key === 'id') return String(rule.id);
    if (key === 'msg') return rule.message;
    return key === 'severity' ? rule.severity : '';
  }

  #listVolatile(variable: string, { selector }: VariableTarget): readonly VariableEntry[] {
    if (variable === 'TX') return this.#tx.list(selector);
    if (variable === 'ENV') return [...(this.#env ?? [])].filter(([key]) => selects(selector, key));
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

  #listRecord(collection: string): readonly VariableEntry[] {
    const name = this.#records.get(collection);
    // A record without writes is not created just to find that it is empty.
    if (typeof name === 'string' && !this.#collections.has(collection, name)) return [];
    const record = this.#useRecord(collection);
    if (record === undefined) return [];
    const entries: VariableEntry[] = [];
    for (const key of record.entries.keys()) {
      const value = this.#collections.read(record, key);
      if (value !== undefined) entries.push([key, value]);
    }
    return entries;
  }
}
