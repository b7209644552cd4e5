/**
 * One call that changes several rows. Each row is changed once. Duplicates are detected after all changes are made, so
 * that rows can swap unique values.
 */
import { type Fault, type FaultList, malformed } from '#contract';
import type { Examined } from '#shapes';

export interface RowChange<Given> {
  /** Undefined if the body has none. */
  readonly id: string | undefined;
  readonly pointer: string;
  readonly item: Examined<Given>;
}

export interface RowChangeOptions<Given, Row extends { readonly id: string }> {
  readonly api: string;
  /** Throws if it does not exist, or cannot be changed. */
  readonly find: (id: string, pointer: string) => Row;
  /** Undefined if the item is invalid: the faults say why. */
  readonly read: (change: RowChange<Given>) => ((before: Row) => Row) | undefined;
  readonly replace: (after: Row) => void;
  /** The id of another row with the same unique value. */
  readonly findTwin: (after: Row) => string | undefined;
  readonly createRepeated: (pointer: string, first: string) => Fault;
  readonly createDuplicate: (pointer: string, twin: string) => Fault;
}

/** Throws the faults if there are any. For an unchanged row, the answer has the same object. */
export function changeRows<Given, Row extends { readonly id: string }>(
  changes: readonly RowChange<Given>[],
  faults: FaultList,
  options: RowChangeOptions<Given, Row>,
): readonly { readonly before: Row; readonly after: Row }[] {
  const { api, find, read, replace, findTwin, createRepeated, createDuplicate } = options;
  const pointers = new Map<string, string>();
  const changed = new Map<string, { readonly before: Row; readonly after: Row }>();
  const claim = (id: string, pointer: string): Row => {
    const first = pointers.get(id);
    if (first !== undefined) throw createRepeated(pointer, first);
    pointers.set(id, pointer);
    return find(id, pointer);
  };
  for (const each of changes) {
    const { id, pointer, item } = each;
    if (item.problems.length > 0) faults.add(malformed(api, item.problems));
    const before = id === undefined ? undefined : faults.attempt(() => claim(id, pointer));
    const change = read(each);
    if (before === undefined || change === undefined) continue;
    const after = change(before);
    if (after !== before) replace(after);
    changed.set(after.id, { before, after });
  }
  for (const [id, { before, after }] of changed) {
    const twin = after === before ? undefined : findTwin(after);
    // A row whose change failed might otherwise have given up the value.
    if (twin === undefined || (pointers.has(twin) && !changed.has(twin))) continue;
    faults.add(createDuplicate(pointers.get(id)!, twin));
  }
  faults.throwIfAny();
  return [...changed.values()];
}
