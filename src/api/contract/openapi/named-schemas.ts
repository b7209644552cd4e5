/** The named schemas of the document, collected while it is built: each once, with references in its place. */
import { assert, isObject } from '#base';
import type { JsonSchema } from '#shapes';

export class NamedSchemas {
  readonly #byName = new Map<string, { readonly source: JsonSchema; readonly schema: JsonSchema }>();

  /** The schema, with a reference for each named schema in it, and for itself if it is named. */
  refer(schema: JsonSchema): JsonSchema {
    const { title: name } = schema;
    if (typeof name !== 'string') return this.#referWithin(schema) as JsonSchema;
    const known = this.#byName.get(name);
    if (known === undefined) {
      this.#byName.set(name, { source: schema, schema });
      this.#byName.set(name, { source: schema, schema: this.#referWithin(schema) as JsonSchema });
    } else {
      const isSame = known.source === schema || JSON.stringify(known.source) === JSON.stringify(schema);
      assert(isSame, `two different schemas have the name ${name}`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Sorted by name, so that the document changes only where a schema has changed. */
  toComponents(): JsonSchema {
    const names = [...this.#byName.keys()].toSorted();
    return Object.fromEntries(names.map((name) => [name, this.#byName.get(name)!.schema]));
  }

  #referWithin(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#referInside(item));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#referInside(each)]));
  }

  #referInside(value: unknown): unknown {
    return isObject(value) ? this.refer(value) : this.#referWithin(value);
  }
}
