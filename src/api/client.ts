/**
 * Calls of the API, typed by the rows of the contract: a path that no row has, a parameter too few or a field that an
 * answer does not have does not compile. Commands, the page and programs of users all call the API through this room.
 *
 * ```ts
 * const client = new Client({ url: 'http://127.0.0.1:8787/client/v4', headers: { authorization: 'Bearer …' } });
 * const { result, version } = await client.get('/zones/{zone_id}', { zone_id });
 * await client.patch('/zones/{zone_id}', { zone_id, body: { paused: true }, version }); // refused if someone was faster
 * for await (const rule of client.list('/zones/{zone_id}/firewall/rules', { zone_id })) console.log(rule.action);
 * ```
 *
 * What the server refuses is an `ApiError` with its codes; a server that does not answer is a `ConnectionError`. Reads
 * are repeated when the server cannot answer for a moment. Writes are repeated only when the server said that it has not
 * begun (429), because the outcome of a write without an answer is unknown.
 *
 * Only types of the contract are used, so the page does not load its rows.
 */
export type { DevRows, Envelope, GetInput, GetPath, Result, ResultInfo, Sent } from './client/calls.ts';
export type { SimulationStory, SimulationStorySummary } from '#contract';
export { Client, type ClientOptions } from './client/client.ts';
export {
  createCredentialHeaders,
  type Credentials,
  type Environment,
  isServerUrl,
  readCredentialVariables,
  readUrlVariable,
} from './client/environment.ts';
export { ApiError, ConnectionError, type ErrorEntry, ifFound } from './client/errors.ts';
export { fetchFrom } from './client/in-process.ts';
export { findZone } from './client/find-zone.ts';
export { fillPath } from './client/path.ts';
export { readServerEvents } from './client/server-events.ts';
