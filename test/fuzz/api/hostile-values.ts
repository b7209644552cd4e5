/** Values for a schema of the OpenAPI document: most of them are valid, and some are hostile. */
import type { Random } from '../../faults/random.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const depthMax = 6;

export const hostileTexts = [
  ...[
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    'null',
    'true',
    '[]',
    '{}',
    'a'.repeat(300),
    '\0',
    '%00',
    '\ud800',
    '..',
    '../..',
  ],
  ...['ä', '💥', '99999999999999999999', '2147483648', '-0', '1.5', 'Infinity', '__proto__', 'constructor'],
  ...[
    "'; DROP TABLE x;--",
    ' ',
    '\n',
    '2026-01-01T00:00:00Z',
    '9999-12-31',
    '0000-00-00',
    '*',
    '?',
    '$',
    '(',
  ],
  ...['ip.src', 'http.host eq "x"', 'deadbeef'.repeat(4), '0'.repeat(32)],
];
const plainTexts = [
  ...['example.com', 'a', '192.0.2.4', 'https://example.com/x', 'log', 'block', 'text', 'SELECT 1', 'name'],
];
const hostileValues = [null, 0, -1, 2 ** 40, 1.5, true, [], {}, ...hostileTexts];

export class HostileValues {
  readonly #random: Random;
  readonly #resolve: (schema: Schema) => Schema;

  constructor(random: Random, resolve: (schema: Schema) => Schema) {
    this.#random = random;
    this.#resolve = resolve;
  }

  draw(given: Schema, depth = 0): unknown {
    const random = this.#random;
    const schema = this.#resolve(given);
    if (depth > depthMax) return null;
    if (random.chance(0.06)) return random.pick<unknown>(hostileValues);
    if (schema.enum !== undefined && random.chance(0.9)) return random.pick(schema.enum);
    if (schema.const !== undefined && random.chance(0.9)) return schema.const;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return this.draw(random.pick(choices), depth + 1);
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((each) => this.draw(each, depth + 1) ?? {})) as object;
    const type = typeof schema.type === 'object' ? random.pick(schema.type) : schema.type;
    if (type === 'object' || schema.properties !== undefined) return this.#drawObject(schema, depth);
    if (type === 'array') {
      const length = Math.max(schema.minItems ?? 0, random.below(3));
      return Array.from({ length }, () => this.draw(schema.items ?? {}, depth + 1));
    }
    if (type === 'integer' || type === 'number') return this.#drawNumber(schema);
    if (type === 'boolean') return random.chance(0.5);
    return type === 'null' ? null : this.drawText(schema.minLength);
  }

  drawText(charactersMin = 0): string {
    const text = this.#random.pick(this.#random.chance(0.4) ? plainTexts : hostileTexts);
    return text.padEnd(charactersMin, 'a');
  }

  #drawObject({ properties = {}, required = [], additionalProperties }: Schema, depth: number): object {
    const random = this.#random;
    const drawn: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties))
      if (random.chance(required.includes(name) ? 0.97 : 0.5)) drawn[name] = this.draw(schema, depth + 1);
    if (typeof additionalProperties === 'object' && random.chance(0.5))
      drawn[random.pick(hostileTexts)] = this.draw(additionalProperties, depth + 1);
    return drawn;
  }

  #drawNumber({ minimum = 0, maximum = 1e6 }: Schema): number {
    const between = minimum + this.#random.below(Math.max(1, Math.min(maximum - minimum, 1000)));
    return this.#random.pick([
      minimum,
      maximum,
      between,
      between,
      minimum - 1,
      maximum + 1,
      2 ** 31,
      2 ** 53,
    ]);
  }
}
