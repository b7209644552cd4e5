import type { Owner } from '../ledger/records.ts';
import type { KvStore } from '../stores/kv-store.ts';
import type { SqlStore } from '../stores/sql-store.ts';
import type { StorageAccess } from './simulation.ts';

/** The store methods that an object's code can cause. */
const watched: ReadonlySet<PropertyKey> = new Set([
  'get',
  'put',
  'delete',
  'deleteAll',
  'exec',
  'list',
  'putAll',
  'rollback',
  'setAlarm',
]);

/** The same store, which calls `onAccess` on every use of it. */
export function watchStore<Store extends KvStore | SqlStore>(
  store: Store,
  owner: Owner,
  onAccess: (access: StorageAccess) => void,
): Store {
  onAccess({ owner, method: 'wake', args: [], result: undefined, store });
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!watched.has(name)) return value.bind(target) as unknown;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        onAccess({ owner, method: String(name), args, result, store });
        return result;
      };
    },
  });
}
