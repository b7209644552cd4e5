/**
 * The server side of the dashboard: the built files of the page, and its few own routes, all for signing in. For
 * everything else, the page uses the public API, with the cookie of its session.
 *
 * ```ts
 * const dashboard = new Dashboard({ files: PageFiles.load(directory), sessions: control, hosts: ['gate.example'] });
 * const link = dashboard.createSignInLink({ authorization: `Bearer ${token}` }); // signs in once
 * const response = await dashboard.answer(request);                              // undefined: not a path of the page
 * ```
 *
 * The page itself is the room `page`, written for the browser and built by `tools/build-dashboard.ts`. Nothing in here
 * imports it.
 */
export { Dashboard, type SessionGate } from './dashboard/dashboard.ts';
export { PageFiles } from './dashboard/page-files.ts';
