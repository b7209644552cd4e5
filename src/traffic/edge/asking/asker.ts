/**
 * Asks objects and servers about visitors, for rules that want to know. An answer comes within the time that the rule gives
 * or not at all; then the default of the rule counts. No more questions are under way than the bounds say, and those of one
 * zone leave room for others.
 *
 * A question is everything that whoever is asked is told. An answer that may be kept counts for the same question, also for
 * those who ask it while the answer is on its way; so nobody gets an answer about something else than was asked. What is
 * kept is lost with the process, and each process asks for itself.
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

/** Who answers questions of rules. A rule has the same `ref` in copies of its zone. */
export interface Answerer {
  ask(question: Question, asked: AskedRequest, ref: string): Answer | Promise<Answer>;
}

/** Since the start. */
export interface QuestionCounts {
  /** That were answered, by kept answers or not; that were not in time; that could not be asked. */
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
  /** By question, as far as their answers may be kept. */
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
      return this.#fail('too many questions are under way');
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
