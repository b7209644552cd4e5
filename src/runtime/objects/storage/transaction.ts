import { tagAs } from './arguments.ts';
import type { ListOptions } from './list-range.ts';
import type {
  GetAlarmOptions,
  GetOptions,
  StorageOperations,
  PutOptions,
  SetAlarmOptions,
} from './storage-operations.ts';

/** What a transaction needs of either kind of storage. */
export interface TransactionBackend {
  rollback(): void;
}

type TransactionState = 'open' | 'rolled back' | 'committed';

/** Whether a transaction was rolled back. */
export let isRolledBack: (txn: DurableObjectTransaction) => boolean;
/** Called when the closure is done. */
export let settle: (txn: DurableObjectTransaction, state: 'rolled back' | 'committed') => void;

/** The object passed to the closure of `storage.transaction()`. It has workerd's visible members, and no others. */
export class DurableObjectTransaction {
  readonly #operations: StorageOperations;
  readonly #rollback: () => void;
  #state: TransactionState = 'open';

  static {
    isRolledBack = (txn) => txn.#state === 'rolled back';
    settle = (txn, state) => {
      if (txn.#state === 'open') txn.#state = state;
    };
  }

  /** @internal */
  constructor(
    makeOperations: (check: (operation: string) => void) => StorageOperations,
    backend: TransactionBackend,
  ) {
    this.#operations = makeOperations((operation) => this.#check(operation));
    this.#rollback = () => backend.rollback();
  }

  get<T = unknown>(key: string, options?: GetOptions): Promise<T | undefined>;
  get<T = unknown>(keys: string[], options?: GetOptions): Promise<Map<string, T>>;
  get(keyOrKeys?: unknown, options?: unknown): Promise<unknown> {
    return this.#operations.get(keyOrKeys, options, arguments.length);
  }

  put<T>(key: string, value: T, options?: PutOptions): Promise<void>;
  put<T>(entries: Record<string, T>, options?: PutOptions): Promise<void>;
  put(...args: unknown[]): Promise<void> {
    return this.#operations.put(...args);
  }

  delete(key: string, options?: PutOptions): Promise<boolean>;
  delete(keys: string[], options?: PutOptions): Promise<number>;
  delete(keyOrKeys?: unknown, options?: unknown): Promise<boolean | number> {
    return this.#operations.delete(keyOrKeys, options, arguments.length);
  }

  list<T = unknown>(options?: ListOptions & GetOptions): Promise<Map<string, T>> {
    return this.#operations.list(options) as Promise<Map<string, T>>;
  }

  getAlarm(options?: GetAlarmOptions): Promise<number | null> {
    return this.#operations.getAlarm(options);
  }

  setAlarm(time: number | Date, options?: SetAlarmOptions): Promise<void> {
    return this.#operations.setAlarm(time, options);
  }

  deleteAlarm(options?: SetAlarmOptions): Promise<void> {
    return this.#operations.deleteAlarm(options);
  }

  deleteAll(): never {
    throw new Error('Cannot call deleteAll() within a transaction');
  }

  rollback(): void {
    if (this.#state === 'rolled back') return;
    this.#check('rollback()');
    this.#rollback();
    this.#state = 'rolled back';
  }

  #check(operation: string): void {
    if (this.#state === 'rolled back') throw new Error(`Cannot ${operation} on rolled back transaction`);
    if (this.#state === 'committed') {
      throw new Error(
        `Cannot call ${operation} on transaction that has already committed: did you move \`txn\` outside of the closure?`,
      );
    }
  }
}

// As with every class of workerd: `for (const name in txn)` finds the methods, and `String(txn)` the class.
for (const name of Object.getOwnPropertyNames(DurableObjectTransaction.prototype)) {
  if (name !== 'constructor')
    Object.defineProperty(DurableObjectTransaction.prototype, name, { enumerable: true });
}
tagAs(DurableObjectTransaction.prototype, 'DurableObjectTransaction');
