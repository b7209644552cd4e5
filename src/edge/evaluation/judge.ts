/**
 * Judges requests for the wire: finds the zone, evaluates its rules, answers or forwards, and passes the events to the
 * activity log. Without a body, or in a zone whose rules do not read bodies, it does so synchronously.
 *
 * A request is judged by one version of its zone: the one in place when its head arrived.
 */
import type { EventRecorder } from '#events';
import type { Judgement } from '#firewall';
import type { IncomingRequest, Judge, Outcome, Directive } from '../wire/exchange.ts';
import {
  createNoOriginResponse,
  createNoZoneResponse,
  createStartingResponse,
  createWrongNameResponse,
} from './responses.ts';
import type { EdgeZone } from './edge-zone.ts';
import { createPendingEvents } from './request-events.ts';
import { type Ruling, ZoneJudge, type ZoneJudgeOptions } from './zone-judge.ts';
import type { ZoneTable } from './zone-table.ts';

export interface JudgeOptions extends Omit<ZoneJudgeOptions, 'rewritesTarget'> {
  readonly zones: ZoneTable;
  readonly recorder: EventRecorder;
}

/** The outcomes of requests. */
export interface VerdictCounts {
  readonly forwarded: number;
  readonly blocked: number;
  readonly challenged: number;
  /** No zone has the name, or the zone has no origin. */
  readonly unserved: number;
}

export class RequestJudge {
  readonly counts = { forwarded: 0, blocked: 0, challenged: 0, unserved: 0 };
  readonly #zones: ZoneTable;
  readonly #recorder: EventRecorder;
  readonly #rules: ZoneJudge;

  constructor({ zones, recorder, ...options }: JudgeOptions) {
    this.#zones = zones;
    this.#recorder = recorder;
    this.#rules = new ZoneJudge({ ...options, rewritesTarget: true });
  }

  readonly judge: Judge = (request, inspect) => {
    const { id, host, serverName } = request;
    // A client that connected by one name must not reach the zone of another name.
    const isWrongName = serverName !== undefined && serverName.toLowerCase() !== host;
    const zone = isWrongName ? undefined : this.#zones.find(host);
    if (zone === undefined) {
      this.counts.unserved++;
      if (isWrongName) return createWrongNameResponse(id);
      return this.#zones.isComplete ? createNoZoneResponse(id) : createStartingResponse(id);
    }
    const ruling = this.#rules.judge(zone.rules, request, inspect);
    return ruling instanceof Promise
      ? ruling.then((given) => this.#createDirective(request, zone, given))
      : this.#createDirective(request, zone, ruling);
  };

  #createDirective(request: IncomingRequest, zone: EdgeZone, { answer, judged, target }: Ruling): Directive {
    const reported =
      judged.judgement.triggered.length === 0
        ? {}
        : {
            onResponse: (outcome: Outcome): void =>
              this.#recorder.record(createPendingEvents(judged, outcome)),
          };
    if (answer !== undefined) {
      this.#countAnswer(judged.judgement.verdict);
      return { ...answer, ...reported };
    }
    if (zone.origin === undefined) {
      this.counts.unserved++;
      return { ...createNoOriginResponse(request.id), ...reported };
    }
    this.counts.forwarded++;
    const { origin, claims, rules } = zone;
    return { kind: 'forward', origin, zone: rules.configuration.zone.id, target, claims, ...reported };
  }

  #countAnswer({ kind }: Judgement['verdict']): void {
    if (kind === 'challenge') this.counts.challenged++;
    else if (kind === 'block') this.counts.blocked++;
  }
}
