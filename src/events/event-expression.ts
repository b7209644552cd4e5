/** Expressions of the rules language as conditions on events: with the fields that can be computed from an event. */
import { type Filter, parse, printDiagnostic, Scheme, scheme } from '#expressions';

/** Keys of fields; their deprecated names work as well. */
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

const eventScheme = new Scheme({
  fields: [...scheme.fields.values()].filter(({ key }) => keys.has(key)),
  functions: scheme.functions.values(),
});

export type EventExpression =
  | { readonly ok: true; readonly tree: Filter }
  /** With the location in the expression, and carets below it. */
  | { readonly ok: false; readonly reason: string };

/** Lists are not available: their items today say nothing about the time of the event. */
export function parseEventExpression(source: string): EventExpression {
  const parsed = parse(source, { scheme: eventScheme, lists: [] });
  if (parsed.ok) return parsed;
  const { error } = parsed;
  if (error.code === 'length_limit') return { ok: false, reason: error.message };
  const name = source.slice(error.span.start, error.span.end);
  const isField = error.code === 'unknown_identifier' && scheme.fields.has(name);
  const hint = isField ? 'events do not keep what this field is made of' : error.hint;
  const diagnostic = hint === undefined ? error : { ...error, hint };
  return { ok: false, reason: printDiagnostic(source, diagnostic).trimEnd() };
}
