/**
 * A client for the API, typed by the rows of the contract: a path that no row has, a missing parameter or a field that
 * the answer does not have is a compile error. Commands, the page and users' programs all call the API through this
 * room.
 *
 * ```ts
 * const client = new Client({ url: 'http://127.0.0.1:8787/client/v4', headers: { authorization: 'Bearer …' } });
 * const { result, version } = await client.get('/zones/{zone_id}', { zone_id });
 * await client.patch('/zones/{zone_id}', { zone_id, body: { paused: true }, version }); // refused if someone was faster
 * for await (const rule of client.list('/zones/{zone_id}/firewall/rules', { zone_id })) console.log(rule.action);
 * ```
 *
 * A refused call throws an `ApiError` with the server's codes; a server that does not answer causes a
 * `ConnectionError`. Reads are retried while the server is temporarily unavailable. Writes are retried only if the
 * server reports that it has not started them (429), because the outcome of an unanswered write is unknown.
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
