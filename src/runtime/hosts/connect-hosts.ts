/** Objects of hosts that another process of this machine has started: calls go to the hosts directly. */
import type { Namespaces } from './host.ts';
import { type HostedClass, HostRouter } from './host-router.ts';

/** The location of hosts, as plain data. */
export interface HostsPlace {
  readonly sockets: string;
  readonly hosts: number;
  readonly classes: readonly HostedClass[];
}

export function connectHosts(
  place: HostsPlace,
  log: (message: string, error?: unknown) => void,
): Pick<Namespaces, 'namespace'> & Disposable {
  return new HostRouter({ ...place, log });
}
