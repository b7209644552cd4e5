/** The account itself, once it is bootstrapped. */
import { text, whole } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';

export const accountTable = new Table('account', {
  key: [],
  columns: {
    id: text(),
    name: text(),
    createdAtMs: whole(),
    /** The number of writes. */
    revision: whole(),
  },
});
