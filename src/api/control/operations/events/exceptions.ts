/**
 * Exceptions from the rule of an event: proposed, tested against the log, and created exactly as shown or not at all.
 */
import { type ProposedException, proposeExceptions, type SecurityEvent } from '#events';
import {
  Fault,
  fault,
  genericCodes,
  ok,
  type Reply,
  type Result,
  securityCodes,
  type WrittenResponse,
} from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import type { ObjectsContext } from '../several-objects.ts';
import { exceptionAttemptsMax, shownGroupsMax } from './limits.ts';
import { summarize } from './summarize.ts';
import { trace, type TracedRequest } from './trace.ts';

type Logged = NonNullable<Awaited<ReturnType<ObjectsContext['activity']['get']>>>;

/** The longest retention of any log. */
const since = '30d';

export async function listExceptions(
  context: ObjectsContext,
  zone: ZoneFacts,
  logged: Logged,
): Promise<Reply<Result<'security.listExceptions'>>> {
  const proposals = await readProposals(context, zone, logged);
  const by = ['clientRequestPath', 'clientIP'];
  const tried = proposals.map(async ({ affected, ...proposal }) => ({
    ...proposal,
    affected: { since, ...affected },
    tried: await summarize(context, zone, {
      since,
      until: undefined,
      expression: undefined,
      ...affected,
      by,
      interval: undefined,
      limit: shownGroupsMax,
    }),
  }));
  return ok(await Promise.all(tried));
}

/** Nothing is changed if the exception differs from the listed one. */
export async function makeException(
  context: ObjectsContext,
  zone: ZoneFacts,
  { logged, id }: { readonly logged: Logged; readonly id: string },
): Promise<Reply<Result<'security.makeException'>> | WrittenResponse> {
  for (let attempt = 1; ; attempt++) {
    const [ofZone, ofAccount] = await Promise.all([
      context.getZone(zone.id).readVersion(),
      context.account.readVersion(),
    ]);
    const chosen = (await readProposals(context, zone, logged)).find((each) => each.id === id);
    if (chosen === undefined) throw fault(securityCodes.exceptionChanged);
    const versions = { zone: ofZone, account: ofAccount };
    const outcome = await context.change(chosen.requests, { versions });
    if (!('refusal' in outcome)) break;
    // The configuration changed between reading and writing, possibly elsewhere.
    const isOutrun = outcome.refusal.status === genericCodes.conditionFailed.status;
    if (!isOutrun || attempt === exceptionAttemptsMax) return outcome.refusal;
  }
  return ok({ verdict: await judgeAgain(context, zone, logged.event) });
}

async function readProposals(
  { configurations }: ObjectsContext,
  zone: ZoneFacts,
  { event, judged }: Logged,
): Promise<readonly ProposedException[]> {
  const configuration = await configurations.readConfiguration(zone.id);
  return configuration === undefined ? [] : proposeExceptions(event, judged, configuration);
}

/** What the zone's current rules do with the logged part of the request; null if that does not describe a request. */
async function judgeAgain(
  context: ObjectsContext,
  zone: ZoneFacts,
  event: SecurityEvent,
): Promise<Result<'security.makeException'>['verdict']> {
  try {
    return (await trace(context, zone, describeLogged(event))).verdict;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Its request line, user agent, location and address. */
function describeLogged(event: SecurityEvent): TracedRequest {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host, clientRefererHost, userAgent } = event;
  const referer = `${event.clientRefererScheme}://${clientRefererHost}${event.clientRefererPath}${event.clientRefererQuery}`;
  const asn = Number(event.clientAsn);
  return {
    method: event.clientRequestHTTPMethodName,
    url: `${scheme}://${host}${event.clientRequestPath}${event.clientRequestQuery}`,
    headers: {
      ...(userAgent === '' ? {} : { 'user-agent': userAgent }),
      ...(clientRefererHost === '' ? {} : { referer }),
    },
    ip: event.clientIP,
    ...(event.clientCountryName === '' ? {} : { country: event.clientCountryName }),
    ...(Number.isInteger(asn) && asn > 0 ? { asn } : {}),
  };
}
