import { ByteSet, posixClasses } from './byte-set.ts';
import { SyntaxProblem } from './pattern-error.ts';
import { readPcreEscape } from './pcre-escape.ts';

type ClassItem = { readonly set: ByteSet } | { readonly byte: number };

/** Parses `[...]` at `start`; returns the set, its case not yet folded, with the position after it. */
export function readPcreClass(
  source: string,
  start: number,
): { set: ByteSet; isNegated: boolean; end: number } {
  let at = start + 1;
  const isNegated = source[at] === '^';
  if (isNegated) at++;
  const set = new ByteSet();
  const unclosed = (): SyntaxProblem =>
    new SyntaxProblem('missing terminating ] for character class', { start, end: start + 1 });

  const readItem = (): ClassItem[] => {
    const character = source[at];
    if (character === undefined) throw unclosed();
    const posix = /^\[:(\^?)(\w+):\]/.exec(source.slice(at, at + 16));
    if (posix !== null) {
      const named = posixClasses.get(posix[2]!);
      const end = at + posix[0].length;
      if (named === undefined) throw new SyntaxProblem('unknown POSIX class name', { start: at, end });
      at = end;
      return [{ set: posix[1] === '^' ? named.negated() : named }];
    }
    if (character !== '\\') {
      at++;
      return [{ byte: character.charCodeAt(0) }];
    }
    const { escape, end } = readPcreEscape(source, at, { inClass: true, groupCount: 0 });
    at = end;
    if (escape.kind === 'set') return [{ set: escape.set }];
    if (escape.kind === 'byte') return [{ byte: escape.byte }];
    return escape.kind === 'quoted' ? [...Buffer.from(escape.text, 'latin1')].map((byte) => ({ byte })) : [];
  };

  for (let isFirst = true; isFirst || source[at] !== ']'; isFirst = false) {
    const itemStart = at;
    const items = readItem();
    const first = items.length === 1 ? items[0]! : undefined;
    const isRange = source[at] === '-' && at + 1 < source.length && source[at + 1] !== ']';
    if (isRange && first !== undefined) {
      at++;
      const [last] = readItem();
      const span = { start: itemStart, end: at };
      if (last === undefined || 'set' in first || 'set' in last) {
        throw new SyntaxProblem('invalid range in character class', span);
      }
      if (last.byte < first.byte) throw new SyntaxProblem('range out of order in character class', span);
      set.addRange(first.byte, last.byte);
      continue;
    }
    for (const item of items) {
      if ('set' in item) set.addAll(item.set);
      else set.add(item.byte);
    }
  }
  return { set, isNegated, end: at + 1 };
}
