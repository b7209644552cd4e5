/** The names that an expression may use. A scheme is immutable; `with` creates a larger one. */
import type { Field } from './field.ts';
import type { FunctionDefinition } from './ast.ts';
import type { Type } from './types.ts';
import { getZero } from './values.ts';

export interface SchemeParts {
  readonly fields?: Iterable<Field>;
  readonly functions?: Iterable<FunctionDefinition>;
}

export class Scheme {
  readonly #fields = new Map<string, Field>();
  readonly #functions = new Map<string, FunctionDefinition>();

  constructor({ fields = [], functions = [] }: SchemeParts) {
    for (const field of fields) this.#fields.set(field.name, field);
    for (const definition of functions) this.#functions.set(definition.name, definition);
  }

  /** Every field, deprecated and hidden ones included, by name. */
  get fields(): ReadonlyMap<string, Field> {
    return this.#fields;
  }

  get functions(): ReadonlyMap<string, FunctionDefinition> {
    return this.#functions;
  }

  /** A scheme with these names added; an existing name gets the new meaning. */
  with({ fields = [], functions = [] }: SchemeParts): Scheme {
    return new Scheme({
      fields: [...this.#fields.values(), ...fields],
      functions: [...this.#functions.values(), ...functions],
    });
  }
}

/** Defines a custom field, for a scheme extended by `with`. */
export function defineField(name: string, type: Type, parts: Partial<Field> = {}): Field {
  return {
    name,
    type,
    default: getZero(type),
    key: name,
    filledBy: 'proxy',
    stage: 'request',
    summary: '',
    ...parts,
  };
}
