/**
 * A place in the input: its value, where it stands, and who hears about what is wrong with it. Readers answer the value
 * when it is as they ask and note a problem when it is not; they answer nothing, without a problem, for what is absent.
 */
import { didYouMean } from '#base';
import { shownCharactersMax } from '../limits.ts';
import type { ProblemName, Problems } from '../problem.ts';

export class Place {
  readonly value: unknown;
  readonly pointer: string;
  /** The name of the field, as messages call it: for an element, that of its list. */
  readonly field: string;
  readonly problems: Problems;

  private constructor(value: unknown, pointer: string, field: string, problems: Problems) {
    this.value = value;
    this.pointer = pointer;
    this.field = field;
    this.problems = problems;
  }

  static ofBody(body: unknown, problems: Problems): Place {
    return new Place(body, '', 'body', problems);
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  refuse(name: ProblemName, reason: string): undefined {
    const message = `'${show(this.value)}' is not a valid value for ${this.field} because ${reason}`;
    this.problems.add(name, message, this.pointer);
  }

  /** The field of an object; absent if there is none, or no object. */
  at(key: string): Place {
    const { value } = this;
    const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    return new Place(inner, `${this.pointer}/${escaped}`, key, this.problems);
  }

  /** Whether it is an object, with no fields but these. */
  isObjectOf(known: readonly string[]): boolean {
    const keys = this.keys();
    if (keys === undefined) return false;
    const unknown = keys.filter((key) => !known.includes(key));
    for (const key of unknown) {
      if (this.problems.isFull) break;
      const message = `unknown field '${show(key)}'${didYouMean(show(key), known)}`;
      this.problems.add('unknown_field', message, this.at(key).pointer);
    }
    return unknown.length === 0;
  }

  /** The names of its fields. */
  keys(): readonly string[] | undefined {
    if (isObject(this.value)) return Object.keys(this.value);
    return this.isAbsent ? undefined : this.refuse('wrong_type', 'it must be an object');
  }

  items({ countMax }: { countMax: number }): readonly Place[] | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.refuse('wrong_type', 'it must be an array');
    if (value.length > countMax) return this.refuse('out_of_range', `it has more than ${countMax} items`);
    return value.map(
      (item: unknown, index) => new Place(item, `${this.pointer}/${index}`, this.field, this.problems),
    );
  }

  text({
    charactersMin = 0,
    charactersMax,
  }: {
    charactersMin?: number;
    charactersMax: number;
  }): string | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.refuse('wrong_type', 'it must be a string');
    if (value.length < charactersMin) return this.refuse('out_of_range', 'it cannot be empty');
    if (value.length > charactersMax) {
      return this.refuse('out_of_range', `it is longer than ${charactersMax} characters`);
    }
    return value;
  }

  /** A text of which an empty one is as good as none. */
  optionalText(bounds: { charactersMax: number }): string | undefined {
    const text = this.text(bounds);
    return text === '' ? undefined : text;
  }

  flag(): boolean | undefined {
    const { value } = this;
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse('wrong_type', 'it must be true or false');
  }

  wholeNumber({ min, max }: { min: number; max: number }): number | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return this.refuse('wrong_type', 'it must be a whole number');
    }
    if (value < min || value > max) return this.refuse('out_of_range', `it must be from ${min} to ${max}`);
    return value;
  }

  choice<T extends string>(choices: readonly T[]): T | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.refuse('wrong_type', 'it must be a string');
    const chosen = choices.find((choice) => choice === value);
    if (chosen !== undefined) return chosen;
    return this.refuse(
      'unknown_choice',
      `it must be one of ${choices.join(', ')}${didYouMean(show(value), choices)}`,
    );
  }

  /** Notes that something required is not there; answers whether it is. */
  isThere(): boolean {
    if (this.isAbsent) this.problems.add('missing_field', `${this.field} is required`, this.pointer);
    return !this.isAbsent;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a message repeats it. */
function show(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}
