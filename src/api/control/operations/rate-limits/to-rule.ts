/** Converts a rate limit in the form before rulesets to a rule of the phase `http_ratelimit`. */
import { ratePeriodMax, ratePeriods, type Plan, readPagePattern } from '#rulesets';
import { quoteBytes } from '#expressions';
import { bytesOf } from '#text';
import type { SentRateLimit } from '../../stores/rate-limits.ts';

/** Throws a RangeError that names the URL that cannot be parsed. */
export function toRule(sent: SentRateLimit, plan: Plan): object {
  const { match, threshold, action, disabled, description } = sent;
  const expression = toExpression(sent);
  const answers = toAnswerConditions(match);
  const timeout = action.mode === 'ban' || action.mode === 'simulate' ? (action.timeout ?? 0) : 0;
  return {
    action: toAction(action.mode),
    ...(action.mode === 'ban' && action.response
      ? {
          action_parameters: {
            response: {
              status_code: 429,
              content: action.response.body,
              content_type: action.response.content_type,
            },
          },
        }
      : {}),
    expression,
    ...(description ? { description } : {}),
    enabled: disabled !== true,
    ratelimit: {
      characteristics: ['cf.colo.id', sent.correlate?.by === 'nat' ? 'cf.unique_visitor_id' : 'ip.src'],
      period: roundPeriod(sent.period, plan),
      requests_per_period: threshold,
      mitigation_timeout: timeout,
      ...(answers.length === 0
        ? {}
        : { counting_expression: [expression, ...answers].map((each) => `(${each})`).join(' and ') }),
      requests_to_origin: match.response?.origin_traffic === true,
    },
  };
}

/** The nearest of the periods that rules of the plan can have. */
export function roundPeriod(period: number, plan: Plan): number {
  const included = ratePeriods.filter((each) => each <= ratePeriodMax[plan]);
  return included.reduce((best, each) => (Math.abs(each - period) < Math.abs(best - period) ? each : best));
}

function toAction(mode: SentRateLimit['action']['mode']): string {
  if (mode === 'ban') return 'block';
  return mode === 'simulate' ? 'log' : mode;
}

function toExpression({ match, bypass }: SentRateLimit): string {
  const { methods, schemes, url = '*' } = match.request ?? {};
  const conditions = [...toUrlConditions(url)];
  const named = (methods ?? []).filter((method) => method !== '_ALL_');
  if (named.length > 0 && named.length === methods?.length)
    conditions.push(`http.request.method in {${named.map((method) => `"${method}"`).join(' ')}}`);
  const secure = new Set(schemes ?? []);
  if (secure.size === 1 && !secure.has('_ALL_')) conditions.push(secure.has('HTTPS') ? 'ssl' : 'not ssl');
  for (const { value } of bypass ?? []) {
    const passed = toUrlConditions(value);
    if (passed.length > 0) conditions.push(`not (${passed.join(' and ')})`);
  }
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

/** Scheme and query are ignored: a URL is a host and a path. */
function toUrlConditions(url: string): string[] {
  if (url === '*') return [];
  const read = readPagePattern(url);
  if (!read.ok) throw new RangeError(`the URL ${url} ${read.reason}`);
  const { scheme, host, uri } = read.pattern;
  if (scheme !== undefined || uri.includes('?'))
    throw new RangeError(`the URL ${url} must have no scheme and no query: a host, and a path with stars`);
  return [
    ...(host === '*' ? [] : [`http.host ${host.includes('*') ? 'wildcard' : 'eq'} ${quote(host)}`]),
    ...(uri === '/*' || uri === '*' ? [] : [`http.request.uri.path wildcard ${quote(uri)}`]),
  ];
}

function toAnswerConditions({ response, headers: beside }: SentRateLimit['match']): string[] {
  const status = response?.status ?? [];
  const headers = [...(response?.headers ?? []), ...(beside ?? [])];
  return [
    ...(status.length === 0 ? [] : [`http.response.code in {${status.join(' ')}}`]),
    ...headers.map(({ name, op, value }) => {
      const has = `any(http.response.headers[${quote(name.toLowerCase())}][*] eq ${quote(value)})`;
      return op === 'eq' ? has : `not ${has}`;
    }),
  ];
}

function quote(value: string): string {
  return quoteBytes(bytesOf(value));
}
