/** The rate limit of a rule: the requests it counts, the characteristics it counts by, and what the plan includes. */
import { checkPhase, type FilledBy, type Filter, parseValue, printDiagnostic, usesOf } from '#expressions';
import type { RuleAction } from '../actions.ts';
import { accountScheme, checkExpression } from '../expression.ts';
import { ratePeriodMax, ratePeriods, rateTimeoutMax } from '../limits.ts';
import type { Home, RateLimit } from '../model.ts';
import { includesPlan, notEntitled } from '../plans/plans.ts';
import type { BodyField } from '../problem.ts';
import type { RulesetContext } from './context.ts';

const phase = 'http_ratelimit';
const responsePhase = 'http_response_headers_transform';
/** The host that counts. Without it, all hosts count a rule together, which Cloudflare does not support. */
export const countingHost = 'cf.colo.id';
/**
 * The visitor, distinguished from others behind the same address by a cookie of the edge; the address of a visitor
 * without the cookie.
 */
export const countedVisitor = 'cf.unique_visitor_id';
export const countedAddress = 'ip.src';

/** Fields that the edge cannot fill. */
const unfilledBy: ReadonlySet<FilledBy> = new Set(['client hello', 'global', 'constant']);

interface RateContext {
  readonly action: RuleAction | undefined;
  readonly context: RulesetContext;
}

export function checkRateLimit(
  field: BodyField<RateLimit>,
  home: Home,
  { action, context }: RateContext,
): RateLimit | undefined {
  const isCounting = home.phase === phase && action !== 'execute';
  if (!isCounting) {
    return field.isAbsent
      ? undefined
      : field.refuse('notAvailable', `only rules of the phase ${phase} have it`);
  }
  if (field.isAbsent) return field.refuse('missingField', `rules of the phase ${phase} need it`);
  if (!field.hasOnlyKnownFields()) return undefined;
  const problemsBefore = field.problems.count;
  checkCharacteristics(field.at('characteristics'), context);
  checkPeriod(field.at('period'), context);
  checkTimeout(field.at('mitigation_timeout'), { action, context });
  checkCounting(field.at('counting_expression'), { home, context });
  field.at('requests_to_origin').read();
  checkThreshold(field, context);
  return field.problems.count > problemsBefore ? undefined : (field.value as RateLimit);
}

/** Requires one of the two thresholds, and with a score the field that contains it. */
function checkThreshold(field: BodyField<RateLimit>, { plan }: RulesetContext): void {
  const [requests, score] = [field.at('requests_per_period'), field.at('score_per_period')];
  const header = field.at('score_response_header_name');
  for (const each of [requests, score, header]) if (!each.isAbsent) each.read();
  if (score.isAbsent) {
    if (requests.isAbsent) requests.refuse('missingField', 'it is required, or score_per_period');
    if (!header.isAbsent) header.refuse('notAvailable', 'only rules with score_per_period have it');
    return;
  }
  if (!requests.isAbsent) score.refuse('notAvailable', 'requests_per_period is there: send one of the two');
  if (header.isAbsent) header.refuse('missingField', 'rules with score_per_period need it');
  if (!includesPlan(plan, 'enterprise'))
    score.refuse('notEntitled', notEntitled('count scores', { plan, needed: 'enterprise' }));
}

function checkCharacteristics(field: BodyField<readonly string[]>, { plan }: RulesetContext): void {
  if (!field.isThere()) return;
  const items = field.items() ?? [];
  const names = items.map((item) => item.read() ?? '');
  for (const [index, item] of items.entries()) {
    const name = names[index]!;
    if (names.indexOf(name) < index) item.refuse('duplicate', 'it stands there twice');
    if (name === countingHost || name === countedAddress) continue;
    if (name === countedVisitor) {
      if (!includesPlan(plan, 'business'))
        item.refuse('notEntitled', notEntitled(`count by ${name}`, { plan, needed: 'business' }));
      else if (names.includes(countedAddress))
        item.refuse('notAvailable', `it cannot stand together with ${countedAddress}: leave one of them out`);
      continue;
    }
    if (!includesPlan(plan, 'enterprise')) {
      item.refuse('notEntitled', notEntitled(`count by ${name}`, { plan, needed: 'enterprise' }));
      continue;
    }
    const problem = findUnreadable(name);
    if (problem !== undefined) item.refuse('expressionInvalid', problem);
  }
}

