/**
 * What happens during each call of a Worker: what it logs, what it throws, how it ends. It is recorded only while somebody
 * follows; otherwise a call costs one comparison more.
 *
 * An event is told when its handler has answered. What it does after that (`waitUntil`, the rest of a stream) is not in it.
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

/** As Cloudflare names it. */
export interface RecordedCall {
  readonly outcome: 'ok' | 'exception';
  readonly eventTimestamp: number;
  readonly logs: readonly RecordedLog[];
  readonly exceptions: readonly RecordedException[];
  readonly event: object;
  readonly wallTime: number;
  /** Of the process while the call ran. */
  readonly cpuTime: number;
}

/** Of one call, and characters of one value. */
const logsMax = 200;
const valueCharactersMax = 8_192;

/** Fields whose values nobody may read in logs, whatever they are. */
const hiddenFields = /auth|cookie|key|secret|token/i;

const calls = new AsyncLocalStorage<RecordedLog[]>();
let listener: ((call: RecordedCall) => void) | undefined;

/** Tells each call from now on; undefined ends it. */
export function followCalls(onCall: ((call: RecordedCall) => void) | undefined): void {
  listener = onCall;
}

/** Notes what the code of a Worker prints. */
export function noteLog(level: string, args: readonly unknown[]): void {
  if (listener === undefined) return;
  const logs = calls.getStore();
  if (logs === undefined || logs.length >= logsMax) return;
  logs.push({ level, message: args.map(toPlain), timestamp: realClock.now() });
}

/** Runs a handler. `describe` is called with what it answered, if somebody follows. */
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

/** A request and the status of its answer. Credentials are left out. */
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

/** Modules by the names that they were uploaded with, and no frames of this program: they say where on the machine it is. */
function keepOwnFrames(stack: string): string {
  const lines = stack
    .split('\n')
    .filter((line) => !frame.test(line) || !place.test(line) || line.includes(uploadedFolder));
  return lines
    .map((line) => (frame.test(line) ? mapFrames(line).replace(uploadedModule, '') : line))
    .join('\n');
}

/** As it arrives at somebody who reads JSON. */
function toPlain(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return shorten(value);
  if (value instanceof Error) return shorten(keepOwnFrames(value.stack ?? value.message));
  try {
    const text = JSON.stringify(value);
    if (text !== undefined && text.length <= valueCharactersMax) return JSON.parse(text) as unknown;
  } catch {
    // It is shown as it would be printed.
  }
  return shorten(inspect(value, { depth: 3, breakLength: Infinity }));
}

function shorten(given: string): string {
  const text = showAuthoredNames(given);
  return text.length <= valueCharactersMax ? text : `${text.slice(0, valueCharactersMax)}…`;
}
