/** The line of the log for each request to the API. */
import type { Log } from '#base';
import type { ApiServerOptions } from './api-server.ts';

/** Without queries and headers: both can contain secrets. */
export function createAccessLog(log: Log): NonNullable<ApiServerOptions['onAnswered']> {
  return ({ method, target, address }, { status, headers }, durationMs) =>
    log.info('request', {
      request: headers['cf-ray'],
      method,
      path: target.split('?', 1)[0]!.slice(0, 500),
      status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      address,
    });
}
