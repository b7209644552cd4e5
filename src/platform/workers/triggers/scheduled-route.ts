/** Fires scheduled events by hand, at Wrangler's URLs for it. */
import type { ScheduledController } from '../entry.ts';

/** Cloudflare reserves paths under `/cdn-cgi/`, so Workers do not use them. */
const paths: ReadonlySet<string> = new Set(['/cdn-cgi/handler/scheduled', '/cdn-cgi/local/scheduled']);

type Handler = (request: Request) => Response | Promise<Response>;

export interface Schedulable {
  /** Undefined if the Worker has no `scheduled()`. */
  scheduled(event: Pick<ScheduledController, 'cron' | 'scheduledTime'>): Promise<'ok' | undefined>;
  now(): number;
}

/** Wraps the handler of a Worker. */
export function serveScheduled(worker: Schedulable, fetch: Handler): Handler {
  return (request) => {
    // Most requests have other paths, and need not be parsed.
    if (!request.url.includes('/cdn-cgi/')) return fetch(request);
    const { pathname, searchParams } = new URL(request.url);
    return paths.has(pathname) ? fire(worker, searchParams) : fetch(request);
  };
}

async function fire(worker: Schedulable, parameters: URLSearchParams): Promise<Response> {
  const time = parameters.get('time');
  const scheduledTime = time === null ? worker.now() : Number(time);
  if (!Number.isFinite(scheduledTime)) {
    return new Response(`time must be milliseconds since 1970: ${time}`, { status: 400 });
  }
  const outcome = await worker.scheduled({ cron: parameters.get('cron') ?? '', scheduledTime });
  const status = outcome === 'ok' ? 200 : 500;
  if (parameters.get('format') === 'json')
    return Response.json({ outcome: outcome ?? 'exception' }, { status });
  return new Response(outcome ?? 'the Worker exports no scheduled()', { status });
}
