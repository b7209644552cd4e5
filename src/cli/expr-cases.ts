/**
 * Files of cases: an expression, a request, and what is expected of them. A case says what the request is either by its
 * fields (`facts`; a field that is not named is zero or empty) or as a whole (`request`; fields follow from it).
 *
 * ```json
 * {"cases": [{
 *   "id": "login-from-abroad",
 *   "expr": "http.request.uri.path eq \"/login\" and not ip.src in $office",
 *   "request": {"url": "https://example.com/login", "ip": "192.0.2.7"},
 *   "lists": {"office": {"type": "Ip", "items": ["10.0.0.0/8"]}},
 *   "expect": {"result": true}
 * }]}
 * ```
 */
import {
  arrayOf,
  boolType,
  compile,
  compileValue,
  defineField,
  type Diagnostic,
  type Filter,
  interpret,
  interpretValue,
  mapOf,
  parse,
  parseValue,
  createRequest,
  type RequestView,
  type RunOptions,
  scheme,
  usesOf,
  type Value,
  type ValueExpression,
  type ValueList,
  getZero,
} from '#expressions';
import { bytesOf, IpSet } from '#base';
import { requestFrom } from '#request';
import { describedRequest } from './expr-request.ts';
import { isRecord, jsonFrom, valueFrom } from './expr-values.ts';

/** The language, and two fields that only cases use: no real field is a list of truths. */
const caseScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

type Case = Readonly<Record<string, unknown>>;

type Verdict =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly expected: string; readonly actual: string }
  /** The case itself makes no sense. */
  | { readonly outcome: 'broken'; readonly reason: string };

export interface CaseReport {
  readonly id: string;
  readonly expression: string;
  readonly verdict: Verdict;
}

/** Everything in the file, in its order. A file that holds no cases is a `TypeError`. */
export function runCases(content: unknown): readonly CaseReport[] {
  const cases = Array.isArray(content) ? content : isRecord(content) ? content['cases'] : undefined;
  if (!Array.isArray(cases)) throw new TypeError('expected an object with "cases", an array');
  return cases.map((each: unknown, index) => {
    const fields: Case = isRecord(each) ? each : {};
    const id = typeof fields['id'] === 'string' ? fields['id'] : `#${index + 1}`;
    const expression = typeof fields['expr'] === 'string' ? fields['expr'] : '';
    return { id, expression, verdict: judge(fields) };
  });
}

function judge(fields: Case): Verdict {
  try {
    const { expr, expect } = fields;
    if (typeof expr !== 'string') throw new TypeError('a case needs "expr", a string');
    if (!isRecord(expect)) throw new TypeError('a case needs "expect", an object');
    const expected = expectedText(expect, fields, expr);
    const actual = actualText(fields, expr, expect);
    return actual === expected ? { outcome: 'passed' } : { outcome: 'failed', expected, actual };
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return { outcome: 'broken', reason: error.message };
  }
}

type Tree = Filter | ValueExpression;

function parseCase(fields: Case, expr: string): ReturnType<typeof parse> | ReturnType<typeof parseValue> {
  const depth = optionOf(fields, 'maxNestingDepth');
  const options = {
    scheme: caseScheme,
    ...(depth === undefined ? {} : { nestingDepthMax: depth as number }),
  };
  return fields['kind'] === 'value' ? parseValue(expr, options) : parse(expr, options);
}

function optionOf(fields: Case, name: string): unknown {
  return isRecord(fields['options']) ? fields['options'][name] : undefined;
}

function expectedText(expect: Case, fields: Case, expr: string): string {
  if (isRecord(expect['error'])) return `error ${errorText(expect['error'])}`;
  if (typeof expect['result'] === 'boolean') return `result ${expect['result']}`;
  if (!('value' in expect)) throw new TypeError('"expect" needs result, value or error');
  // Written as a value of the expression's type, so that the same bytes are the same text.
  const parsed = parseCase(fields, expr);
  const isKnown = parsed.ok && expect['value'] !== null;
  return `value ${JSON.stringify(isKnown ? jsonFrom(valueFrom(expect['value'], parsed.tree.root.type)) : null)}`;
}

/** Only what the case names of an error is compared. */
const errorParts = ['line', 'col', 'len', 'message'];

