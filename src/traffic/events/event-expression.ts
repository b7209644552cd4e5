/** Expressions of the rules language as conditions on events, limited to fields that can be computed from an event. */
import { type Diagnostic, type Filter, parse, printDiagnostic, Scheme, scheme } from '#expressions';

/** Field keys; their deprecated names work as well. */
const keys: ReadonlySet<string> = new Set([
  'cf.ray_id',
  'http.host',
  'http.referer',
  'http.user_agent',
  'http.request.method',
  'http.request.version',
  'http.request.timestamp.sec',
  'http.request.timestamp.msec',
  'http.request.uri.path.extension',
  'raw.http.request.uri.path.extension',
  ...['http.request', 'raw.http.request'].flatMap((prefix) =>
    ['full_uri', 'uri', 'uri.path', 'uri.query', 'uri.args', 'uri.args.names', 'uri.args.values'].map(
      (name) => `${prefix}.${name}`,
    ),
  ),
  'ssl',
  'ip.src',
  'ip.src.asnum',
  'ip.src.country',
  'ip.src.is_in_european_union',
  'http.response.code',
]);

/** The fields and functions that a search of events may use. */
export const eventScheme: Scheme = new Scheme({
  fields: [...scheme.fields.values()].filter(({ key }) => keys.has(key)),
  functions: scheme.functions.values(),
});

export type EventExpression =
  | { readonly ok: true; readonly tree: Filter }
  /** The reason contains the location in the expression, with carets below it. */
  | { readonly ok: false; readonly reason: string; readonly diagnostic: Diagnostic };

/** Lists are not available: their current items say nothing about the time of the event. */
export function parseEventExpression(source: string): EventExpression {
  const parsed = parse(source, { scheme: eventScheme, lists: [] });
  if (parsed.ok) return parsed;
  const { error } = parsed;
  if (error.code === 'length_limit') return { ok: false, reason: error.message, diagnostic: error };
  const name = source.slice(error.span.start, error.span.end);
  const isField = error.code === 'unknown_identifier' && scheme.fields.has(name);
  const hint = isField ? 'events do not store the data of this field' : error.hint;
  const diagnostic = hint === undefined ? error : { ...error, hint };
  return { ok: false, reason: printDiagnostic(source, diagnostic).trimEnd(), diagnostic };
}
