/**
 * Metrics of the requests at the edge. Labels are verdicts, status classes and names of zones, of which only the first
 * `zonesMax` get separate series: the number of series does not depend on what clients send.
 */
import type { Distribution } from '#base';
import type { RequestRecord } from '#edge';
import { Count, Counter, Histogram, type Metric } from '#metrics';

/** From an answer of the edge itself to an origin that is about to time out. */
const latencyBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 100];

/** Evaluation takes microseconds, unless it waits for a body. */
const judgeBoundsSeconds = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1, 1, 10];

type VerdictLabel = RequestRecord['verdict'];

const verdicts = ['forwarded', 'blocked', 'challenged', 'answered', 'unserved', 'refused'] as const;

/** All zones beyond `zonesMax` together. A zone cannot have this name, because it has no dot. */
const otherZones = 'other';

export class RequestMetrics {
  readonly metrics: readonly Metric[];
  readonly #zonesMax: number;
  readonly #firstByte: Readonly<Record<VerdictLabel, Distribution>>;
  readonly #judge: Distribution;
  readonly #originConnect: Distribution;
  readonly #originFirstByte: Distribution;
  readonly #responses: readonly Count[];
  readonly #originResponses: readonly Count[];
  readonly #received: Count;
  readonly #sent: Count;
  readonly #zoneRequests: Counter;
  readonly #zones = new Map<string, Map<VerdictLabel, Count>>();

  constructor({ zonesMax }: { readonly zonesMax: number }) {
    this.#zonesMax = zonesMax;
    const firstByte = new Histogram(
      'gatehouse_edge_first_byte_seconds',
      'Time from the request headers to the first byte of the response, by verdict.',
      latencyBoundsSeconds,
    );
    const judge = new Histogram(
      'gatehouse_edge_judge_seconds',
      'Time from the request headers to the verdict, including the wait for a body that rules read.',
      judgeBoundsSeconds,
    );
    const originConnect = new Histogram(
      'gatehouse_edge_origin_connect_seconds',
      'Time to open a connection to an origin: DNS, TCP and TLS.',
      latencyBoundsSeconds,
    );
    const originFirstByte = new Histogram(
      'gatehouse_edge_origin_first_byte_seconds',
      'Time from sending a request to an origin to its response headers.',
      latencyBoundsSeconds,
    );
    const responses = new Counter(
      'gatehouse_edge_responses_total',
      'Responses to clients, by class of status.',
    );
    const originResponses = new Counter(
      'gatehouse_edge_origin_responses_total',
      'Responses of origins, by class of status.',
    );
    const received = new Counter(
      'gatehouse_edge_received_bytes_total',
      'Bytes of requests, counted at their end.',
    );
    const sent = new Counter('gatehouse_edge_sent_bytes_total', 'Bytes of responses, counted at their end.');
    this.#zoneRequests = new Counter('gatehouse_edge_zone_requests_total', 'Requests by zone and verdict.');
    this.#firstByte = Object.fromEntries(
      verdicts.map((verdict) => [verdict, firstByte.with({ verdict })]),
    ) as Record<VerdictLabel, Distribution>;
    this.#judge = judge.with();
    this.#originConnect = originConnect.with();
    this.#originFirstByte = originFirstByte.with();
    this.#responses = createClasses(responses);
    this.#originResponses = createClasses(originResponses);
    this.#received = received.with();
    this.#sent = sent.with();
    this.metrics = [
      firstByte,
      judge,
      originConnect,
      originFirstByte,
      responses,
      originResponses,
      received,
      sent,
      this.#zoneRequests,
    ];
  }

  count(record: RequestRecord): void {
    const { verdict, outcome, origin, zone } = record;
    if (record.firstByteMs !== undefined) this.#firstByte[verdict].observe(record.firstByteMs / 1_000);
    if (record.judgedMs !== undefined) this.#judge.observe(record.judgedMs / 1_000);
    this.#responses[Math.floor(outcome.edgeStatus / 100)]?.add();
    this.#received.add(record.receivedBytes);
    this.#sent.add(record.sentBytes);
    if (zone !== undefined) this.#countZone(zone.name, verdict);
    if (origin?.requestMs === undefined) return;
    const { connectStartMs, requestMs, responseMs } = origin;
    if (connectStartMs !== undefined) this.#originConnect.observe((requestMs - connectStartMs) / 1_000);
    if (responseMs !== undefined) this.#originFirstByte.observe((responseMs - requestMs) / 1_000);
    if (outcome.originStatus !== undefined)
      this.#originResponses[Math.floor(outcome.originStatus / 100)]?.add();
  }

  countTunnel({ received, sent }: { readonly received: number; readonly sent: number }): void {
    this.#received.add(received);
    this.#sent.add(sent);
  }

  #countZone(name: string, verdict: VerdictLabel): void {
    const label = this.#zones.has(name) || this.#zones.size < this.#zonesMax ? name : otherZones;
    let counts = label === otherZones ? this.#others : this.#zones.get(label);
    if (counts === undefined) this.#zones.set(label, (counts = new Map()));
    let count = counts.get(verdict);
    if (count === undefined) {
      count = this.#zoneRequests.with({ zone: label, verdict });
      counts.set(verdict, count);
    }
    count.add();
  }

  readonly #others = new Map<VerdictLabel, Count>();
}

/** By status class: [2] is 2xx. 1xx is the switch to another protocol. */
function createClasses(counter: Counter): readonly Count[] {
  return [0, 1, 2, 3, 4, 5].map((status) =>
    status === 0 ? new Count() : counter.with({ status: `${status}xx` }),
  );
}
