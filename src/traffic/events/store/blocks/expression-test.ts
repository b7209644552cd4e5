/**
 * A comparison of the rules language on the events of a block. It runs once for each combination of values that occurs
 * in the block, of the event fields that it depends on; the other fields are not decoded.
 */
import { compile, type Expression, type Filter } from '#expressions';
import { createView, type viewedFields } from '../../event-view.ts';
import { placeOf } from './columns.ts';
import { always, type BlockTest, never } from './row-test.ts';

type ViewedField = (typeof viewedFields)[number];
type ViewedEvent = Parameters<typeof createView>[0];

const address = ['clientRequestScheme', 'clientRequestHTTPHost', 'clientRequestPath'] as const;
const referer = [
  'clientRefererScheme',
  'clientRefererHost',
  'clientRefererPath',
  'clientRefererQuery',
] as const;

/**
 * The event fields that a field of the language is computed from. The end of a path inside an address is under the
 * control of the client: the address is read as a whole.
 */
const sources: readonly (readonly [key: RegExp, fields: readonly ViewedField[]])[] = [
  [/^(?:raw\.)?http\.request\.uri\.path/, address],
  [/^(?:raw\.)?http\.request\.(?:full_uri|uri)/, [...address, 'clientRequestQuery']],
  [/^(?:http\.host|ssl)$/, address],
  [/^http\.referer$/, referer],
  [/^http\.user_agent$/, ['userAgent']],
  [/^http\.request\.method$/, ['clientRequestHTTPMethodName']],
  [/^http\.request\.version$/, ['clientRequestHTTPProtocol']],
  [/^ip\.src$/, ['clientIP']],
  [/^ip\.src\.asnum$/, ['clientAsn']],
  [/^ip\.src\.(?:country|is_in_european_union)$/, ['clientCountryName']],
  [/^http\.response\.code$/, ['edgeResponseStatus']],
  [/^cf\.ray_id$/, ['rayName']],
];

const blank: ViewedEvent = {
  clientRequestScheme: 'http',
  clientRequestHTTPHost: 'blank.example',
  clientRequestPath: '/',
  clientRequestQuery: '',
  clientRequestHTTPMethodName: 'GET',
  clientRequestHTTPProtocol: 'HTTP/1.1',
  userAgent: '',
  clientRefererScheme: '',
  clientRefererHost: '',
  clientRefererPath: '',
  clientRefererQuery: '',
  clientIP: '192.0.2.0',
  clientCountryName: '',
  clientAsn: '',
  datetime: '1970-01-01T00:00:00.000Z',
  edgeResponseStatus: 0,
  rayName: '',
};

/** Undefined if it depends on something else, such as the time. */
export function compileExpressionTest(root: Expression, source: string): BlockTest | undefined {
  const fields = listSources(root);
  if (fields === undefined) return undefined;
  const filter: Filter = { kind: 'filter', source, root };
  const isMatch = compile(filter);
  return (block) => {
    const columns = fields.map((field) => block.column(field));
    const known = new Map<string, boolean>();
    const test = (row: number): boolean => {
      const places = columns.map((column) => placeOf(column, row));
      const key = places.join();
      let result = known.get(key);
      if (result === undefined) {
        const event: Record<string, unknown> = { ...blank };
        for (const [index, field] of fields.entries()) {
          event[field] = columns[index]!.values[places[index]!];
        }
        result = isMatch(createView(event as unknown as ViewedEvent));
        known.set(key, result);
      }
      return result;
    };
    // With one event or few values, the result follows directly.
    const isOne = columns.every(({ values }) => values.length === 1);
    return isOne ? (test(0) ? always : never) : test;
  };
}

/** The fields of an event that the expression depends on, each once. */
function listSources(root: Expression): readonly ViewedField[] | undefined {
  const found = new Set<ViewedField>();
  for (const key of listKeys(root)) {
    const source = sources.find(([pattern]) => pattern.test(key));
    if (source === undefined) return undefined;
    for (const field of source[1]) found.add(field);
  }
  return [...found];
}

/** The keys of all fields that occur in a tree. */
function* listKeys(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* listKeys(each);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const {
    kind,
    field,
    alsoReads = [],
  } = node as {
    readonly kind?: unknown;
    readonly field?: { readonly key: string };
    readonly alsoReads?: readonly { readonly key: string }[];
  };
  if (kind === 'field') yield field!.key;
  for (const { key } of alsoReads) yield key;
  for (const name of ['items', 'item', 'operand', 'root', 'args', 'expression'])
    yield* listKeys((node as Record<string, unknown>)[name]);
}
