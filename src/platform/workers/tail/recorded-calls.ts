/**
 * Records of each call of a Worker: its logs, its errors and its outcome. Calls are recorded only while they are
 * followed; otherwise a call costs one additional comparison.
 *
 * An event is reported when its handler has answered. Later work (`waitUntil`, the rest of a stream) is not included.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';
import { realClock, uploadedFolder } from '#base';

import { mapFrames } from '../errors/uploaded-maps.ts';
import { showAuthoredNames } from '../errors/authored-names.ts';

interface RecordedLog {
  readonly message: readonly unknown[];
  readonly level: string;
  readonly timestamp: number;
}

interface RecordedException {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly timestamp: number;
}

/** With Cloudflare's names. */
export interface RecordedCall {
  readonly outcome: 'ok' | 'exception';
  readonly eventTimestamp: number;
  readonly logs: readonly RecordedLog[];
  readonly exceptions: readonly RecordedException[];
  readonly event: object;
  readonly wallTime: number;
  /** CPU time of the process while the call ran. */
  readonly cpuTime: number;
}

/** Logs of one call, and characters of one value. */
const logsMax = 200;
const valueCharactersMax = 8_192;

/** Fields whose values must never appear in logs. */
const hiddenFields = /auth|cookie|key|secret|token/i;

const calls = new AsyncLocalStorage<RecordedLog[]>();
let listener: ((call: RecordedCall) => void) | undefined;

/** Reports each call from now on; undefined stops that. */
export function followCalls(onCall: ((call: RecordedCall) => void) | undefined): void {
  listener = onCall;
}

/** Records the output of a Worker's code. */
export function noteLog(level: string, args: readonly unknown[]): void {
  if (listener === undefined) return;
  const logs = calls.getStore();
  if (logs === undefined || logs.length >= logsMax) return;
  logs.push({ level, message: args.map(toPlain), timestamp: realClock.now() });
}

/** Runs a handler. `describe` is called with its answer, if calls are followed. */
export function recordCall<T>(
  describe: (answer: T | undefined) => object,
  handler: () => T | Promise<T>,
): T | Promise<T> {
  return listener === undefined ? handler() : record(describe, handler);
}

async function record<T>(
  describe: (answer: T | undefined) => object,
  handler: () => T | Promise<T>,
): Promise<T> {
  const logs: RecordedLog[] = [];
  const eventTimestamp = realClock.now();
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const tell = (answer: T | undefined, exceptions: readonly RecordedException[]): void => {
    const { user, system } = process.cpuUsage(cpu);
    listener?.({
      outcome: exceptions.length === 0 ? 'ok' : 'exception',
      eventTimestamp,
      logs,
      exceptions,
      event: describe(answer),
      wallTime: Math.round(performance.now() - startMs),
      cpuTime: Math.round((user + system) / 1_000),
    });
  };
  try {
    const answer = await calls.run(logs, handler);
    tell(answer, []);
    return answer;
  } catch (error) {
    tell(undefined, [toException(error)]);
    throw error;
  }
}

/** A request and the status of its answer. Credentials are omitted. */
export function describeFetch(request: Request, response: Response | undefined): object {
  const headers = Array.from(request.headers, ([name, value]) => [
    name,
    hiddenFields.test(name) ? 'REDACTED' : value,
  ]);
  const { url, method } = request;
  const cf: unknown = Reflect.get(request, 'cf');
  return {
    request: { url, method, headers: Object.fromEntries(headers) as object, cf: cf ?? {} },
    ...(response === undefined ? {} : { response: { status: response.status } }),
  };
}

function toException(error: unknown): RecordedException {
  const timestamp = realClock.now();
  if (!(error instanceof Error)) return { name: 'Error', message: shorten(String(error)), timestamp };
  const { name, message, stack } = error;
  return {
    name,
    message: shorten(message),
    stack: stack === undefined ? undefined : shorten(keepOwnFrames(stack)),
    timestamp,
  };
}

const uploadedModule = new RegExp(`${uploadedFolder}[^/]+/`);
const frame = /^ +at /;
const place = /:\d+:\d+\)?$/;

/** Modules by their uploaded names, and no frames of this program: they would reveal its path on the machine. */
function keepOwnFrames(stack: string): string {
  const lines = stack
    .split('\n')
    .filter((line) => !frame.test(line) || !place.test(line) || line.includes(uploadedFolder));
  return lines
    .map((line) => (frame.test(line) ? mapFrames(line).replace(uploadedModule, '') : line))
    .join('\n');
}

/** The value after serialization to JSON. */
function toPlain(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return shorten(value);
  if (value instanceof Error) return shorten(keepOwnFrames(value.stack ?? value.message));
  try {
    const text = JSON.stringify(value);
    if (text !== undefined && text.length <= valueCharactersMax) return JSON.parse(text) as unknown;
  } catch {
    // Falls back to its printed form.
  }
  return shorten(inspect(value, { depth: 3, breakLength: Infinity }));
}

function shorten(given: string): string {
  const text = showAuthoredNames(given);
  return text.length <= valueCharactersMax ? text : `${text.slice(0, valueCharactersMax)}…`;
}
