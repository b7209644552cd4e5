/** Changes of stores inside the account, with their entries in the audit log. */
import type { Context } from '../../context/handler.ts';
import { type StoreKind, StoreRegistry, type StoreRow } from '../../stores/stores.ts';

export function putStore({ sql, audit }: Context, row: StoreRow): void {
  const stores = new StoreRegistry(sql);
  const before = stores.get(row.kind, row.id);
  stores.put(row);
  audit({
    resource: `${row.kind}_store`,
    id: row.id,
    before: before && describe(before),
    after: describe(row),
  });
}

export function removeStore({ sql, audit }: Context, kind: StoreKind, id: string): void {
  const stores = new StoreRegistry(sql);
  const before = stores.get(kind, id)!;
  stores.remove(kind, id);
  audit({ resource: `${kind}_store`, id, before: describe(before), after: undefined });
}

function describe({ name, settings }: StoreRow): object {
  return { name, ...settings };
}
