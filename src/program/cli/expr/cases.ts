/**
 * Files of test cases: an expression, a request, and the expected result. A case describes the request either by its
 * fields (`facts`; omitted fields are zero or empty) or as a whole (`request`; fields follow from it).
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
import { IpSet } from '#addresses';
import { isObject } from '#base';
import { bytesOf } from '#text';
import { requestFrom } from '#request';
import { readDescription } from './request.ts';
import { toJson, readValue } from './values.ts';

/** The language, and two fields that only cases use, because no real field is of type Array<Bool>. */
const caseScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

type Case = Readonly<Record<string, unknown>>;

type CaseResult =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly expected: string; readonly actual: string }
  /** The case itself is invalid. */
  | { readonly outcome: 'broken'; readonly reason: string };

export interface CaseReport {
  readonly id: string;
  readonly expression: string;
  readonly result: CaseResult;
}

/** All cases of the file, in order. A file without cases is a `TypeError`. */
export function runCases(content: unknown): readonly CaseReport[] {
  const cases = Array.isArray(content) ? content : isObject(content) ? content['cases'] : undefined;
  if (!Array.isArray(cases)) throw new TypeError('expected an object with "cases", an array');
  return cases.map((each: unknown, index) => {
    const fields: Case = isObject(each) ? each : {};
    const id = typeof fields['id'] === 'string' ? fields['id'] : `#${index + 1}`;
    const expression = typeof fields['expr'] === 'string' ? fields['expr'] : '';
    return { id, expression, result: runCase(fields) };
  });
}

function runCase(fields: Case): CaseResult {
  try {
    const { expr, expect } = fields;
    if (typeof expr !== 'string') throw new TypeError('a case needs "expr", a string');
    if (!isObject(expect)) throw new TypeError('a case needs "expect", an object');
    const expected = formatExpected(expect, fields, expr);
    const actual = formatActual(fields, expr, expect);
    return actual === expected ? { outcome: 'passed' } : { outcome: 'failed', expected, actual };
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return { outcome: 'broken', reason: error.message };
  }
}

type Tree = Filter | ValueExpression;

function parseCase(fields: Case, expr: string): ReturnType<typeof parse> | ReturnType<typeof parseValue> {
  const depth = readOption(fields, 'maxNestingDepth');
  const options = {
    scheme: caseScheme,
    ...(depth === undefined ? {} : { nestingDepthMax: depth as number }),
  };
  return fields['kind'] === 'value' ? parseValue(expr, options) : parse(expr, options);
}

function readOption(fields: Case, name: string): unknown {
  return isObject(fields['options']) ? fields['options'][name] : undefined;
}

function formatExpected(expect: Case, fields: Case, expr: string): string {
  if (isObject(expect['error'])) return `error ${formatError(expect['error'])}`;
  if (typeof expect['result'] === 'boolean') return `result ${expect['result']}`;
  if (!('value' in expect)) throw new TypeError('"expect" needs result, value or error');
  // Written as a value of the expression's type, so that equal bytes give equal text.
  const parsed = parseCase(fields, expr);
  const isKnown = parsed.ok && expect['value'] !== null;
  return `value ${JSON.stringify(isKnown ? toJson(readValue(expect['value'], parsed.tree.root.type)) : null)}`;
}

/** Only the parts of an error that the case names are compared. */
const errorParts = ['line', 'col', 'len', 'message'];

function formatError(error: Case, named: Case = error): string {
  return errorParts
    .filter((part) => part in named)
    .map((part) => `${part} ${JSON.stringify(error[part])}`)
    .join(', ');
}

function formatActual(fields: Case, expr: string, expect: Case): string {
  const parsed = parseCase(fields, expr);
  if (!parsed.ok) {
    const named = isObject(expect['error']) ? expect['error'] : { line: 1, col: 1, message: '' };
    return `error ${formatError(toErrorFields(parsed.error), named)}`;
  }
  const value = run(parsed.tree, createRequestOf(fields, parsed.tree), readRunOptions(fields));
  const text = JSON.stringify(toJson(value));
  return `${parsed.tree.kind === 'filter' ? 'result' : 'value'} ${text}`;
}

function toErrorFields({ line, column, length, message }: Diagnostic): Case {
  return { line, col: column, len: length, message };
}

/** Compiled and interpreted; both must give the same result. */
function run(tree: Tree, request: () => RequestView, options: RunOptions): Value | undefined {
  const compiled = tree.kind === 'filter' ? compile(tree, options) : compileValue(tree, options);
  const interpreted = tree.kind === 'filter' ? interpret(tree, options) : interpretValue(tree, options);
  const value = compiled(request());
  const same = interpreted(request());
  if (JSON.stringify(toJson(value)) !== JSON.stringify(toJson(same))) {
    throw new TypeError('compiled and interpreted results differ: please report this expression');
  }
  return value;
}

/** Created for each run, so that no run uses values cached by another. */
function createRequestOf(fields: Case, tree: Tree): () => RequestView {
  const facts = isObject(fields['facts']) ? fields['facts'] : {};
  const known = new Map(Object.entries(facts).map(([name, json]) => readFact(name, json)));
  const { request } = fields;
  if (request !== undefined) {
    const description = readDescription(request);
    return () => requestFrom({ ...description, fields: known });
  }
  for (const field of usesOf(tree).fields) {
    if (!known.has(field.key) && field.filledBy !== 'constant') known.set(field.key, getZero(field.type));
  }
  return () => createRequest(known);
}

function readFact(name: string, json: unknown): readonly [string, Value] {
  const field = caseScheme.fields.get(name);
  if (field === undefined) throw new TypeError(`there is no field ${name}`);
  return [field.key, readValue(json, field.type)];
}

function readRunOptions(fields: Case): RunOptions {
  const lists = isObject(fields['lists']) ? Object.entries(fields['lists']) : [];
  return {
    nilNotEqual: readOption(fields, 'nilNotEqual') === true,
    lists: new Map(lists.map(([name, list]) => [name, readList(name, list)])),
  };
}

function readList(name: string, list: unknown): ValueList {
  const { type, items } = isObject(list) ? list : {};
  if (!Array.isArray(items)) throw new TypeError(`the list ${name} needs "items", an array`);
  switch (String(type).toLowerCase()) {
    case 'ip':
      return createAddressList(name, items);
    case 'int':
    case 'asn':
      return new Set<Value>(items.map(Number));
    case 'bytes':
    case 'hostname':
      return createHostList(items.map(String));
    default:
      throw new TypeError(`the list ${name} needs "type": Ip, Int or Bytes`);
  }
}

function createAddressList(name: string, items: readonly unknown[]): ValueList {
  const parsed = parse(`ip.src in {${items.join(' ')}}`);
  const test = parsed.ok && parsed.tree.root.kind === 'comparison' ? parsed.tree.root.predicate : undefined;
  if (test?.operator !== 'in' || test.set.kind !== 'Ip') {
    throw new TypeError(
      `the list ${name} needs addresses and networks: ${parsed.ok ? '' : parsed.error.message}`,
    );
  }
  return new IpSet(test.set.items);
}

/** `*.example.com` matches every name below it. */
function createHostList(items: readonly string[]): ValueList {
  const names = new Set(items.map(bytesOf));
  const suffixes = [...names].filter((item) => item.startsWith('*.')).map((item) => item.slice(1));
  return {
    has: (value) =>
      typeof value === 'string' && (names.has(value) || suffixes.some((suffix) => value.endsWith(suffix))),
  };
}
