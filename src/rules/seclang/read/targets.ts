/** The first word of a rule: `ARGS|!ARGS:token|&TX:/^score/|XML:/*`. */
import { BoundedMap } from '#base';
import { copyBytes } from '#text';
import { parsePattern, type Pattern } from '#regex';
import { SecLangError, type SourcePlace } from '../problem.ts';

export type Selector =
  | { readonly kind: 'all' }
  /** Compared without case. */
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'pattern';
      readonly pattern: Pattern;
      /** Cached results for names: the same few occur in every request. */
      readonly known: Map<string, boolean>;
    };

export interface VariableTarget {
  /** In upper case. */
  readonly variable: string;
  readonly selector: Selector;
  /** Whether the target is the number of values. */
  readonly isCount: boolean;
}

export interface Targets {
  readonly included: readonly VariableTarget[];
  readonly excluded: readonly VariableTarget[];
}

export function readTargets(text: string, place: SourcePlace): Targets {
  const included: VariableTarget[] = [];
  const excluded: VariableTarget[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const head = /^([!&]?)([A-Za-z_]+)(:?)/.exec(rest);
    if (head === null) throw new SecLangError(`expected a variable at "${clip(rest)}"`, place);
    const [whole, mark, name, colon] = head;
    rest = rest.slice(whole.length);
    const variable = name!.toUpperCase();
    let selector: Selector = { kind: 'all' };
    if (colon === ':') {
      const end = findSelectorEnd(rest, variable);
      selector = readSelector(rest.slice(0, end), variable, place);
      rest = rest.slice(end);
    }
    if (rest !== '') {
      if (rest[0] !== '|' && rest[0] !== ',') throw new SecLangError(`expected | at "${clip(rest)}"`, place);
      rest = rest.slice(1).trimStart();
    }
    (mark === '!' ? excluded : included).push({ variable, selector, isCount: mark === '&' });
  }
  return { included, excluded };
}

/** A pattern ends at its last slash or quote, not at a `|` inside it. */
function findSelectorEnd(text: string, variable: string): number {
  const closing = text.startsWith("'/") ? "/'" : text.startsWith("'") ? "'" : '/';
  const isDelimited = variable !== 'XML' && (text.startsWith('/') || text.startsWith("'"));
  if (isDelimited) {
    for (
      let at = text.indexOf(closing, closing === "/'" ? 2 : 1);
      at !== -1;
      at = text.indexOf(closing, at + 1)
    ) {
      const end = at + closing.length;
      if (text[at - 1] !== '\\' && (end === text.length || text[end] === '|' || text[end] === ','))
        return end;
    }
  }
  const end = text.search(/[|]/);
  return end === -1 ? text.length : end;
}

function readSelector(text: string, variable: string, place: SourcePlace): Selector {
  const bare = text.replace(/^'([^]*)'$/, '$1');
  if (variable === 'XML' || !/^\/[^]*\/$/.test(bare)) return { kind: 'key', key: bare.toLowerCase() };
  const parsed = parsePattern(bare.slice(1, -1), 'pcre', { ignoreCase: true, dotAll: true });
  if (!parsed.ok)
    throw new SecLangError(`${variable}:${bare} has an invalid pattern: ${parsed.error.reason}`, place);
  return { kind: 'pattern', pattern: parsed.pattern, known: new BoundedMap(knownKeysMax) };
}

export function selects(selector: Selector, key: string): boolean {
  if (selector.kind === 'all') return true;
  if (selector.kind === 'key') return selector.key === key.toLowerCase();
  const { pattern, known } = selector;
  if (key.length > knownKeyBytesMax) return pattern.test(key);
  let isSelected = known.get(key);
  if (isSelected === undefined) {
    isSelected = pattern.test(key);
    known.set(copyBytes(key), isSelected);
  }
  return isSelected;
}

/** Size of the names that a pattern caches: with all patterns of CRS, some hundred kilobytes. */
const knownKeyBytesMax = 64;
const knownKeysMax = 256;

/** Rules that read the same values have the same text here. */
export function describeTargets({ included, excluded }: Targets): string {
  const describe = (mark: string) => (target: VariableTarget) => {
    const { variable, selector, isCount } = target;
    const key =
      selector.kind === 'all'
        ? ''
        : selector.kind === 'key'
          ? `:${selector.key}`
          : `:/${selector.pattern.source}/`;
    return `${mark}${isCount ? '&' : ''}${variable}${key}`;
  };
  return [...included.map(describe('')), ...excluded.map(describe('!'))].join('|');
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
