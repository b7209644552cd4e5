/**
 * What rules see of a request: one value for each field, asked for when a rule needs it, computed at most once.
 *
 * Fields have slots, so that compiled rules read a value with one array access. A slot is handed out the first time
 * anything compiled or interpreted names the field's key, and is the same for the life of the process: there are as
 * many as there are fields in use, and a request pays for no more than those. A key means the same field everywhere.
 */
import type { Field } from '../field.ts';
import type { Value } from '../values.ts';

/** Whoever knows the request: the edge, a described request in a test. */
export interface FieldSource {
  /** The value of a field by its `key`, or nothing: the default of the field is used then. */
  read(key: string): Value | undefined;
}

const slots = new Map<string, number>();
const fieldsBySlot: Field[] = [];

/** The slot of a field, the same for a deprecated name and the one that replaced it. */
export function slotOf(field: Field): number {
  let slot = slots.get(field.key);
  if (slot === undefined) {
    slot = fieldsBySlot.length;
    slots.set(field.key, slot);
    fieldsBySlot.push(field);
  }
  return slot;
}

/** One request on its way through any number of rule lists. */
export class RequestView {
  readonly #source: FieldSource;
  readonly #values: (Value | undefined)[];

  constructor(source: FieldSource) {
    this.#source = source;
    this.#values = new Array<Value | undefined>(fieldsBySlot.length); // oxlint-disable-line unicorn/no-new-array
  }

  /** The value in a slot. Never nil: only indexing and functions give nil. */
  get(slot: number): Value {
    return this.#values[slot] ?? this.#fill(slot);
  }

  #fill(slot: number): Value {
    const field = fieldsBySlot[slot]!;
    return (this.#values[slot] = this.#source.read(field.key) ?? field.default);
  }
}

/** A request of which some fields are known by key, for instance in a file of cases. */
export function requestOf(facts: ReadonlyMap<string, Value>): RequestView {
  return new RequestView({ read: (key) => facts.get(key) });
}
