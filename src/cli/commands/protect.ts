/** `gatehouse protect`: a site behind the edge with managed rules on, in one command; each step says how to undo it. */
import { ApiError, findZone, ifFound } from '#client';
import { ApiClient, type ZoneSummary } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { describeRefusal } from '../resources/refusal.ts';
import { openScreen, type Screen } from '../resources/tables.ts';

const plans = ['free', 'pro', 'business', 'enterprise'] as const;
const phase = 'http_request_firewall_managed';
const freeRuleset = { id: '77454fe2d30c4220b5701f6fdfb893ba', name: 'the Free Managed Ruleset' };
const fullRuleset = { id: 'efb7b8c949ac4650a09736fc376e9aee', name: 'the Cloudflare Managed Ruleset' };

interface Step {
  readonly did: string;
  /** A command; missing if nothing was changed. */
  readonly undo?: string;
}

export const protectCommand: Command = {
  name: 'protect',
  parameters: '<host>',
  summary: 'Put a site behind the firewall: zone, origin, plan, managed rules. Says how to undo each step.',
  details: `What is there already stays as it is, so the command can be repeated. The zone is the one that the host belongs to; if there
is none, one is created with the host's name. Without --plan the plan stays, which is free for a new zone: it has fewer managed
rules than the others.

${connectionHelp}`,
  options: {
    origin: { value: 'URL', help: 'where the application is, such as http://127.0.0.1:3000 (needed)' },
    plan: { value: plans.join('|'), choices: plans, help: 'give the zone this plan' },
    ...connectionOptions,
    json: { help: 'print JSON' },
  },
  async run(args) {
    const [host] = args.positionals as [string];
    const { origin, plan } = args.values;
    if (origin === undefined)
      throw new UsageError(
        'gatehouse protect needs --origin: the URL of your application, such as http://127.0.0.1:3000',
      );
    if (!/^https?:$/.test(URL.parse(origin)?.protocol ?? ''))
      throw new UsageError(`--origin must be a URL that begins with http:// or https://: ${origin}`);
    using api = new ApiClient(readConnection(args, 'protect'));
    const report = new StepReport(args.switches.has('json') ? undefined : openScreen());
    try {
      report.end(await protect(api, { host: host.toLowerCase(), origin, plan }, report));
      return exitCodes.success;
    } catch (error) {
      throw error instanceof ApiError ? describeRefusal('protect', error) : error;
    }
  },
};

/** Steps are printed when they are done, so that what was done is known if a later one fails. */
class StepReport {
  readonly #screen: Screen | undefined;
  readonly #steps: Step[] = [];

  constructor(screen: Screen | undefined) {
    this.#screen = screen;
  }

  add(step: Step): void {
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
  readonly plan: string | undefined;
}

/** What protects the site in the end, as a sentence. */
async function protect(api: ApiClient, { host, origin, plan }: Wish, report: StepReport): Promise<string> {
  const zone = await takeZone(api, host, report);
  const current = await setPlan(api, zone, plan, report);
  // Before the origin: a zone that gets one without rules gets them by itself, and the report would not say so.
  const rules = await turnOnManagedRules(api, zone, current, report);
  await setOrigin(api, zone, origin, report);
  if (zone.paused)
    throw new CommandError(
      `${zone.name} is paused, so no rule is in force: gatehouse zones update ${zone.name} --paused false`,
    );
  const limit =
    current === 'free'
      ? ' The free plan has only the rules for attacks that are seen everywhere; --plan pro has all.'
      : '';
  return `Every request to ${host} is now checked by ${rules} before it goes to ${origin}.${limit}
Rules read 128 KiB of text in a body, and bodies with more are blocked; files in forms do not count. gatehouse explain of such an event has the exception for its path.
See what is blocked: gatehouse events tail ${zone.name}`;
}

/** The zone that the host belongs to: of its own name, or of a name that it ends in. */
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

async function setOrigin(api: ApiClient, zone: ZoneSummary, url: string, report: StepReport): Promise<void> {
  const zone_id = zone.id;
  const { origin: before } = (await api.get('/zones/{zone_id}/edge', { zone_id })).result;
  if (before?.url === url) {
    report.add({ did: `requests go to ${url} already` });
    return;
  }
  await api.put('/zones/{zone_id}/edge', { zone_id, body: { origin: { ...before, url } } });
  const value = before === null ? 'null' : JSON.stringify(before).replaceAll("'", String.raw`'\''`);
  report.add({
    did: before === null ? `requests go to ${url}` : `requests go to ${url} instead of ${before.url}`,
    undo: `gatehouse zones set-edge ${zone.name} --origin '${value}'`,
  });
}

async function setPlan(
  api: ApiClient,
  zone: ZoneSummary,
  plan: string | undefined,
  report: StepReport,
): Promise<string> {
  const before = zone.plan.legacy_id;
  if (plan === undefined || plan === before) {
    report.add({ did: `the plan is ${before}` });
    return before;
  }
  await api.patch('/zones/{zone_id}', { zone_id: zone.id, body: { plan: { legacy_id: plan } } });
  report.add({
    did: `the plan is ${plan} instead of ${before}`,
    undo: `gatehouse zones update ${zone.name} --plan ${before}`,
  });
  return plan;
}

/** What is in force in the end, by its name. Zones of paid plans have the legacy one until they migrate. */
async function turnOnManagedRules(
  api: ApiClient,
  zone: ZoneSummary,
  plan: string,
  report: StepReport,
): Promise<string> {
  const zone_id = zone.id;
  const { result: status } = await api.get('/zones/{zone_id}/waf_migration/status', { zone_id });
  const ruleset = plan === 'free' ? freeRuleset : fullRuleset;
  if (status.new_waf_status === 'enabled') {
    report.add({ did: 'managed rulesets are on already' });
    return 'the managed rulesets that the zone deploys';
  }
  if (status.old_waf_status === 'enabled') {
    report.add({ did: 'the legacy managed rules are on already' });
    return 'the legacy managed rules';
  }
  if (plan !== 'free' && status.migration_state !== 'complete') {
    await api.patch('/zones/{zone_id}/settings/{setting_id}', {
      zone_id,
      setting_id: 'waf',
      body: { value: 'on' },
    });
    report.add({
      did: 'turned the legacy managed rules on',
      undo: `gatehouse zones set-setting ${zone.name} waf --value off`,
    });
    return 'the legacy managed rules';
  }
  await deployRuleset(api, zone, ruleset, report);
  return ruleset.name;
}

async function deployRuleset(
  api: ApiClient,
  zone: ZoneSummary,
  ruleset: typeof freeRuleset,
  report: StepReport,
): Promise<void> {
  const zone_id = zone.id;
  const rule = {
    action: 'execute',
    expression: 'true',
    description: 'added by gatehouse protect',
    action_parameters: { id: ruleset.id },
  };
  const place = { zone_id, ruleset_phase: phase };
  const existing = await ifFound(
    api.get('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', place),
  );
  const { result } =
    existing === undefined
      ? await api.put('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', {
          ...place,
          body: { rules: [rule] },
        })
      : await api.post('/zones/{zone_id}/rulesets/{ruleset_id}/rules', {
          zone_id,
          ruleset_id: existing.result.id,
          body: rule,
        });
  const { id, rules } = result!;
  report.add({
    did: `deployed ${ruleset.name}`,
    undo: `gatehouse rulesets delete-rule ${zone.name} ${id} ${rules.at(-1)!.id}`,
  });
}
