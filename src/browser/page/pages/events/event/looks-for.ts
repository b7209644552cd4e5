/** Describes in words what a rule looks for: the conditions that decided, without the syntax of rules. */
import type { JudgedPart } from '../../../api/types.ts';

const fields: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'http.host': 'the host',
    'http.referer': 'the referer',
    'http.cookie': 'the cookies',
    'http.user_agent': 'the user agent',
    'http.request.method': 'the method',
    'http.request.uri': 'the path with its query',
    'http.request.full_uri': 'the URL',
    'http.request.uri.path': 'the path',
    'http.request.uri.query': 'the query',
    'http.request.body.raw': 'the body',
    'raw.http.request.uri.path': 'the path as it was sent',
    'raw.http.request.uri.query': 'the query as it was sent',
    'ip.src': 'the address',
    'ip.src.country': 'the country',
    'ip.src.asnum': 'the network',
    'ip.geoip.country': 'the country',
    'ip.geoip.asnum': 'the network',
  }),
);

const operators: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eq: 'is',
    '==': 'is',
    ne: 'is not',
    '!=': 'is not',
    contains: 'contains',
    matches: 'fits the pattern',
    '~': 'fits the pattern',
    wildcard: 'fits',
    'strict wildcard': 'fits',
    in: 'is one of',
    'not in': 'is none of',
    gt: 'is more than',
    ge: 'is at least',
    lt: 'is less than',
    le: 'is at most',
  }),
);

/** Longer conditions are no clearer in words than in the rules language. */
const textCharactersMax = 120;
/** The tree below has the others. */
const partsMax = 3;

/** Undefined if words would not be shorter than the expression. */
export function describeLooksFor(tree: JudgedPart): string | undefined {
  const parts = listDeciding(tree).map(({ text }) => describeComparison(text));
  if (parts.length === 0 || parts.some((part) => part === undefined)) return undefined;
  const shown = [...new Set(parts as readonly string[])];
  const more = shown.length > partsMax ? `, and ${shown.length - partsMax} more` : '';
  return `requests in which ${shown.slice(0, partsMax).join(' and ')}${more}`;
}

/** The comparisons with the same result as the whole. */
function listDeciding({ parts = [], ...part }: JudgedPart): readonly JudgedPart[] {
  if (parts.length === 0) return [part];
  return parts.filter(({ result }) => result === part.result).flatMap(listDeciding);
}

/** `http.request.uri.path contains "/admin"` → `the path contains "/admin"` */
function describeComparison(text: string): string | undefined {
  if (text.length > textCharactersMax) return undefined;
  const call = /^(starts_with|ends_with)\(([\w.]+), (".*")\)$/s.exec(text);
  if (call !== null) {
    const [, name, field, value] = call;
    return `${describeField(field!)} ${name === 'starts_with' ? 'begins' : 'ends'} with ${value}`;
  }
  const found =
    /^(?:(?:lower|upper|url_decode)\()?([\w.]+)\)? (strict wildcard|not in|[a-z]+|[=!~]+) (.+)$/s.exec(text);
  if (found === null) return undefined;
  const [, field, operator, value] = found;
  const words = operators.get(operator!);
  return words === undefined
    ? undefined
    : `${describeField(field!)} ${words} ${value!.replace(/^\{(.*)\}$/s, '$1')}`;
}

function describeField(field: string): string {
  return fields.get(field) ?? field;
}
