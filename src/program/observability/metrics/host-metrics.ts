/** Metrics of the processes in which objects live, if there are several. */
import type { ObjectHosts } from '#hosts';
import { endKinds, type EndReason } from '#processes';
import { Counter, type Metric, Reading } from '#metrics';

export class HostMetrics {
  readonly metrics: readonly Metric[];
  readonly #ends = new Counter('gatehouse_object_host_ends_total', 'Object hosts that ended, by reason.');

  /** `read` returns undefined until the hosts have started. */
  constructor(read: () => ObjectHosts | undefined) {
    for (const reason of endKinds) this.#ends.with({ reason });
    const list = () => (read()?.states ?? []).flatMap((state) => ('child' in state ? [state.child] : []));
    this.metrics = [
      this.#ends,
      new Reading(
        'gatehouse_object_hosts',
        'Object hosts in service.',
        () => list().filter(({ isReady }) => isReady).length,
      ),
      new Reading('gatehouse_object_host_resident_bytes', 'Memory of the object hosts.', () =>
        list().map(({ name, residentBytes }) => [{ process: name }, residentBytes] as const),
      ),
    ];
  }

  readonly count = (reason: EndReason): void => this.#ends.with({ reason: reason.kind }).add();
}
