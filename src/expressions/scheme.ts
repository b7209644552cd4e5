/** The names an expression may use. A scheme never changes; `with` makes a larger one. */
import type { Field } from './field.ts';
import type { FunctionDefinition } from './ast.ts';
import type { Type } from './types.ts';
import { zeroOf } from './values.ts';

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

  /** A scheme with these as well; a name that is known already gets the new meaning. */
  with({ fields = [], functions = [] }: SchemeParts): Scheme {
    return new Scheme({
      fields: [...this.#fields.values(), ...fields],
      functions: [...this.#functions.values(), ...functions],
    });
  }
}

/** A field of one's own, for a scheme made larger with `with`. */
export function defineField(name: string, type: Type, parts: Partial<Field> = {}): Field {
  return {
    name,
    type,
    default: zeroOf(type),
    key: name,
    filledBy: 'proxy',
    stage: 'request',
    summary: '',
    ...parts,
  };
}
