/** A zone with events in its activity log, for tests. */
import type { Control } from '#control';
import type { Judged } from '#events';
import type { Plan } from '#rulesets';
import type { ApiResponse } from '#contract';
import { createEvent as anyEvent } from '../../src/traffic/events/testing.ts';
import type { Envelope, RequestOptions, TestControl } from './harness.ts';

type Recorded = Parameters<Control['appendEvents']>[1][number];
export type SecurityEvent = Recorded['event'];

const dayMs = 86_400_000;

export function eventOf(
  more: Partial<SecurityEvent> & Pick<SecurityEvent, 'id' | 'datetime'>,
): SecurityEvent {
  const rayName = more.id.replace(/-\d+$/, '');
  const rule = { source: 'firewallCustom', rulesetId: 'ruleset', description: 'blocks' } as const;
  return anyEvent(more.id, { ...rule, rayName, originatorRayName: rayName, ...more });
}

/** `1` → `0000000000000001-TEST-0`. */
export function eventId(number: number, place = 0): string {
  return `${number.toString(16).padStart(16, '0')}-TEST-${place}`;
}

export class SecurityZone {
  readonly id: string;
  readonly events: string;
  readonly #control: TestControl;

  constructor(control: TestControl, plan: Plan) {
    this.#control = control;
    this.id = control.zone(plan);
    this.events = `/zones/${this.id}/security/events`;
  }

  /** One event for each; the number determines the id, `agoMs` the time. */
  async record(
    given: readonly (Partial<SecurityEvent> & { readonly number: number; readonly agoMs?: number })[],
    judged?: Judged,
  ): Promise<void> {
    const nowMs = this.#control.clock.now();
    const events = given.map(({ number, agoMs = 0, ...more }) => ({
      event: eventOf({ id: eventId(number), datetime: new Date(nowMs - agoMs).toISOString(), ...more }),
      ...(judged === undefined ? {} : { judged: JSON.stringify(judged) }),
    }));
    await this.#control.control.appendEvents(this.id, events, 30 * dayMs);
  }

  call(route: string, options?: RequestOptions): Promise<Envelope> {
    return this.#control.call(route, options);
  }

  /** The numbers of the events that a search finds. */
  async found(query: string): Promise<number[]> {
    const { status, result, errors } = await this.call(`GET ${this.events}?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(errors));
    return (result as SecurityEvent[]).map(({ id }) => Number.parseInt(id.slice(0, 16), 16));
  }

  /** The unparsed response, for responses without the envelope. */
  answer(
    path: string,
    headers: Readonly<Record<string, string>> = ownerOf(this.#control),
  ): Promise<ApiResponse> {
    return this.#control.control.answer({
      method: 'GET',
      target: `/client/v4${path}`,
      headers,
      address: '127.0.0.1',
      readBody: async () => new Uint8Array(),
    });
  }
}

function ownerOf(control: TestControl): Readonly<Record<string, string>> {
  const { email, key } = control.control.bootstrapped!;
  return { 'x-auth-email': email, 'x-auth-key': key };
}

export async function* piecesOf({ body }: ApiResponse): AsyncGenerator<string> {
  for await (const piece of body as AsyncIterable<string>) yield piece;
}

export async function textOf(answer: ApiResponse): Promise<string> {
  return (await Array.fromAsync(piecesOf(answer))).join('');
}
