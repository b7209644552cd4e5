/** The rate limits of one list of rules, compiled: the key of a request for each rule, and which requests count. */
import { formatIp, Ip, maskAddress, type Pieces } from '#base';
import { compile, compileValue, parse, parseValue, type RequestView, type Value } from '#expressions';
import { countingHost } from '../../check/rate-limit.ts';
import { accountScheme } from '../../expression.ts';
import type { EvaluatedRule, RateLimit } from '../../model.ts';
import type { Run } from '../run.ts';
import type { Compiling } from '../programs/rule-program.ts';
import { type CountedLimit, type RateHit, type RateReading, toCountedLimit } from './rate-counter.ts';

interface RateRule {
  readonly id: string;
  readonly limit: CountedLimit;
  readonly getKey: (view: RequestView) => string;
  /** Undefined if the requests count that the rule matches. */
  readonly isCounted: ((view: RequestView) => boolean) | undefined;
}

/** What one rule takes, but for its expression. */
const stepsPerRule = 20_000;

/** A network of this size is one customer: whoever has it has all its addresses. */
const ipv6Bits = 64;

export class RateRules {
  readonly #rules: ReadonlyMap<string, RateRule>;
  readonly #counting: readonly RateRule[];

  private constructor(rules: ReadonlyMap<string, RateRule>) {
    this.#rules = rules;
    this.#counting = [...rules.values()].filter(({ isCounted }) => isCounted !== undefined);
  }

  /** Undefined if none of the rules has a limit. What cannot be compiled is not in force. */
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

  /** Counts the request for the rules that say apart which requests count. */
  count(run: Run): void {
    for (const rule of this.#counting) {
      if (rule.isCounted!(run.view))
        run.rates.take(createHit(rule, run.view, { isCounted: true, isAsked: false }));
    }
  }

  /** What the counter says of a request that the rule matches. */
  ask(run: Run, ruleId: string): { readonly hit: RateHit; readonly reading: RateReading } | undefined {
    const rule = this.#rules.get(ruleId);
    if (rule === undefined) return undefined;
    const hit = createHit(rule, run.view, { isCounted: rule.isCounted === undefined, isAsked: true });
    return { hit, reading: run.rates.take(hit) };
  }
}

function createHit(
  { id, limit, getKey }: RateRule,
  view: RequestView,
  does: Pick<RateHit, 'isCounted' | 'isAsked'>,
): RateHit {
  return { ruleId: id, key: getKey(view), limit, ...does };
}

function compileRule(id: string, ratelimit: RateLimit, options: Compiling['options']): RateRule {
  if (ratelimit.requests_per_period === undefined) throw new RangeError('it has no requests_per_period');
  const values = ratelimit.characteristics
    .filter((name) => name !== countingHost)
    .map((name) => compileCharacteristic(name, options));
  const { counting_expression: counting = '' } = ratelimit;
  return {
    id,
    limit: toCountedLimit(ratelimit),
    getKey: (view) => values.map((read) => writeValue(read(view))).join('\n'),
    isCounted: counting === '' ? undefined : compileCounting(counting, options),
  };
}

function compileCharacteristic(
  name: string,
  options: Compiling['options'],
): (view: RequestView) => Value | undefined {
  const parsed = parseValue(name, { scheme: accountScheme });
  if (!parsed.ok) throw new RangeError(`${name}: ${parsed.error.message}`);
  return compileValue(parsed.tree, options);
}

function compileCounting(expression: string, options: Compiling['options']): (view: RequestView) => boolean {
  const parsed = parse(expression, { scheme: accountScheme });
  if (!parsed.ok) throw new RangeError(`counting_expression: ${parsed.error.message}`);
  return compile(parsed.tree, options);
}

/** Equal for equal values only; what is missing is none of them. */
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
