/** What the parser collects during parsing: warnings, and the counts of things that have a limit. */
import { parsePattern, type ParseResult } from '#regex';
import type { Span, FunctionDefinition } from '../ast.ts';
import type { DiagnosticCode, SpannedProblem } from '../diagnostic.ts';
import type { Field } from '../field.ts';
import { regexesMax } from '../limits.ts';
import type { Type } from '../types.ts';
import { type SourceReader, ParseRefusal } from './reader.ts';

/** What may follow where the text ends: a name, an operator for a type, a set or a list. */
export type Continuation =
  | { readonly kind: 'operand' }
  | { readonly kind: 'operator'; readonly type: Type }
  | { readonly kind: 'set' };

export class Findings {
  /** For completion: set if the text ended where something was expected. */
  wanted: Continuation | undefined;
  readonly warnings: SpannedProblem[] = [];
  readonly #fieldsSeen = new Set<string>();
  readonly #callCounts = new Map<string, number>();
  readonly #openCalls: FunctionDefinition[] = [];
  readonly #patterns = new Map<string, ParseResult>();
  readonly #parsePattern: (source: string) => ParseResult;
  #regexCount = 0;

  /** `parse` replaces the pattern parser of the room `regex`. */
  constructor(parse: (source: string) => ParseResult = parsePattern) {
    this.#parsePattern = parse;
  }

  noteField(field: Field, span: Span): void {
    if (this.#fieldsSeen.has(field.name)) return;
    this.#fieldsSeen.add(field.name);
    if (field.replacedBy !== undefined) {
      this.#warn('deprecated_field', `${field.name} is deprecated`, span, `write ${field.replacedBy}`);
    }
    if (field.filledBy === 'global') {
      this.#warn(
        'global_field',
        `only a global network can fill ${field.name}: here it is always its default`,
        span,
      );
    }
  }

  noteWanted(reader: SourceReader, wanted: Continuation): void {
    if (reader.isAtEnd) this.wanted = wanted;
  }

  noteShortNetwork(span: Span, canonical: string): void {
    this.#warn(
      'short_network',
      'not every reader understands an address in short form',
      span,
      `write ${canonical}`,
    );
  }

  noteRegex(span: Span): void {
    if (++this.#regexCount > regexesMax) {
      throw new ParseRefusal('regex_limit', `too many regular expressions (limit: ${regexesMax})`, span);
    }
  }

  /** Each pattern is parsed once, however often the expression contains it. */
  parsePattern(source: string): ParseResult {
    let parsed = this.#patterns.get(source);
    if (parsed === undefined) this.#patterns.set(source, (parsed = this.#parsePattern(source)));
    return parsed;
  }

  /** Some functions may be called only once, or not inside another. */
  openCall(definition: FunctionDefinition, span: Span): void {
    const count = (this.#callCounts.get(definition.name) ?? 0) + 1;
    this.#callCounts.set(definition.name, count);
    if (definition.callsMax !== undefined && count > definition.callsMax) {
      throw new ParseRefusal(
        'function_use',
        `${definition.name} can be called only once in an expression`,
        span,
      );
    }
    const outer = this.#openCalls.find(({ name }) => definition.notWith?.includes(name));
    if (outer !== undefined) {
      throw new ParseRefusal(
        'function_use',
        `${definition.name} cannot be called within ${outer.name}`,
        span,
      );
    }
    this.#openCalls.push(definition);
  }

  closeCall(): void {
    this.#openCalls.pop();
  }

  #warn(code: DiagnosticCode, message: string, span: Span, hint?: string): void {
    this.warnings.push({ severity: 'warning', code, message, span, hint });
  }
}
