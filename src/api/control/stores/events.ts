/** Saved searches of the activity log, as rows of the zone's database. */
import { json, text, whole } from '../context/tables/columns.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export interface SavedSearch {
  readonly since?: string;
  readonly until?: string;
  readonly expression?: string;
  readonly where?: readonly string[];
  readonly interval?: string;
  readonly compare?: string;
}

export const savedViewTable = new Table('saved_views', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    name: text({ isUnique: true }),
    search: json<SavedSearch>(),
    createdAtMs: whole(),
    createdBy: text(),
  },
  order: 'name',
});

export type SavedView = RowOf<typeof savedViewTable>;
