/**
 * Controls virtual time from outside: a route beside the Worker that shows and moves the clock of its objects. Time
 * stands still between requests; events that are due at the current time run after each of them.
 *
 * Only for a listener on a loopback address. A web page must not move the clock of a user's machine either: the route
 * requires JSON, which a page cannot send without a preflight request, and only answers for names of this machine.
 */
import type { VirtualClock } from '#base';
import type { FetchHandler } from './http-server.ts';

/** Cloudflare reserves paths under `/cdn-cgi/`, so Workers do not use it. */
export const clockPath = '/cdn-cgi/gatehouse/clock';

const yearMs = 366 * 86_400_000;
/** Far enough for any experiment; every alarm on the way runs. */
const advanceMsMax = 100 * yearMs;

type Command = { readonly advance_ms: number } | { readonly set: number } | { readonly next: 'alarm' };

/** Wraps the handler of a Worker whose objects have this clock. */
export function serveClock(clock: VirtualClock, fetch: FetchHandler): FetchHandler {
  return async (request) => {
    const { pathname, hostname } = new URL(request.url);
    if (pathname === clockPath) return answer(clock, request, hostname);
    try {
      return await fetch(request);
    } finally {
      void enqueue(clock, () => clock.untilIdle());
    }
  };
}

/** The last work on each clock. */
const queues = new WeakMap<VirtualClock, Promise<unknown>>();

/** One movement at a time: each completes before the next starts. */
function enqueue<Result>(clock: VirtualClock, work: () => Promise<Result>): Promise<Result> {
  const result = (queues.get(clock) ?? Promise.resolve()).then(work);
  queues.set(
    clock,
    result.catch(() => {}),
  );
  return result;
}

interface ShownClock {
  readonly now: string;
  /** Whether there was an alarm to run, if one was requested. */
  readonly alarm_ran?: boolean;
}

/** Returns the reason if it cannot. */
export async function moveClock(clock: VirtualClock, body: unknown): Promise<ShownClock | string> {
  const command = readCommand(body, clock.now());
  if (typeof command === 'string') return command;
  return await enqueue(clock, async () => {
    const ran = await move(clock, command);
    return { ...showClock(clock), ...(ran === undefined ? {} : { alarm_ran: ran }) };
  });
}

export function showClock(clock: VirtualClock): ShownClock {
  return { now: new Date(clock.now()).toISOString() };
}

async function answer(clock: VirtualClock, request: Request, hostname: string): Promise<Response> {
  if (!/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
    return refuse(403, `use a loopback name or address: ${hostname}`);
  if (request.method === 'GET') return Response.json(showClock(clock));
  if (request.method !== 'POST')
    return refuse(405, `use GET to see the time, POST to move it: ${request.method}`);
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return refuse(415, 'the body must be application/json');
  const moved = await moveClock(clock, await request.json().catch(() => undefined));
  return typeof moved === 'string' ? refuse(400, moved) : Response.json(moved);
}

function readCommand(body: unknown, now: number): Command | string {
  const {
    advance_ms: advance,
    set,
    next,
  } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (next === 'alarm') return { next };
  if (typeof advance === 'number' && advance >= 0 && advance <= advanceMsMax) return { advance_ms: advance };
  if (typeof set === 'string') {
    const to = Date.parse(set);
    if (to >= now && to - now <= advanceMsMax) return { set: to };
    return `set must be a time not before ${new Date(now).toISOString()}, at most 100 years ahead: time cannot go back`;
  }
  return 'the body must be {"advance_ms": N}, {"set": "2030-01-01T00:00:00Z"} or {"next": "alarm"}';
}

async function move(clock: VirtualClock, command: Command): Promise<boolean | undefined> {
  if ('next' in command) return clock.runNextAlarm();
  // The clock may have moved since the command was read.
  await clock.advance('set' in command ? Math.max(0, command.set - clock.now()) : command.advance_ms);
  return undefined;
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
