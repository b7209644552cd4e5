/**
 * Expressions that are parsed before they are used. Handlers of the API cannot pause, and parsing a thousand large
 * expressions takes a fifth of a second: so the expressions of a call are parsed before it starts, in steps, and held
 * until it is answered. Until then, `readExpression` returns the held tree.
 *
 * ```ts
 * using held = new ExpressionsReadAhead({ scheme });
 * held.read(text);
 * readExpression(text, { scheme, lists }); // does not read it again
 * ```
 *
 * The total size of held expressions is limited; further ones are parsed when they are used.
 */
import type { Filter } from './ast.ts';
import { type Uses, usesOf } from './assist/uses.ts';
import { heldCharactersMax } from './limits.ts';
import { parse, type ParseOptions, type ParseResult } from './parse/parse.ts';
import { scheme as fullScheme } from './full-scheme.ts';
import type { Scheme } from './scheme.ts';

interface HeldExpression {
  readonly result: Extract<ParseResult<Filter>, { readonly ok: true }>;
  readonly uses: Uses;
  holders: number;
}

/** The trees of all holders in this process, by text. */
const all = new Map<string, HeldExpression>();
let characters = 0;
const counts = { found: 0, read: 0 };

export class ExpressionsReadAhead implements Disposable {
  readonly #scheme: Scheme;
  readonly #texts = new Set<string>();

  constructor({ scheme }: { readonly scheme: Scheme }) {
    this.#scheme = scheme;
  }

  /** An invalid expression is not held: the check reports the error, in its own scheme. */
  read(text: string): void {
    if (this.#texts.has(text)) return;
    const present = all.get(text);
    if (present !== undefined) present.holders++;
    else if (!this.#hold(text)) return;
    this.#texts.add(text);
  }

  #hold(text: string): boolean {
    if (characters + text.length > heldCharactersMax) return false;
    const result = parse(text, { scheme: this.#scheme });
    if (!result.ok) return false;
    all.set(text, { result, uses: usesOf(result.tree), holders: 1 });
    characters += text.length;
    return true;
  }

  [Symbol.dispose](): void {
    for (const text of this.#texts) {
      const held = all.get(text)!;
      if (--held.holders > 0) continue;
      all.delete(text);
      characters -= text.length;
    }
    this.#texts.clear();
  }
}

/** Like `parse`, which it calls for expressions that are not held. */
export function readExpression(
  text: string,
  options: Pick<ParseOptions, 'scheme' | 'lists'> = {},
): ParseResult<Filter> {
  const held = all.get(text);
  if (held !== undefined && isSame(held.uses, options)) {
    counts.found++;
    return held.result;
  }
  counts.read++;
  return parse(text, options);
}

/** How many expressions were found, and how many were parsed. */
export function countReadings(): Readonly<typeof counts> {
  return { ...counts };
}

/** A tree is the same in another scheme if its names mean the same there. */
function isSame(
  { fields, functions, lists }: Uses,
  { scheme = fullScheme, lists: known }: Pick<ParseOptions, 'scheme' | 'lists'>,
): boolean {
  for (const field of fields) if (scheme.fields.get(field.name) !== field) return false;
  for (const definition of functions) if (scheme.functions.get(definition.name) !== definition) return false;
  return known === undefined || lists.size === 0 || lists.isSubsetOf(new Set(known));
}
