/** The books that a crash test keeps in a runtime, two on each kind of storage. */
import type { DurableObjectNamespace } from '#objects';
import { type Book, KvBook, SqlBook } from './book.ts';

export const bookNames = ['kv one', 'kv two', 'sql one', 'sql two'] as const;

export const bookClasses = {
  KvBook: { class: KvBook, storage: 'kv' },
  SqlBook: { class: SqlBook, storage: 'sql' },
} as const;

/** What runs the books: a runtime, or hosts. */
interface Shelf {
  namespace(className: string): Pick<DurableObjectNamespace, 'getByName'>;
}

export function bookOf(runtime: Shelf, name: string): Book {
  return runtime.namespace(name.startsWith('kv') ? 'KvBook' : 'SqlBook').getByName(name);
}

/** The module that each host loads. */
export const classes = bookClasses;
