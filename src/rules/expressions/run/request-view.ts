/**
 * A request as rules see it: one value for each field, computed at most once, when a rule needs it.
 *
 * Fields have slots, so that compiled rules read a value with one array access. A field gets its slot when anything
 * compiled or interpreted first names its key, and keeps it for the life of the process: there are as many slots as
 * fields in use, and a request pays only for those. A key means the same field everywhere.
 */
import type { Field } from '../field.ts';
import type { Value } from '../values.ts';

/** A part of a request: a cookie, an argument, a field of a body. */
export interface PartName {
  readonly kind: string;
  readonly name: string;
}

/** Absent parts stay unchanged. Binary strings. */
export interface RewrittenUri {
  readonly path?: string;
  /** Without the `?`; empty for none. */
  readonly query?: string;
}

/** The source of a request's values: the edge, or a described request in a test. */
export interface FieldSource {
  /** The value of a field by its `key`; if undefined, the field's default is used. */
  read(key: string): Value | undefined;
  /** The same request without the values of some of its parts; absent if the source has no parts. */
  leaveOut?(parts: readonly PartName[]): FieldSource;
  /** The same request with another path or query, except for fields that show the received one. */
  rewriteUri?(uri: RewrittenUri): FieldSource;
  /** The request for the page in this request's Referer, if it is a valid address. */
  referredPage?(): ReferredRequest | undefined;
}

/**
 * - `whole`: as the same client would send it.
 * - `bare`: only its address, without the client.
 * - `name`: only the page, without arguments; nothing if the path contains more than that.
 */
export type ReferredExtent = 'whole' | 'bare' | 'name';

/** The request for the page in the Referer of another request. */
export interface ReferredRequest<Source = FieldSource> {
  /** As received. */
  readonly address: string;
  readonly create: (extent: ReferredExtent) => Source | undefined;
}

const slots = new Map<string, number>();
const fieldsBySlot: Field[] = [];

/** The slot of a field, the same for a deprecated name and its replacement. */
export function getSlot(field: Field): number {
  let slot = slots.get(field.key);
  if (slot === undefined) {
    slot = fieldsBySlot.length;
    slots.set(field.key, slot);
    fieldsBySlot.push(field);
  }
  return slot;
}

/** One request that any number of rule lists evaluate. */
export class RequestView {
  readonly #source: FieldSource;
  readonly #values: (Value | undefined)[];

  constructor(source: FieldSource) {
    this.#source = source;
    this.#values = new Array<Value | undefined>(fieldsBySlot.length); // oxlint-disable-line unicorn/no-new-array
  }

  /** The value in a slot. Never nil: only indexing and functions return nil. */
  get(slot: number): Value {
    return this.#values[slot] ?? this.#fill(slot);
  }

  /** The same request with another value of one field. */
  withField({ key: replaced }: Field, value: Value): RequestView {
    return this.withValues((key) => (key === replaced ? value : undefined));
  }

  /** The same request with added or replaced values, by the keys of fields. */
  withValues(read: (key: string) => Value | undefined): RequestView {
    return new RequestView({ read: (key) => read(key) ?? this.#source.read(key) });
  }

  /** The same request without the values of some of its parts. */
  leaveOut(parts: readonly PartName[]): RequestView {
    return new RequestView(this.#source.leaveOut?.(parts) ?? this.#source);
  }

  /** The same request with another path or query. */
  rewriteUri(uri: RewrittenUri): RequestView {
    return new RequestView(this.#source.rewriteUri?.(uri) ?? this.#source);
  }

  /** The request for the page in this request's Referer. */
  referredPage(): ReferredRequest<RequestView> | undefined {
    const page = this.#source.referredPage?.();
    if (page === undefined) return undefined;
    const create = (extent: ReferredExtent): RequestView | undefined => {
      const source = page.create(extent);
      return source && new RequestView(source);
    };
    return { address: page.address, create };
  }

  #fill(slot: number): Value {
    const field = fieldsBySlot[slot]!;
    return (this.#values[slot] = this.#source.read(field.key) ?? field.default);
  }
}

/** A request whose values are given by key, for instance in a file of cases. */
export function createRequest(facts: ReadonlyMap<string, Value>): RequestView {
  return new RequestView({ read: (key) => facts.get(key) });
}
