/**
 * `gatehouse protect`: a site behind the edge with managed rules on, in one command; for each step it prints the
 * command that undoes it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, findZone, type Result } from '#client';
import { type Plan, plans } from '#rulesets';
import { ApiClient, type ZoneSummary } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection, repeatConnection } from '../api/connection.ts';
import { type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { describeRefusal } from '../resources/refusal.ts';
import { openScreen, type Screen } from '../resources/tables.ts';

type Undo = NonNullable<Result<'protection.protect'>['steps'][number]['undo']>;

interface ProtectionStep {
  readonly did: string;
  /** A command; absent if nothing was changed. */
  readonly undo?: string;
}

export const protectCommand: Command = {
  name: 'protect',
  parameters: '<host>',
  summary: 'Put a site behind the firewall: zone, origin, plan, managed rules. Prints how to undo each step.',
  details: `Whatever exists stays as it is, so the command can be repeated. The zone is the one that the host belongs to; if there is none, a zone with the host's name is created. Without --plan the plan stays; for a new zone it is free, which has fewer managed rules than the others.

${connectionHelp}`,
  options: {
    origin: { value: 'URL', help: 'where the application is, such as http://127.0.0.1:3000 (needed)' },
    acme: {
      value: 'EMAIL',
      help: 'get a certificate for the host over ACME; the authority must reach the edge by this name on port 80 or 443',
    },
    plan: { value: plans.join('|'), choices: plans, help: 'give the zone this plan' },
    ...connectionOptions,
    json: { help: 'print JSON' },
  },
  async run(args) {
    const [host] = args.positionals as [string];
    const { origin, plan, acme } = args.values;
    if (origin === undefined)
      throw new UsageError(
        'gatehouse protect needs --origin: the URL of your application, such as http://127.0.0.1:3000',
      );
    if (!/^https?:$/.test(URL.parse(origin)?.protocol ?? ''))
      throw new UsageError(`--origin must be a URL that begins with http:// or https://: ${origin}`);
    using api = new ApiClient(readConnection(args, 'protect'));
    const server = repeatConnection(args);
    const report = new StepReport(args.switches.has('json') ? undefined : openScreen(), server);
    const wish = { host: host.toLowerCase(), origin, plan: plan as Plan | undefined, acme, server };
    try {
      report.end(await protect(api, wish, report));
      return exitCodes.success;
    } catch (error) {
      throw error instanceof ApiError ? describeRefusal('protect', error) : error;
    }
  },
};

/** Prints each step once it is done, so that earlier steps are known if a later one fails. */
class StepReport {
  readonly #screen: Screen | undefined;
  readonly #server: string;
  readonly #steps: ProtectionStep[] = [];

  constructor(screen: Screen | undefined, server: string) {
    this.#screen = screen;
    this.#server = server;
  }

  add({ did, undo }: ProtectionStep): void {
    const step: ProtectionStep = { did, ...(undo === undefined ? {} : { undo: `${undo}${this.#server}` }) };
    this.#steps.push(step);
    this.#screen?.write(`${this.#screen.style('green', step.undo === undefined ? '=' : '+')} ${step.did}\n`);
    if (step.undo !== undefined)
      this.#screen?.write(`    ${this.#screen.style('dim', `to undo: ${step.undo}`)}\n`);
  }

