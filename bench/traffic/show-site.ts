/** Sends a request for each rule of a site and checks the trace: which rules act, and which are explained. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, visit, type Visited } from './program.ts';
import { balancedShown, type Shown, siteRules } from './site.ts';

/** The calls to a server that has the site. */
export type SiteServer = Pick<RunningProgram, 'zone' | 'edgePort' | 'call'>;

export interface ShownResult {
  readonly what: string;
  readonly acts: boolean;
  /** The explanation of the trace; may be empty. */
  readonly explained: string;
}

/** Rules are in force some moments after they were written. */
const triesMax = 100;
const betweenTriesMs = 100;

export async function showSite(program: SiteServer): Promise<ShownResult[]> {
  const results: ShownResult[] = [];
  for (const shown of [...siteRules.map((each) => each.shown), ...balancedShown]) {
    const acts = await isSeen(program, shown);
    results.push({ what: shown.what, acts, explained: await explain(program, shown) });
  }
  return results;
}

async function isSeen(program: SiteServer, shown: Shown): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries++) {
    if (shown.isRight(await visitShown(program, shown))) return true;
    await sleep(betweenTriesMs);
  }
  return false;
}

async function visitShown(program: SiteServer, shown: Shown): Promise<Visited> {
  const { path, headers = {}, times = 0, name } = shown;
  const host = name === undefined ? program.zone.name : `${name}.${program.zone.name}`;
  const send = (): Promise<Visited> =>
    visit({ port: program.edgePort, path, headers: { host, ...headers }, agent: false });
  let answer = await send();
  for (let index = 0; index < times && !shown.isRight(answer); index++) answer = await send();
  return answer;
}

/** For a rate limit, the event explains it, since a trace does not count. */
async function explain(program: SiteServer, shown: Shown): Promise<string> {
  const zone = `/zones/${program.zone.id}`;
  if (shown.phase === 'http_ratelimit') return explainLimit(program, shown);
  const host = shown.name === undefined ? '' : `https://${shown.name}.${program.zone.name}`;
  const { explanation, forwarded_to } = await program.call(`POST ${zone}/security/trace`, {
    url: `${host}${shown.path}`,
    ...(shown.status === undefined ? {} : { response: { status: shown.status } }),
  });
  if (shown.phase === '') {
    const { load_balancer, pool, origins } = forwarded_to;
    return `${load_balancer}, ${pool}, ${origins.length} origins`;
  }
  const changes = (explanation.changes ?? []) as { readonly phase: string; readonly effect: string }[];
  return changes.find(({ phase }) => phase === shown.phase)?.effect ?? '';
}

async function explainLimit(program: SiteServer, { path }: Shown): Promise<string> {
  const zone = `/zones/${program.zone.id}`;
  for (let tries = 0; tries < triesMax; tries++) {
    const [event] = await program.call(
      `GET ${zone}/security/events?where=${encodeURIComponent(`clientRequestPath:eq:${path}`)}`,
    );
    if (event !== undefined) {
      const { explanation } = await program.call(`GET ${zone}/security/events/${event.id}/explain`);
      return explanation.rules[0].rate as string;
    }
    await sleep(betweenTriesMs);
  }
  return '';
}