/** Undefined if requests can be counted by the value. */
function findUnreadable(text: string): string | undefined {
  const parsed = parseValue(text, { scheme: accountScheme });
  if (!parsed.ok) return printDiagnostic(text, parsed.error).trimEnd();
  const unfilled = [...usesOf(parsed.tree).fields].find(({ filledBy }) => unfilledBy.has(filledBy));
  if (unfilled !== undefined) return `${unfilled.name} is the same for every request here`;
  const [misplaced] = checkPhase(parsed.tree, phase);
  return misplaced === undefined ? undefined : printDiagnostic(text, misplaced).trimEnd();
}

function checkPeriod(field: BodyField<number>, { plan }: RulesetContext): void {
  const period = field.read();
  if (period === undefined) return;
  const included = ratePeriods.filter((each) => each <= ratePeriodMax[plan]);
  if (included.some((each) => each === period)) return;
  field.refuse(
    'notEntitled',
    `not entitled to use the period ${period}, can only use a period among [${included.join(', ')}]`,
  );
}

function checkTimeout(field: BodyField<number>, { action, context: { plan } }: RateContext): void {
  const timeout = field.read() ?? 0;
  const isChallenge = action !== 'block' && action !== 'log';
  if (!includesPlan(plan, 'enterprise')) {
    if (isChallenge && timeout !== 0) {
      field.refuse('notEntitled', `not entitled to use a mitigation timeout with the action ${action}`);
    }
    if (!isChallenge && timeout === 0) field.refuse('notEntitled', 'not entitled to use throttle behaviour');
  }
  if (plan === 'free' && timeout !== 0 && timeout !== rateTimeoutMax.free) {
    field.refuse(
      'notEntitled',
      `not entitled to use a mitigation timeout different from ${rateTimeoutMax.free}`,
    );
  } else if (timeout > rateTimeoutMax[plan]) {
    field.refuse('notEntitled', `not entitled to use a mitigation timeout over ${rateTimeoutMax[plan]}`);
  }
}

function checkCounting(
  field: BodyField<string>,
  { home, context }: { readonly home: Home; readonly context: RulesetContext },
): void {
  const text = field.read() ?? '';
  if (text === '') return;
  if (!includesPlan(context.plan, 'business')) {
    const { plan } = context;
    return field.refuse('notEntitled', notEntitled('a counting expression', { plan, needed: 'business' }));
  }
  const checked = checkExpression(text, { ...context, level: home.level, phase });
  if (checked.ok) return;
  const counted = checkExpression(text, { ...context, level: home.level, phase: responsePhase });
  const problem = counted.ok ? findResponseProblem(counted.tree, home) : checked.fault.reason;
  if (problem !== undefined) field.refuse('expressionInvalid', problem);
}

/** Cloudflare's limits for expressions that count by the response, and fields that are not filled here. */
function findResponseProblem(tree: Filter, { level }: Home): string | undefined {
  if (level === 'account') return 'rules of an account cannot count by the response';
  const uses = usesOf(tree);
  if (uses.lists.size > 0) return 'it cannot use lists together with fields of the response';
  const unfilled = [...uses.fields].find(({ name }) => name.startsWith('cf.response.'));
  return unfilled && `${unfilled.name} is the same for every answer here`;
}

/** Whether an expression can be evaluated only when the response is available. */
export function readsResponse(tree: Filter): boolean {
  return [...usesOf(tree).fields].some(({ stage }) => stage === 'response');
}