  end(protection: string): void {
    if (this.#screen === undefined)
      process.stdout.write(`${JSON.stringify({ protection, steps: this.#steps })}\n`);
    else this.#screen.write(`\n${protection}\n`);
  }
}

interface Wish {
  readonly host: string;
  readonly origin: string;
  readonly plan: Plan | undefined;
  /** The e-mail address for the certificate authority. */
  readonly acme: string | undefined;
  /** The options that select the server, for printed commands. */
  readonly server: string;
}

/** Protects the site; returns the resulting protection as a sentence. */
async function protect(
  api: ApiClient,
  { host, origin, plan, acme, server }: Wish,
  report: StepReport,
): Promise<string> {
  const zone = await takeZone(api, host, report);
  const body = { origin: { url: origin }, ...(plan === undefined ? {} : { plan }) };
  const { result } = await api.post('/zones/{zone_id}/protection', { zone_id: zone.id, body });
  for (const { did, undo } of result.steps)
    report.add({ did, ...(undo === null ? {} : { undo: `gatehouse ${writeUndo(zone, undo)}` }) });
  const certificate =
    acme === undefined ? '' : await getCertificate(api, zone, { host, email: acme, server }, report);
  if (zone.paused)
    throw new CommandError(
      `${zone.name} is paused, so no rule is in force: gatehouse zones update ${zone.name} --paused false${server}`,
    );
  const limit =
    result.plan === 'free'
      ? ' The free plan has only rules for the most common attacks; --plan pro has all.'
      : '';
  return `Every request to ${host} is now checked by ${result.rules} before it goes to ${origin}.${limit}${certificate}
${result.note} gatehouse explain proposes an exception for such an event.
See what is blocked: gatehouse events tail ${zone.name}${server}`;
}

/** An authority answers within seconds; the zone continues without a waiting client. */
const certificateWaitMs = 60_000;
const certificateLookMs = 1_000;

/** Orders it, and waits until it is issued or refused. Returns a sentence on a line of its own. */
async function getCertificate(
  api: ApiClient,
  zone: ZoneSummary,
  wish: { readonly host: string; readonly email: string; readonly server: string },
  report: StepReport,
): Promise<string> {
  report.add(await orderCertificate(api, zone, wish));
  const { host } = wish;
  const later = `see gatehouse zones certificate-packs ${zone.name} --status all${wish.server}`;
  for (let waitedMs = 0; waitedMs < certificateWaitMs; waitedMs += certificateLookMs) {
    const { result } = await api.get('/zones/{zone_id}/ssl/certificate_packs', {
      zone_id: zone.id,
      query: { status: 'all' },
    });
    const [pack] = result;
    const issued = pack?.certificates.find(({ hosts }) => hosts.includes(host));
    if (issued !== undefined)
      return `\nThe certificate of ${host} is in force, by ${issued.issuer} until ${issued.expires_on}; it is renewed automatically.`;
    const [problem] = pack?.validation_errors ?? [];
    if (problem !== undefined)
      return `\nThere is no certificate for ${host} yet: ${problem.message}
The next attempt is on ${pack!.next_attempt_on}; ${later}`;
    await delay(certificateLookMs);
  }
  return `\nThe authority has not decided about ${host} yet; ${later}`;
}

/** Requests a certificate for the host, in addition to those hosts of its zone that already have one. */
async function orderCertificate(
  api: ApiClient,
  zone: ZoneSummary,
  { host, email }: { readonly host: string; readonly email: string },
): Promise<ProtectionStep> {
  const path = '/zones/{zone_id}/ssl/universal/settings';
  const { result: before } = await api.get(path, { zone_id: zone.id });
  const hosts = [...new Set([...(before.enabled ? before.hosts : []), host])];
  if (before.enabled && hosts.length === before.hosts.length)
    return { did: `${host} already gets its certificate automatically` };
  await api.patch(path, { zone_id: zone.id, body: { enabled: true, hosts, email } });
  return {
    did: `ordered a certificate for ${host}`,
    undo: `gatehouse zones set-universal-ssl ${zone.name} --enabled ${before.enabled} --hosts '${JSON.stringify(before.hosts)}'`,
  };
}

/** The zone of the host: of the same name, or of a suffix of it. */
async function takeZone(api: ApiClient, host: string, report: StepReport): Promise<ZoneSummary> {
  const labels = host.split('.');
  for (let at = 0; at < labels.length - 1; at++) {
    const name = labels.slice(at).join('.');
    const zone = await findZone(api, name);
    if (zone === undefined) continue;
    report.add({ did: `${host} belongs to the zone ${zone.name}` });
    return zone;
  }
  const { result } = await api.post('/zones', { body: { name: host } });
  report.add({ did: `created the zone ${host}`, undo: `gatehouse zones delete ${host} --yes` });
  return result;
}

function writeUndo({ name }: ZoneSummary, undo: Undo): string {
  switch (undo.step) {
    case 'origin': {
      const before = JSON.stringify(undo.origin_before ?? null).replaceAll("'", String.raw`'\''`);
      return `zones set-edge ${name} --origin '${before}'`;
    }
    case 'plan':
      return `zones update ${name} --plan ${undo.plan_before}`;
    case 'legacy rules':
      return `zones set-setting ${name} waf --value off`;
    case 'ruleset':
      return `rulesets delete-rule ${name} ${undo.ruleset_id} ${undo.rule_id}`;
  }
}
