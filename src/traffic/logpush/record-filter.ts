/**
 * Selects the records that a job pushes. A filter is an expression of the rules language, on a record's data about its
 * request (ours), or Cloudflare's JSON: `{"where":{"and":[{"key":"Action","operator":"eq","value":"block"}]}}`.
 */
import { isObject } from '#base';
import { compileExpression, parseEventExpression, type ViewedEvent } from '#events';
import { type Dataset, datasetFields, type LogRecord } from './datasets.ts';
import { filterCharactersMax, filterDepthMax, filterTestsMax } from './limits.ts';

export type RecordFilter = (record: LogRecord) => boolean;
type Parsed =
  | { readonly ok: true; readonly isWanted: RecordFilter }
  | { readonly ok: false; readonly reason: string };

class FilterError extends Error {}

export function parseRecordFilter(text: string, dataset: Dataset): Parsed {
  if (text.length > filterCharactersMax)
    return { ok: false, reason: `must have at most ${filterCharactersMax} characters` };
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, isWanted: () => true };
  if (!trimmed.startsWith('{')) return parseExpression(trimmed);
  try {
    const parsed: unknown = JSON.parse(trimmed);
    if (!isObject(parsed)) throw new FilterError('must be an object');
    const { where } = parsed as { readonly where?: unknown };
    const state = { left: filterTestsMax, dataset };
    return { ok: true, isWanted: where === undefined ? () => true : compileNode(where, state, 1) };
  } catch (error) {
    const isOurs = error instanceof FilterError;
    return { ok: false, reason: isOurs ? error.message : `is not JSON: ${(error as Error).message}` };
  }
}

function parseExpression(expression: string): Parsed {
  const parsed = parseEventExpression(expression);
  if (!parsed.ok) return parsed;
  const isMatch = compileExpression(expression);
  return { ok: true, isWanted: (record) => isMatch(viewRecord(record)) };
}

/** For both datasets: where their names differ, the first one that exists. */
function viewRecord(record: LogRecord): ViewedEvent {
  const read = (name: string): string => {
    const value = record[name];
    return typeof value === 'object' ? '' : String(value ?? '');
  };
  const uri = read('ClientRequestURI');
  const question = uri.indexOf('?');
  const referer = URL.parse(read('ClientRequestReferer'));
  return {
    clientRequestScheme: read('ClientRequestScheme'),
    clientRequestHTTPHost: read('ClientRequestHost'),
    clientRequestPath: read('ClientRequestPath'),
    clientRequestQuery: uri === '' ? read('ClientRequestQuery') : question < 0 ? '' : uri.slice(question),
    clientRequestHTTPMethodName: read('ClientRequestMethod'),
    clientRequestHTTPProtocol: read('ClientRequestProtocol'),
    userAgent: read('ClientRequestUserAgent'),
    clientRefererScheme: referer?.protocol.slice(0, -1) ?? read('ClientRefererScheme'),
    clientRefererHost: referer?.host ?? read('ClientRefererHost'),
    clientRefererPath: referer?.pathname ?? read('ClientRefererPath'),
    clientRefererQuery: referer?.search ?? read('ClientRefererQuery'),
    clientIP: read('ClientIP'),
    clientCountryName: read('ClientCountry'),
    clientAsn: read('ClientASN'),
    datetime: new Date(Number(record['Datetime'] ?? record['EdgeStartTimestamp']) || 0).toISOString(),
    edgeResponseStatus: Number(record['EdgeResponseStatus']) || 0,
    rayName: read('RayID'),
  };
}

interface State {
  left: number;
  readonly dataset: Dataset;
}

function compileNode(node: unknown, state: State, depth: number): RecordFilter {
  if (!isObject(node)) throw new FilterError('where: must be an object with and, or, or key');
  if (depth > filterDepthMax) throw new FilterError(`must not be nested more than ${filterDepthMax} deep`);
  const { and, or } = node as { readonly and?: unknown; readonly or?: unknown };
  const parts = and ?? or;
  if (parts === undefined) return compileTest(node, state);
  if (!Array.isArray(parts) || parts.length === 0)
    throw new FilterError('and, or: must be a list of conditions');
  const tests = parts.map((part) => compileNode(part, state, depth + 1));
  return and === undefined
    ? (record) => tests.some((test) => test(record))
    : (record) => tests.every((test) => test(record));
}

type Value = string | number;
type Comparison = (value: Value, wanted: Value) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  eq: (value, wanted) => value === wanted,
  lt: (value, wanted) => value < wanted,
  leq: (value, wanted) => value <= wanted,
  gt: (value, wanted) => value > wanted,
  geq: (value, wanted) => value >= wanted,
  startsWith: (value, wanted) => String(value).startsWith(String(wanted)),
  endsWith: (value, wanted) => String(value).endsWith(String(wanted)),
  contains: (value, wanted) => String(value).includes(String(wanted)),
};

function compileTest({ key, operator, value }: Record<string, unknown>, state: State): RecordFilter {
  const kinds = datasetFields[state.dataset];
  if (typeof key !== 'string' || !Object.hasOwn(kinds, key) || kinds[key] === 'object')
    throw new FilterError(`key: ${JSON.stringify(key)} is not a field of ${state.dataset} to compare`);
  const isNegated = typeof operator === 'string' && operator.startsWith('!');
  const name = isNegated ? operator.slice(1) : operator;
  const wanted = name === 'in' ? value : [value];
  if (!Array.isArray(wanted) || !wanted.every(isValue))
    throw new FilterError(
      `value: ${key} must be compared with a string or a number, or with a list of them by in`,
    );
  state.left -= wanted.length;
  if (state.left < 0) throw new FilterError(`must not compare with more than ${filterTestsMax} values`);
  const compare = name === 'in' ? comparisons['eq'] : comparisons[String(name)];
  if (compare === undefined || !Object.hasOwn(comparisons, name === 'in' ? 'eq' : String(name)))
    throw new FilterError(`operator: ${JSON.stringify(operator)} is not supported by Logpush`);
  const isText = kinds[key] === 'string';
  const values = wanted.map((each) => (isText ? String(each) : Number(each)));
  return (record) => {
    const found = record[key] as Value | undefined;
    const isMatch = found !== undefined && values.some((each) => compare(found, each));
    return isMatch !== isNegated;
  };
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number';
}
