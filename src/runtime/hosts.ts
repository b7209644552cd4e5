/**
 * Objects in several processes of one machine. A class that computes for too long, an endless query or a crash affects
 * only the objects of one process, for the time of its restart, and several cores work in parallel.
 *
 * ```ts
 * // objects.js: what each host loads
 * export const classes = { Counter: { class: Counter, storage: 'sql' } };
 *
 * // the program
 * const hosts = await createHosts({
 *   directory: './data',
 *   hosts: 2,
 *   module: new URL('./objects.js', import.meta.url),
 * });
 * await hosts.namespace('Counter').getByName('visits').increment(); // 1
 * await hosts.close();
 * ```
 *
 * The id of an object determines its host. Calls, streams, stubs and errors work as in one process, and cost as much
 * between objects of one host; between processes a call takes a few tens of microseconds more.
 */
export { type ArrangeOptions, arrangeDirectory } from './hosts/arrange-directory.ts';
export { type ArrangeForOneOptions, arrangeForOneProcess } from './hosts/arrange.ts';
export { connectHosts, type HostsPlace } from './hosts/connect-hosts.ts';
export type { HostContext, HostModule, Namespaces } from './hosts/host.ts';
export { chooseHostCount } from './hosts/layout.ts';
export { ObjectPauses } from './hosts/faults/object-pauses.ts';
export { ObjectHosts, createHosts } from './hosts/object-hosts.ts';
export type { ObjectHostsOptions } from './hosts/options.ts';
export {
  hasObjects,
  listLogDirectories,
  openRecorded,
  openSource,
  type RecordedOptions,
  SourceError,
} from './hosts/recorded-hosts.ts';
export { acceptLink, connectLink } from './hosts/host-router.ts';
export { RemoteEntry } from './hosts/remote-entry.ts';
export { placeObject } from './hosts/placement.ts';
