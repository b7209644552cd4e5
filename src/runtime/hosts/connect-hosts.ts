/** Objects of hosts that another process of this machine has started: its calls go to them directly. */
import type { Namespaces } from './host.ts';
import { type HostedClass, Router } from './router.ts';

/** Where hosts are, as plain data. */
export interface HostsPlace {
  readonly sockets: string;
  readonly hosts: number;
  readonly classes: readonly HostedClass[];
}

export function connectHosts(
  place: HostsPlace,
  log: (message: string, error?: unknown) => void,
): Pick<Namespaces, 'namespace'> & Disposable {
  return new Router({ ...place, log });
}
