/**
 * The browser program of the dashboard: what a person sees and types. `tools/build-dashboard.ts` builds it from
 * `page/index.html` and `page/main.tsx`; the room `dashboard` serves the built files and signs people in. Everything else it
 * does through the public API, with the client of the room `client`; of other rooms it knows types only.
 *
 * ```tsx
 * // A page is a read, whose key and type come from the path, and what is shown of it in each of its states.
 * const lists = useQuery(read('/accounts/{account_id}/rules/lists', { account_id: useAccountId() }));
 * return <Resource of={lists} empty={none}>{(rows) => <DataTable {...{ columns, rows }} label="Lists" />}</Resource>;
 * ```
 *
 * Forms edit a `Draft`, which notices what somebody else saves meanwhile, and `useSave` never overwrites it unseen. Other
 * changes are a `useWrite`: it says what came of them, and reads again what is shown. Pages are laid out with the words of
 * `styles/layout.css`; only what one part looks like has a sheet of its own.
 *
 * No room imports it. Its folders, from the ground: `api/` (calls and what they answer), `parts/` (what pages are made
 * of: `reading/`, `forms/`, editors, charts), `pages/` (one folder for each page), `shell/` (what stands around them).
 */
export const pageFolder = new URL('page/', import.meta.url);
