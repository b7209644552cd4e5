/**
 * Judges requests for the wire: finds the zone, lets its rules speak, answers or forwards, and hands what happened to the
 * activity log. Without a body, or in a zone whose rules do not look at bodies, it does so at once.
 *
 * A request is judged by one version of its zone: the one that was in place when its head had come.
 */
import type { EventRecorder } from '#events';
import type { Judgement } from '#firewall';
import type { IncomingRequest, Judge, Outcome, Verdict } from '../wire/exchange.ts';
import { noOriginAnswer, noZoneAnswer, startingAnswer, wrongNameAnswer } from './answers.ts';
import type { EdgeZone } from './edge-zone.ts';
import { eventsOf } from './request-events.ts';
import { type Ruling, ZoneJudge, type ZoneJudgeOptions } from './zone-judge.ts';
import type { ZoneTable } from './zone-table.ts';

export interface JudgeOptions extends ZoneJudgeOptions {
  readonly zones: ZoneTable;
  readonly recorder: EventRecorder;
}

/** What became of requests. */
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
    this.#rules = new ZoneJudge(options);
  }

  readonly judge: Judge = (request, inspect) => {
    const { id, host, serverName } = request;
    // Whoever got a connection by one name must not reach the zone of another through it.
    const isWrongName = serverName !== undefined && serverName.toLowerCase() !== host;
    const zone = isWrongName ? undefined : this.#zones.find(host);
    if (zone === undefined) {
      this.counts.unserved++;
      if (isWrongName) return wrongNameAnswer(id);
      return this.#zones.isComplete ? noZoneAnswer(id) : startingAnswer(id);
    }
    const ruling = this.#rules.judge(zone.rules, request, inspect);
    return ruling instanceof Promise
      ? ruling.then((given) => this.#verdict(request, zone, given))
      : this.#verdict(request, zone, ruling);
  };

  #verdict(request: IncomingRequest, zone: EdgeZone, { answer, judged }: Ruling): Verdict {
    const reported =
      judged.judgement.triggered.length === 0
        ? {}
        : { onResponse: (outcome: Outcome): void => this.#recorder.record(eventsOf(judged, outcome)) };
    if (answer !== undefined) {
      this.#countAnswer(judged.judgement.verdict);
      return { ...answer, ...reported };
    }
    if (zone.origin === undefined) {
      this.counts.unserved++;
      return { ...noOriginAnswer(request.id), ...reported };
    }
    this.counts.forwarded++;
    return { kind: 'forward', origin: zone.origin, zone: zone.rules.configuration.zone.id, ...reported };
  }

  #countAnswer({ kind }: Judgement['verdict']): void {
    if (kind === 'challenge') this.counts.challenged++;
    else if (kind === 'block') this.counts.blocked++;
  }
}
