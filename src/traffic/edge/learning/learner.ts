/**
 * Learns the usual values of zones from requests that passed without any finding and whose response was a success (2xx
 * or 3xx). It processes a few requests at a time, some time after they were served, so no request waits for it;
 * requests beyond its capacity are skipped. Every half minute it sends what it has learned, once: what cannot be
 * delivered, or is lost with the process, is learned again from later requests.
 */
import { type Clock, realClock, type Timer } from '#base';
import { Batch, type LearnedBatch } from '#learning';
import type { ForwardDirective } from '../wire/exchange.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { isLearnedFrom, observeValues } from './observe.ts';

/** Requests that wait to be learned from: with their bodies at most 4 MiB. */
const waitingMax = 64;

/** Longer bodies are documents and files. */
const bodyCharactersMax = 64 * 1024;

/** Requests processed in one batch, and the pause between batches: at most 80 per second, below 1 % of a core. */
const drainRequestsMax = 4;
const drainMs = 50;

/** How often the result is sent: a killed process loses at most this much. */
const reportMs = 30_000;

/** Zones learned about between two reports. With 80 requests per second, all together take some megabytes at most. */
const zonesMax = 50;

export interface LearnerOptions {
  /** Receives what was learned about a zone. Never rejects. */
  readonly send: (zoneId: string, batch: LearnedBatch) => Promise<void>;
  readonly clock?: Clock | undefined;
}

export class Learner {
  readonly #options: LearnerOptions;
  readonly #clock: Clock;
  #waiting: JudgedRequest[] = [];
  #batches = new Map<string, Batch>();
  #drainTimer: Timer | undefined;
  #reportTimer: Timer | undefined;

  constructor(options: LearnerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
  }

  /** Learns from the request if its response is a success. */
  follow(directive: ForwardDirective, judged: JudgedRequest): ForwardDirective {
    const { zone, judgement, facts } = judged;
    const isWanted =
      zone.learned !== undefined &&
      judgement.triggered.length === 0 &&
      this.#waiting.length < waitingMax &&
      facts.body.length <= bodyCharactersMax &&
      (facts.body !== '' || facts.uri.query !== undefined);
    if (!isWanted) return directive;
    return {
      ...directive,
      onResponse: (outcome) => {
        if (isLearnedFrom(outcome.originStatus ?? 0)) this.#add(judged);
        directive.onResponse?.(outcome);
      },
    };
  }

  /** Learns from the waiting requests and sends the result. */
  async tell(): Promise<void> {
    this.#reportTimer?.cancel();
    this.#reportTimer = undefined;
    for (const judged of this.#waiting.splice(0)) this.#learn(judged);
    const batches = this.#batches;
    this.#batches = new Map();
    for (const [zoneId, batch] of batches)
      if (!batch.isEmpty) await this.#options.send(zoneId, batch.toMessage());
  }

  async close(): Promise<void> {
    await this.tell();
    this.#drainTimer?.cancel();
    this.#reportTimer?.cancel();
  }

  #add(judged: JudgedRequest): void {
    if (this.#waiting.length >= waitingMax) return;
    this.#waiting.push(judged);
    const nowMs = this.#clock.now();
    this.#drainTimer ??= this.#clock.setTimer(nowMs + drainMs, () => this.#drain(), 'housekeeping');
    this.#reportTimer ??= this.#clock.setTimer(nowMs + reportMs, () => void this.tell(), 'housekeeping');
  }

  #drain(): void {
    this.#drainTimer = undefined;
    for (const judged of this.#waiting.splice(0, drainRequestsMax)) this.#learn(judged);
    if (this.#waiting.length > 0)
      this.#drainTimer = this.#clock.setTimer(
        this.#clock.now() + drainMs,
        () => this.#drain(),
        'housekeeping',
      );
  }

  #learn(judged: JudgedRequest): void {
    const { learned, zone } = judged.zone.configuration;
    const observed = learned && observeValues(judged);
    if (observed !== undefined) this.#openBatch(zone.id, learned!.seed)?.add(observed);
  }

  /** Drops what was learned before the zone's learned values were reset. */
  #openBatch(zoneId: string, seed: string): Batch | undefined {
    const known = this.#batches.get(zoneId);
    if (known?.seed === seed) return known;
    if (known === undefined && this.#batches.size >= zonesMax) return undefined;
    const batch = new Batch(seed);
    this.#batches.set(zoneId, batch);
    return batch;
  }
}