function errorText(error: Case, named: Case = error): string {
  return errorParts
    .filter((part) => part in named)
    .map((part) => `${part} ${JSON.stringify(error[part])}`)
    .join(', ');
}

function actualText(fields: Case, expr: string, expect: Case): string {
  const parsed = parseCase(fields, expr);
  if (!parsed.ok) {
    const named = isRecord(expect['error']) ? expect['error'] : { line: 1, col: 1, message: '' };
    return `error ${errorText(errorFields(parsed.error), named)}`;
  }
  const value = run(parsed.tree, requestOfCase(fields, parsed.tree), runOptionsOf(fields));
  const text = JSON.stringify(jsonFrom(value));
  return `${parsed.tree.kind === 'filter' ? 'result' : 'value'} ${text}`;
}

function errorFields({ line, column, length, message }: Diagnostic): Case {
  return { line, col: column, len: length, message };
}

/** Compiled and interpreted, which must say the same. */
function run(tree: Tree, request: () => RequestView, options: RunOptions): Value | undefined {
  const compiled = tree.kind === 'filter' ? compile(tree, options) : compileValue(tree, options);
  const interpreted = tree.kind === 'filter' ? interpret(tree, options) : interpretValue(tree, options);
  const value = compiled(request());
  const same = interpreted(request());
  if (JSON.stringify(jsonFrom(value)) !== JSON.stringify(jsonFrom(same))) {
    throw new TypeError('compiled and interpreted differ: please report this expression');
  }
  return value;
}

/** Made anew for each run, so that one does not see what another has computed. */
function requestOfCase(fields: Case, tree: Tree): () => RequestView {
  const facts = isRecord(fields['facts']) ? fields['facts'] : {};
  const known = new Map(Object.entries(facts).map(([name, json]) => factOf(name, json)));
  const { request } = fields;
  if (request !== undefined) {
    const description = describedRequest(request);
    return () => requestFrom({ ...description, fields: known });
  }
  for (const field of usesOf(tree).fields) {
    if (!known.has(field.key) && field.filledBy !== 'constant') known.set(field.key, getZero(field.type));
  }
  return () => createRequest(known);
}

function factOf(name: string, json: unknown): readonly [string, Value] {
  const field = caseScheme.fields.get(name);
  if (field === undefined) throw new TypeError(`there is no field ${name}`);
  return [field.key, valueFrom(json, field.type)];
}

function runOptionsOf(fields: Case): RunOptions {
  const lists = isRecord(fields['lists']) ? Object.entries(fields['lists']) : [];
  return {
    nilNotEqual: optionOf(fields, 'nilNotEqual') === true,
    lists: new Map(lists.map(([name, list]) => [name, listOf(name, list)])),
  };
}

function listOf(name: string, list: unknown): ValueList {
  const { type, items } = isRecord(list) ? list : {};
  if (!Array.isArray(items)) throw new TypeError(`the list ${name} needs "items", an array`);
  switch (String(type).toLowerCase()) {
    case 'ip':
      return addressList(name, items);
    case 'int':
    case 'asn':
      return new Set<Value>(items.map(Number));
    case 'bytes':
    case 'hostname':
      return hostList(items.map(String));
    default:
      throw new TypeError(`the list ${name} needs "type": Ip, Int or Bytes`);
  }
}

function addressList(name: string, items: readonly unknown[]): ValueList {
  const parsed = parse(`ip.src in {${items.join(' ')}}`);
  const test = parsed.ok && parsed.tree.root.kind === 'comparison' ? parsed.tree.root.test : undefined;
  if (test?.operator !== 'in' || test.set.kind !== 'Ip') {
    throw new TypeError(
      `the list ${name} needs addresses and networks: ${parsed.ok ? '' : parsed.error.message}`,
    );
  }
  return new IpSet(test.set.items);
}

/** `*.example.com` stands for every name below it. */
function hostList(items: readonly string[]): ValueList {
  const names = new Set(items.map(bytesOf));
  const suffixes = [...names].filter((item) => item.startsWith('*.')).map((item) => item.slice(1));
  return {
    has: (value) =>
      typeof value === 'string' && (names.has(value) || suffixes.some((suffix) => value.endsWith(suffix))),
  };
}
