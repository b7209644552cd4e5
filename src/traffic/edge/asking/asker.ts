/**
 * Asks objects and servers about visitors, on behalf of rules. If no answer arrives within the timeout of the rule, the
 * default of the rule applies. The number of pending questions is limited, in total and per zone, so that one zone
 * cannot use up the capacity of the others.
 *
 * The cache key of an answer is the whole question, so an answer is never used for a different question. Equal
 * questions share a pending request and, if the answer may be cached, its answer. The cache is in memory, and each
 * process has its own.
 */
import { type Clock, realClock, RecentMap } from '#base';
import { type Answer, noAnswer, type Question } from '#firewall';
import {
  type AskedRequest,
  type AskedResponse,
  type SendQuestion,
  SendProblem,
  type WrittenQuestion,
} from './asked-response.ts';
import {
  keptBytesPerZoneMax,
  keptEntryBytes,
  keptZonesMax,
  questionsMax,
  questionsPerZoneMax,
} from './limits.ts';
import { readAnswer } from './read-answer.ts';
import { writeQuestion } from './write-question.ts';

/** Answers the questions of rules. A rule has the same `ref` in all copies of its zone. */
export interface Answerer {
  ask(question: Question, asked: AskedRequest, ref: string): Answer | Promise<Answer>;
}

/** Totals since the start of the process. */
export interface QuestionCounts {
  /** Questions that were answered (`kept` of them from the cache), that timed out, and that could not be sent. */
  answered: number;
  kept: number;
  late: number;
  failed: number;
}

interface KeptAnswer {
  readonly answer: Answer;
  readonly untilMs: number;
}

type ZoneAnswers = RecentMap<string, KeptAnswer>;

export class Asker implements Answerer {
  readonly counts: QuestionCounts = { answered: 0, kept: 0, late: 0, failed: 0 };
  readonly #send: SendQuestion;
  readonly #clock: Clock;
  readonly #kept = new RecentMap<string, ZoneAnswers>({ sizeMax: keptZonesMax });
  /** Pending questions by cache key, if their answers may be cached. */
  readonly #underWay = new Map<string, Promise<Answer>>();
  readonly #byZone = new Map<string, number>();
  #count = 0;

  constructor(send: SendQuestion, clock: Clock = realClock) {
    this.#send = send;
    this.#clock = clock;
  }

  ask(question: Question, asked: AskedRequest): Answer | Promise<Answer> {
    if (question.problem !== undefined) return this.#fail(question.problem);
    const written = writeQuestion(question, asked);
    if (question.keepSeconds === 0) return this.#askNow(question, asked, written);
    const { id } = asked.zone;
    const kept = this.#kept.get(id)?.get(written.key);
    if (kept !== undefined && kept.untilMs > this.#clock.now()) {
      this.counts.kept++;
      return kept.answer;
    }
    const key = `${id} ${written.key}`;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const answer = this.#askNow(question, asked, written);
    if (!(answer instanceof Promise)) return answer;
    this.#underWay.set(key, answer);
    return answer.finally(() => this.#underWay.delete(key));
  }

  #askNow(question: Question, { zone }: AskedRequest, written: WrittenQuestion): Answer | Promise<Answer> {
    const ofZone = this.#byZone.get(zone.id) ?? 0;
    if (this.#count >= questionsMax || ofZone >= questionsPerZoneMax)
      return this.#fail('too many requests to it are in progress');
    this.#count++;
    this.#byZone.set(zone.id, ofZone + 1);
    return this.#await(question, written, zone.id).finally(() => {
      this.#count--;
      const left = this.#byZone.get(zone.id)! - 1;
      if (left === 0) this.#byZone.delete(zone.id);
      else this.#byZone.set(zone.id, left);
    });
  }

  async #await(question: Question, written: WrittenQuestion, zoneId: string): Promise<Answer> {
    const { timeoutMs } = question;
    const late = new AbortController();
    const { promise: deadline, resolve } = Promise.withResolvers<undefined>();
    const giveUp = (): void => {
      resolve(undefined);
      late.abort();
    };
    const timer = this.#clock.setTimer(this.#clock.now() + timeoutMs, giveUp);
    try {
      const response = await Promise.race([this.#send(written, late.signal), deadline]);
      if (response === undefined) {
        this.counts.late++;
        return noAnswer(`none came within ${timeoutMs} ms`);
      }
      return this.#read(question, response, { zoneId, key: written.key });
    } catch (error) {
      if (error instanceof SendProblem) return this.#fail(error.message);
      throw error;
    } finally {
      timer.cancel();
    }
  }

  #read(
    question: Question,
    response: AskedResponse,
    { zoneId, key }: { readonly zoneId: string; readonly key: string },
  ): Answer {
    const { answer, keepMs } = readAnswer(question, response);
    if (answer.kind === 'none') return this.#fail(answer.reason);
    this.counts.answered++;
    if (keepMs > 0)
      this.#keep(zoneId, key, { answer: { ...answer, from: 'kept' }, untilMs: this.#clock.now() + keepMs });
    return answer;
  }

  #keep(zoneId: string, key: string, kept: KeptAnswer): void {
    let answers = this.#kept.get(zoneId);
    if (answers === undefined) {
      answers = new RecentMap({ sizeMax: keptBytesPerZoneMax, sizeOf: countBytes });
      this.#kept.set(zoneId, answers);
    }
    answers.set(key, kept);
  }

  #fail(reason: string): Answer {
    this.counts.failed++;
    return noAnswer(reason);
  }
}

/** A character takes up to two bytes. */
function countBytes({ answer }: KeptAnswer, key: string): number {
  if (answer.kind === 'none') return keptEntryBytes;
  const fields = [...answer.fields, ...(answer.given?.fields ?? [])];
  const texts = fields.reduce((sum, [name, value]) => sum + name.length + value.length, key.length);
  return keptEntryBytes + 2 * texts + (answer.given?.body.length ?? 0);
}
