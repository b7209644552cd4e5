/** The rate limits of one list of rules, compiled: the key of a request for each rule, and which requests count. */
import { formatIp, Ip, maskAddress } from '#addresses';
import type { Pieces } from '#work';
import {
  compile,
  compileValue,
  type Filter,
  parse,
  parseValue,
  type RequestView,
  type Value,
} from '#expressions';
import { addResponse, type ResponseFacts } from '#request';
import {
  countedAddress,
  countedVisitor,
  countingHost,
  readsResponse,
  rateScoreMax,
  accountScheme,
  type EvaluatedRule,
  type RateLimit,
} from '#rulesets';
import type { JudgingRun } from '../run.ts';
import type { Compiling } from '../programs/rule-program.ts';
import { type CountedLimit, type RateHit, type RateReading, toCountedLimit } from './rate-counter.ts';

interface RateRule {
  readonly id: string;
  readonly limit: CountedLimit;
  readonly getKey: (run: JudgingRun) => string;
  /** All hosts count together. */
  readonly isOfAllHosts: boolean;
  /** Undefined if the requests count that the rule matches. */
  readonly isCounted: ((view: RequestView) => boolean) | undefined;
  /** Whether `isCounted` reads the response. */
  readonly readsResponse: boolean;
  /** The response field that contains the score, in lower case; undefined if requests are counted. */
  readonly scoreHeader: string | undefined;
}

/** Steps of one rule without its expression. */
const stepsPerRule = 20_000;

/** A network of this size is one customer, who has all its addresses. */
const ipv6Bits = 64;

export class RateRules {
  readonly #rules: ReadonlyMap<string, RateRule>;
  readonly #counting: readonly RateRule[];

  private constructor(rules: ReadonlyMap<string, RateRule>) {
    this.#rules = rules;
    this.#counting = [...rules.values()].filter(({ isCounted }) => isCounted !== undefined);
  }

  /** Undefined if none of the rules has a limit. Rules that cannot be compiled are not in force. */
  static *compile(
    rules: readonly EvaluatedRule[],
    { options, problems }: Compiling,
  ): Pieces<RateRules | undefined> {
    const compiled = new Map<string, RateRule>();
    for (const { id, ratelimit } of rules) {
      if (ratelimit === undefined) continue;
      try {
        compiled.set(id, compileRule(id, ratelimit, options));
      } catch (error) {
        problems.push({ ruleId: id, message: (error as Error).message });
      }
      yield stepsPerRule;
    }
    return compiled.size === 0 ? undefined : new RateRules(compiled);
  }

  /** Counts the request for the rules with a separate counting expression. */
  count(run: JudgingRun): void {
    for (const rule of this.#counting) {
      if (rule.readsResponse) awaitResponse(run, rule);
      else if (!rule.isCounted!(run.view)) continue;
      else if (rule.scoreHeader !== undefined) awaitResponse(run, rule);
      else run.rates.take(createHit(rule, run, { isCounted: true, isAsked: false }));
    }
  }

  /** The counter's reading for a request that the rule matches. */
  ask(run: JudgingRun, ruleId: string): { readonly hit: RateHit; readonly reading: RateReading } | undefined {
    const rule = this.#rules.get(ruleId);
    if (rule === undefined) return undefined;
    const { isCounted, scoreHeader } = rule;
    if (isCounted === undefined && scoreHeader !== undefined) awaitResponse(run, rule);
    const countsNow = isCounted === undefined && scoreHeader === undefined;
    const hit = createHit(rule, run, { isCounted: countsNow, isAsked: true });
    return { hit, reading: run.rates.take(hit) };
  }
}

/** A request that crosses its limit has already passed by then: the next one is stopped. */
function awaitResponse(run: JudgingRun, rule: RateRule): void {
  const { view } = run;
  const { readsResponse: asks, isCounted, scoreHeader } = rule;
  run.rates.awaitResponse(createHit(rule, run, { isCounted: true, isAsked: false }), (response) => {
    if (asks && !isCounted!(addResponse(view, response))) return 0;
    return scoreHeader === undefined ? 1 : readScore(response, scoreHeader);
  });
}

/** An invalid score counts as 0. */
function readScore({ headers }: ResponseFacts, scoreHeader: string): number {
  const value = headers.find(([name]) => name.toLowerCase() === scoreHeader)?.[1] ?? '';
  const score = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  return score <= rateScoreMax ? score : 0;
}

function createHit(
  { id, limit, getKey, isOfAllHosts }: RateRule,
  run: JudgingRun,
  { isCounted, isAsked }: Pick<RateHit, 'isCounted' | 'isAsked'>,
): RateHit {
  return { ruleId: id, key: getKey(run), limit, isOfAllHosts, isCounted, isAsked };
}

function compileRule(id: string, ratelimit: RateLimit, options: Compiling['options']): RateRule {
  if ((ratelimit.requests_per_period ?? ratelimit.score_per_period) === undefined)
    throw new RangeError('it has neither requests_per_period nor score_per_period');
  const values = ratelimit.characteristics
    .filter((name) => name !== countingHost)
    .map((name) => compileCharacteristic(name, options));
  const { counting_expression: counting = '' } = ratelimit;
  const tree = counting === '' ? undefined : parseCounting(counting);
  return {
    id,
    limit: toCountedLimit(ratelimit),
    isOfAllHosts: !ratelimit.characteristics.includes(countingHost),
    // Most rules count by the address alone.
    getKey:
      values.length === 1
        ? (run) => writeValue(values[0]!(run))
        : (run) => values.map((read) => writeValue(read(run))).join('\n'),
    isCounted: tree && compile(tree, options),
    readsResponse: tree !== undefined && readsResponse(tree),
    scoreHeader: ratelimit.score_response_header_name?.toLowerCase(),
  };
}

function compileCharacteristic(
  name: string,
  options: Compiling['options'],
): (run: JudgingRun) => Value | undefined {
  if (name === countedVisitor) {
    const readAddress = compileCharacteristic(countedAddress, options);
    return (run) => run.rates.findVisitor() ?? readAddress(run);
  }
  const parsed = parseValue(name, { scheme: accountScheme });
  if (!parsed.ok) throw new RangeError(`${name}: ${parsed.error.message}`);
  const read = compileValue(parsed.tree, options);
  return ({ view }) => read(view);
}

function parseCounting(expression: string): Filter {
  const parsed = parse(expression, { scheme: accountScheme });
  if (!parsed.ok) throw new RangeError(`counting_expression: ${parsed.error.message}`);
  return parsed.tree;
}

/** Equal only for equal values; a missing value differs from all others. */
function writeValue(value: Value | undefined): string {
  if (value === undefined) return '-';
  if (value instanceof Ip) return `=${formatIp(value.family === 6 ? maskAddress(value, ipv6Bits) : value)}`;
  if (typeof value === 'string') return `=${value.replaceAll('\n', '\n=')}`;
  if (typeof value === 'object') {
    const parts = Array.isArray(value) ? value : [...(value as ReadonlyMap<string, Value>)].flat();
    return `[${parts.map(writeValue).join('\n')}]`;
  }
  return `=${String(value)}`;
}
