/** A text with macros: `Matched %{matched_var} in %{tx.0}`. */
import { expandedBytesMax } from './limits.ts';

/** Provides the values of macros. */
export interface MacroScope {
  /** The value of a variable, or of one of its keys; `""` without a value. Names in upper, keys in lower case. */
  lookUp(variable: string, key: string | undefined): string;
}

type TemplatePart = string | { readonly variable: string; readonly key: string | undefined };

export class Template {
  readonly source: string;
  /** The text itself, if it has no macro. */
  readonly constant: string | undefined;
  /** The text before the first macro. */
  readonly prefix: string;
  readonly #parts: readonly TemplatePart[];

  constructor(source: string) {
    this.source = source;
    const parts: TemplatePart[] = [];
    let end = 0;
    for (const found of source.matchAll(/%\{([A-Za-z_]+)(?:[.:]([^}]*))?\}/g)) {
      if (found.index > end) parts.push(source.slice(end, found.index));
      parts.push({ variable: found[1]!.toUpperCase(), key: found[2]?.toLowerCase() });
      end = found.index + found[0].length;
    }
    if (end < source.length) parts.push(source.slice(end));
    this.#parts = parts;
    this.prefix = typeof parts[0] === 'string' ? parts[0] : '';
    this.constant = parts.every((part) => typeof part === 'string') ? source : undefined;
  }

  expand(scope: MacroScope): string {
    let text = '';
    for (const part of this.#parts) {
      text += typeof part === 'string' ? part : scope.lookUp(part.variable, part.key);
      if (text.length > expandedBytesMax) return text.slice(0, expandedBytesMax);
    }
    return text;
  }
}
