/**
 * A field of a body whose checks depend on more than the field: its value, its position, its description, and the
 * collector of its problems. Names, types, bounds and choices come from the shape that also defines the schema; code
 * that reads the fields adds checks that the shape cannot express. Readers return the value if it matches the
 * description and record a problem if it does not; for an absent field they return undefined, with a problem only if
 * the shape requires it.
 *
 * ```ts
 * const rule = JsonField.ofBody(body, object({ ref: text({ max: 128 }) }), new CodedProblems(codes));
 * const ref = rule.at('ref').read();
 * if (ref !== undefined && isTaken(ref)) rule.at('ref').refuse('duplicate', 'another rule has this ref');
 * ```
 */
import { isObject } from '#base';
import { didYouMean } from '#text';
import type { CodedProblems } from './coded-problems.ts';
import { beginningCharactersMax, shownCharactersMax } from './limits.ts';
import { type JsonSchema, pointerTo, type Shape } from './shape.ts';

/** The problems that the description of a field alone can reveal. */
type FieldProblemName = 'wrongType' | 'unknownField' | 'missingField' | 'outOfRange' | 'unknownChoice';

/** The parts of a schema that are used to read fields. */
interface Description {
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Of a text with a pattern: the rule, as the end of `it must be …`. */
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Origin<Name extends string> {
  readonly pointer: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly problems: CodedProblems<Name | FieldProblemName>;
}

/** `T` is the type of a valid field, `Name` the additional problems for which it can be refused. */
export class JsonField<T, Name extends string> {
  readonly value: unknown;
  readonly #origin: Origin<Name>;
  readonly #description: Description;
  #isMissed = false;

  private constructor(value: unknown, schema: JsonSchema, origin: Origin<Name>) {
    this.value = value;
    this.#origin = origin;
    this.#description = schema;
  }

  static ofBody<T, Name extends string>(
    body: unknown,
    shape: Shape<T>,
    problems: CodedProblems<Name | FieldProblemName>,
  ): JsonField<T, Name> {
    return new JsonField(body, shape.schema, { pointer: '', name: 'body', isRequired: true, problems });
  }

  get pointer(): string {
    return this.#origin.pointer;
  }

  get problems(): CodedProblems<Name | FieldProblemName> {
    return this.#origin.problems;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  refuse(problem: Name | FieldProblemName, reason: string): undefined {
    const { name, pointer, problems } = this.#origin;
    const wholeMax = problem === 'outOfRange' ? beginningCharactersMax : shownCharactersMax;
    const message = `'${show(this.value, wholeMax)}' is not a valid value for ${name} because ${reason}`;
    problems.add(problem, message, pointer);
  }

  /** The same field, where other code has determined its shape. */
  as<U>(shape: Shape<U>): JsonField<U, Name> {
    return new JsonField(this.value, shape.schema, this.#origin);
  }

  /** A field of an object; absent if it is missing, or if this is not an object. */
  at<Key extends keyof T & string>(key: Key): JsonField<NonNullable<T[Key]>, Name> {
    const { value } = this;
    const { properties, required, additionalProperties } = this.#description;
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    return new JsonField(
      isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
      properties?.[key] ?? others,
      {
        pointer: pointerTo(this.pointer, key),
        name: key,
        isRequired: required?.includes(key) ?? false,
        problems: this.problems,
      },
    );
  }

  /** Whether it is an object with only the described fields. */
  hasOnlyKnownFields(): boolean {
    const keys = this.keys();
    if (keys === undefined) return false;
    const known = Object.keys(this.#description.properties ?? {});
    const unknown = keys.filter((key) => !known.includes(key));
    for (const key of unknown) {
      if (this.problems.isFull) break;
      const message = `unknown field '${show(key)}'${didYouMean(show(key), known)}`;
      this.problems.add('unknownField', message, pointerTo(this.pointer, key));
    }
    return unknown.length === 0;
  }

  /** The names of its fields. */
  keys(): readonly string[] | undefined {
    if (isObject(this.value)) return Object.keys(this.value);
    return this.isAbsent ? undefined : this.refuse('wrongType', 'it must be an object');
  }

  items(): readonly JsonField<T extends readonly (infer Item)[] ? Item : never, Name>[] | undefined {
    const { value } = this;
    const { items = {}, minItems = 0, maxItems = Infinity } = this.#description;
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.refuse('wrongType', 'it must be an array');
    if (value.length < minItems) return this.refuse('missingField', 'it must have at least one item');
    if (value.length > maxItems) return this.refuse('outOfRange', `it has more than ${maxItems} items`);
    return value.map(
      (item: unknown, index) =>
        new JsonField(item, items, { ...this.#origin, pointer: pointerTo(this.pointer, index) }),
    );
  }

  /** Reads by the description alone: a text, a whole number, a boolean, one of several words, or an object of such. */
  read(): T | undefined {
    if (this.isAbsent && !this.#origin.isRequired) return undefined;
    return this.isThere() ? (this.#readThere() as T | undefined) : undefined;
  }

  #readThere(): unknown {
    const { value } = this;
    const { type, enum: choices, minimum = -Infinity, maximum = Infinity } = this.#description;
    if (choices !== undefined) return this.choice(choices as readonly (T & string)[]);
    if (type === 'string') return this.#readText();
    if (type === 'object') return this.#readObject();
    if (type === 'boolean') {
      return typeof value === 'boolean' ? value : this.refuse('wrongType', 'it must be true or false');
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return this.refuse('wrongType', 'it must be a whole number');
    }
    if (value >= minimum && value <= maximum) return value;
    return this.refuse('outOfRange', `it must be from ${minimum} to ${maximum}`);
  }

  #readText(): string | undefined {
    const { value } = this;
    const { minLength = 0, maxLength = Infinity, pattern, description } = this.#description;
    if (typeof value !== 'string') return this.refuse('wrongType', 'it must be a string');
    if (value.length < minLength) return this.refuse('outOfRange', 'it cannot be empty');
    if (value.length > maxLength) {
      return this.refuse('outOfRange', `it is longer than ${maxLength} characters`);
    }
    if (pattern === undefined || new RegExp(pattern).test(value)) return value;
    return this.refuse('outOfRange', `it must be ${description}`);
  }

  /** Missing fields are reported before invalid ones. */
  #readObject(): object | undefined {
    if (!this.hasOnlyKnownFields()) return undefined;
    const { properties = {}, required = [] } = this.#description;
    const fields = Object.keys(properties).map((key) => [key, this.at(key as keyof T & string)] as const);
    for (const [key, field] of fields) if (required.includes(key)) field.isThere();
    return Object.fromEntries(
      fields.flatMap(([key, field]) => {
        const value = field.read();
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }

  /** For fewer choices than the description has. */
  choice<Choice extends T & string>(choices: readonly Choice[]): Choice | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.refuse('wrongType', 'it must be a string');
    const chosen = choices.find((choice) => choice === value);
    if (chosen !== undefined) return chosen;
    return this.refuse(
      'unknownChoice',
      `it must be one of ${choices.join(', ')}${didYouMean(show(value), choices)}`,
    );
  }

  /** Records, once, that a required field is missing; returns whether it is present. */
  isThere(): boolean {
    const { name, pointer, problems } = this.#origin;
    if (this.isAbsent && !this.#isMissed) {
      this.#isMissed = true;
      problems.add('missingField', `${name} is required`, pointer);
    }
    return !this.isAbsent;
  }
}

/** A value as a message repeats it: whole up to a maximum length, or its beginning. */
function show(value: unknown, wholeMax = shownCharactersMax): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= wholeMax ? text : `${text.slice(0, beginningCharactersMax)}…`;
}
