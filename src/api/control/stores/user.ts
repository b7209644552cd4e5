/** The users of the account. */
import { text } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';

export const userTable = new Table('users', {
  columns: { id: text(), email: text({ isUnique: true }), keyHash: text() },
  order: 'email',
});
