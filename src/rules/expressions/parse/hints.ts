/** Additions to wirefilter's messages: the likely cause of an error, and the suggested correction. */
import { didYouMean } from '#text';
import { boolType } from '../types.ts';
import type { ParseRefusal } from './reader.ts';
import type { Settings } from './settings.ts';

export function findHint(source: string, refusal: ParseRefusal, settings: Settings): string | undefined {
  const rest = source.slice(refusal.span.start);
  const before = source.slice(0, refusal.span.start);
  return (
    findTabHint(rest) ??
    (refusal.code === 'unknown_identifier'
      ? findNameHint(source.slice(refusal.span.start, refusal.span.end), settings)
      : findRestHint(rest, before, { refusal, settings }))
  );
}

const setHint = 'items of a set are separated by spaces: {80 443}';

function findTabHint(rest: string): string | undefined {
  return rest.startsWith('\t') ? 'a tab is not white space here: write a space' : undefined;
}

export function findNameHint(name: string, { scheme }: Settings): string | undefined {
  if (/^0x[0-9A-Fa-f]+$/.test(name)) return 'a number among arguments is decimal or octal';
  const keyword = name.toLowerCase();
  if (keyword !== name && (scheme.fields.has(keyword) || scheme.functions.has(keyword)))
    return `names are lower-case: ${keyword}`;
  const fields = [...scheme.fields.values()].filter((field) => field.isHidden !== true);
  const names = [...fields.map((field) => field.name), ...scheme.functions.keys()];
  // Comparing takes time proportional to both lengths, and names of very different lengths are never confused.
  const suggestion = didYouMean(
    name,
    names.filter((candidate) => Math.abs(candidate.length - name.length) <= 2),
  );
  return suggestion === '' ? undefined : suggestion.slice(': '.length);
}

interface RefusedParse {
  readonly refusal: ParseRefusal;
  readonly settings: Settings;
}

function findRestHint(rest: string, before: string, place: RefusedParse): string | undefined {
  switch (place.refusal.code) {
    case 'unrecognised_input':
      return findLeftoverHint(rest, before, place);
    case 'expected_operator':
      return findOperatorHint(rest, before);
    case 'expected_character':
      return rest.startsWith(',') ? setHint : findQuoteHint(rest);
    case 'bad_address':
      return rest.includes('/') && /(?:eq|ne|==|!=) *$/.test(before)
        ? 'a network needs a set: in {10.0.0.0/8}'
        : undefined;
    case 'bad_number':
      return findRightSideHint(rest, before, place);
    case 'bad_escape':
      return 'write the byte as \\xHH, or use a raw string: r"…"';
    case 'bad_list_name':
      return 'names of lists are lower-case letters, digits and _';
    case 'expected_literal':
      return / *(?:and|or|xor|&&|\|\||\^\^)/y.test(rest) && /\b(?:any|all)\b/.test(before)
        ? 'put a combined condition in parentheses of its own: any((… or …))'
        : undefined;
    case 'type_mismatch':
      return place.refusal.message.endsWith('but got Array<Bool>')
        ? 'wrap a condition over [*] in any(…) or all(…)'
        : undefined;
    default:
      return undefined;
  }
}

function findLeftoverHint(rest: string, before: string, { settings }: RefusedParse): string | undefined {
  const text = rest.replace(/^[ \r\n]+/, '');
  if (text.startsWith('\t')) return findTabHint(text);
  const name = /[A-Za-z0-9_.]+$/.exec(before)?.[0];
  const isBool = name !== undefined && settings.scheme.fields.get(name)?.type === boolType;
  if (isBool && /^(?:eq|ne|==|!=)/.test(text)) {
    const isNegative = /^(?:eq|==) *false|^(?:ne|!=) *true/.test(text);
    return `a Bool stands alone: write ${isNegative ? `not ${name}` : name}`;
  }
  if (text.startsWith(')')) return 'there is no opening parenthesis for this one';
  if (/^(?:AND|OR|XOR|NOT)\b/.test(text)) return 'operators are lower-case';
  return undefined;
}

function findOperatorHint(rest: string, before: string): string | undefined {
  if (rest.startsWith('[') && before.endsWith(' ')) return 'no space before [';
  if (/^not +in\b/.test(rest)) return 'write not before the field: not … in {…}';
  if (/^=(?!=)/.test(rest)) return 'equality is eq or ==';
  if (/^strict +wildcard/.test(rest)) return 'exactly one space between strict and wildcard';
  if (/^(?:EQ|NE|LT|LE|GT|GE|IN|CONTAINS|MATCHES|WILDCARD)\b/.test(rest)) return 'operators are lower-case';
  return undefined;
}

function findQuoteHint(rest: string): string | undefined {
  return rest.startsWith("'") ? 'strings are in double quotes' : undefined;
}

function findRightSideHint(rest: string, before: string, { settings }: RefusedParse): string | undefined {
  if (rest.startsWith("'")) return findQuoteHint(rest);
  if (rest.startsWith(',')) return setHint;
  if (rest.startsWith('{')) return 'this operator takes one value: combine several with or, or use in {…}';
  const name = /^[A-Za-z0-9_.]+/.exec(rest)?.[0] ?? '';
  const isName = settings.scheme.fields.has(name) || settings.scheme.functions.has(name);
  if (isName) return 'the right side is a literal: two fields cannot be compared';
  if (/[A-Za-z]/.test(name[0] ?? '') && /(?:eq|ne|contains|==|!=) *$/.test(before))
    return 'strings are in double quotes';
  return undefined;
}
