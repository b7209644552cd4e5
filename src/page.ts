/**
 * The browser program of the dashboard: what a person sees and types. `tools/build-dashboard.ts` builds it from
 * `page/index.html` and `page/main.tsx`; the room `dashboard` serves the built files and signs people in. Everything else it
 * does through the public API, with the client of the room `client`; of other rooms it knows types only.
 *
 * ```tsx
 * // page/pages/zones/zones.tsx: a page is a query and what is shown of its answer.
 * const zones = useQuery(zonesQuery);
 * ```
 *
 * No room imports it. Its folders, from the ground: `api/` (calls and what they answer), `parts/` (what pages are made
 * of), `pages/` (one folder for each page), `shell/` (what stands around them).
 */
export const pageFolder = new URL('page/', import.meta.url);
