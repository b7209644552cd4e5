/** Metrics of one Worker. Labels are its name and version, status classes and the names of its own classes. */
import type { Distribution } from '#base';
import type { ObjectRuntime } from '#objects';
import { countConnections } from '#sockets';
import { type Count, Counter, Histogram, type Labels, type Metric, Reading } from '#metrics';

const durationBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

interface MetricSources {
  readonly worker: string;
  readonly version: number;
  readonly inFlight: () => number;
  readonly runtime: () => ObjectRuntime | undefined;
}

export class WorkerMetrics {
  readonly metrics: readonly Metric[];
  /** By status class: [2] is 2xx, [0] is a client that disconnected. */
  readonly #counts: readonly Count[];
  readonly #durations: Distribution;

  constructor({ worker, version, inFlight, runtime }: MetricSources) {
    const requests = new Counter(
      'gatehouse_worker_requests_total',
      'Requests to a Worker by class of status and version.',
    );
    const durations = new Histogram(
      'gatehouse_worker_request_duration_seconds',
      'Time from the request headers to the end of the response.',
      durationBoundsSeconds,
    );
    this.#counts = ['gone', '1xx', '2xx', '3xx', '4xx', '5xx'].map((status) =>
      requests.with({ worker, status, version: String(version) }),
    );
    this.#durations = durations.with({ worker, version: String(version) });
    const label = (value: number): [Labels, number][] => [[{ worker }, value]];
    this.metrics = [
      requests,
      durations,
      new Reading('gatehouse_worker_requests_in_flight', 'Requests to a Worker without a response yet.', () =>
        label(inFlight()),
      ),
      new Reading('gatehouse_worker_sockets', 'Open WebSockets of clients.', () => label(countConnections())),
      new Reading('gatehouse_worker_version', 'The running version of a Worker.', () => label(version)),
      new Reading('gatehouse_worker_objects_awake', 'Objects of a Worker in memory, by class.', () =>
        Array.from(runtime()?.stats().objectsAwake ?? [], ([name, count]): [Labels, number] => [
          { worker, class: name },
          count,
        ]),
      ),
      new Reading(
        'gatehouse_worker_journal_bytes',
        'Size of the history in the journal of a Worker, from the oldest record to the newest.',
        () => label(runtime()?.stats().journalBytes ?? 0),
      ),
      new Reading(
        'gatehouse_worker_failed_writes_total',
        'Writes of the objects of a Worker that the disk refused.',
        () =>
          label(Object.values(runtime()?.stats().failedWrites ?? {}).reduce((sum, count) => sum + count, 0)),
        'counter',
      ),
    ];
  }

  countRequest(status: number | undefined, durationMs: number): void {
    this.#counts[status === undefined ? 0 : Math.floor(status / 100)]?.add();
    this.#durations.observe(durationMs / 1_000);
  }
}
