/**
 * The browser program of the dashboard. `tools/build-dashboard.ts` builds it from `page/index.html` and
 * `page/main.tsx`; the room `dashboard` serves the built files and signs users in. For everything else, it uses the
 * public API, with the client of the room `client`; of other rooms it only uses types.
 *
 * ```tsx
 * // A page is a read, whose key and type follow from the path, with a view for each of its states.
 * const lists = useQuery(read('/accounts/{account_id}/rules/lists', { account_id: useAccountId() }));
 * return <Resource of={lists} empty={none}>{(rows) => <DataTable {...{ columns, rows }} label="Lists" />}</Resource>;
 * ```
 *
 * Forms edit a `Draft`, which detects concurrent changes by others, and `useSave` never overwrites them unseen. Other
 * changes use `useWrite`: it reports their result, and reads the shown data again. Pages are laid out with the classes
 * of `styles/layout.css`; only the look of a single part has a separate style sheet.
 *
 * No room imports it. Its folders, bottom up: `api/` (calls and their results), `parts/` (components of pages:
 * `reading/`, `forms/`, editors, charts), `pages/` (one folder for each page), `shell/` (the frame around them).
 */
export const pageFolder = new URL('page/', import.meta.url);
