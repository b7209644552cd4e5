/** The table of a run, for the terminal and for docs/reference/clients.md. */
import { type AsCodeStep, asCodeSteps } from './as-code.ts';
import { type GeneratedStep, generatedSteps } from './generated.ts';
import { type Outcome, type Step, steps } from './case.ts';
import { type MigrationStep, migrationSteps } from './procedure.ts';
import type { SdkResult } from './sdks.ts';
import type { SiteResult } from './site.ts';
import type { WalkResult } from './walk.ts';

export interface CaseResult {
  readonly name: string;
  readonly client: string;
  readonly outcomes: ReadonlyMap<Step, Outcome>;
}

export interface AsCodeResult {
  readonly generator: string;
  readonly outcomes: ReadonlyMap<AsCodeStep, Outcome>;
}

export interface GeneratedResult {
  readonly scope: string;
  readonly client: string;
  readonly outcomes: ReadonlyMap<GeneratedStep, Outcome>;
}

export interface MigrationResult {
  readonly client: string;
  readonly outcomes: ReadonlyMap<MigrationStep, Outcome>;
}

export interface Report {
  readonly cases: readonly CaseResult[];
  readonly asCode: readonly AsCodeResult[];
  readonly generated: readonly GeneratedResult[];
  readonly procedures: readonly MigrationResult[];
  readonly sdks: readonly SdkResult[];
  readonly walks: readonly WalkResult[];
  /** Absent if it was not tested. */
  readonly site?: SiteResult | undefined;
  /** The omitted programs, with reasons. */
  readonly missing: readonly string[];
  readonly programs: readonly string[];
  /** The releases that the programs stand for, and why they are not these releases. */
  readonly insteadOf: readonly string[];
}

function cell(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'not tried';
  return typeof outcome === 'string' ? outcome : '**failed**';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export function formatTables(report: Report): string {
  const { cases, asCode, generated, site, missing, programs, insteadOf } = report;
  const resources = table(
    ['resource', 'provider', ...steps],
    cases.map(({ name, client, outcomes }) => [
      name,
      client,
      ...steps.map((step) => cell(outcomes.get(step))),
    ]),
  );
  const procedure = table(
    ['step', ...asCode.map(({ generator }) => generator)],
    asCodeSteps.map((step) => [step, ...asCode.map(({ outcomes }) => cell(outcomes.get(step)))]),
  );
  const configurations = table(
    ['gatehouse terraform generate', 'provider', ...generatedSteps],
    generated.map(({ scope, client, outcomes }) => [
      scope,
      client,
      ...generatedSteps.map((step) => cell(outcomes.get(step))),
    ]),
  );
  return [
    ...(programs.length === 0 ? [] : [`Built: ${programs.join('; ')}.`]),
    ...insteadOf.map((line) => `${line}.`),
    ...(missing.length === 0 ? [] : [`Not run: ${missing.join('; ')}.`]),
    ...(cases.length === 0 ? [] : [resources]),
    ...(asCode.length === 0
      ? []
      : ['Configuration as code, from the legacy managed rules to a ruleset:', procedure]),
    ...(generated.length === 0
      ? []
      : [
          'What `gatehouse terraform` prints for a configuration that was made through the API:',
          configurations,
        ]),
    ...formatProcedures(report),
    ...formatSdks(report),
    ...formatWalks(report),
    ...(site === undefined ? [] : [siteWords, formatSite(site)]),
  ].join('\n\n');
}

function formatProcedures({ procedures }: Report): string[] {
  if (procedures.length === 0) return [];
  const rows = procedures.map(({ client, outcomes }) => [
    client,
    ...migrationSteps.map((step) => cell(outcomes.get(step))),
  ]);
  return [
    'Plans before and after the migration of a zone with every kind of page rule, filter and firewall rule:',
    table(['provider', ...migrationSteps], rows),
  ];
}

function formatSdks({ sdks }: Report): string[] {
  if (sdks.length === 0) return [];
  const rows = sdks.map(({ sdk, calls }) => {
    const failed = calls.filter(({ problem }) => problem !== null).length;
    return [sdk, String(calls.length), failed === 0 ? '0' : `**${failed}**`];
  });
  return ['Calls of each SDK, and how many of them failed:', table(['SDK', 'calls', 'failed'], rows)];
}

function formatWalks({ walks }: Report): string[] {
  if (walks.length === 0) return [];
  const rows = walks.map(({ sdk, operations, calls }) => {
    const accepted = calls.filter(({ problem }) => problem === null).length;
    const excused = calls.filter(({ problem, excuse }) => problem !== null && excuse !== undefined).length;
    const refused = calls.length - accepted - excused;
    const counts = [operations, calls.length, accepted, excused].map(String);
    return [sdk, ...counts, refused === 0 ? '0' : `**${refused}**`];
  });
  const reasons = walks.flatMap(({ sdk, calls }) =>
    calls.flatMap(({ what, problem, excuse = problem?.split('\n')[0] }) =>
      problem === null ? [] : [`- ${sdk}, \`${what}\`: ${excuse}`],
    ),
  );
  return [
    'Every operation of each SDK whose method and path are served, called by the SDK:',
    table(['SDK', 'operations it has', 'served and called', 'accepted', 'excused', 'refused'], rows),
    reasons.join('\n'),
  ];
}

const siteWords =
  'A site made by provider 5, with a request for each rule and what the trace, or the event, says of it:';

function formatSite({ shown }: SiteResult): string {
  return table(
    ['rule or pool', 'acts', 'explained'],
    shown.map(({ what, acts, explained }) => [what, acts ? 'yes' : '**no**', explained]),
  );
}

function failuresOfSite(site: SiteResult | undefined): string[] {
  if (site === undefined) return [];
  const idle = site.shown.filter(({ acts, explained }) => !acts || explained === '');
  return [
    ...idle.map(({ what }) => `the site: ${what} does not act, or is not explained`),
    ...(site.problem === undefined ? [] : [`the site: ${site.problem}`]),
  ];
}

/** Everything that failed, with the end of what the client said. */
export function failuresOf({ cases, asCode, generated, procedures, sdks, walks, site }: Report): string[] {
  const all = [
    ...cases.map(({ name, client, outcomes }) => ({ title: `${name}, ${client}`, outcomes })),
    ...asCode.map(({ generator, outcomes }) => ({ title: `configuration as code, ${generator}`, outcomes })),
    ...procedures.map(({ client, outcomes }) => ({ title: `procedure, ${client}`, outcomes })),
    ...generated.map(({ scope, client, outcomes }) => ({
      title: `gatehouse terraform generate, ${scope}, ${client}`,
      outcomes,
    })),
  ];
  const failed = all.flatMap(({ title, outcomes }) =>
    [...outcomes].flatMap(([step, outcome]) =>
      typeof outcome === 'string' ? [] : [`${title}: ${step}\n${outcome.failed}`],
    ),
  );
  const refused = sdks.flatMap(({ sdk, calls }) =>
    calls.flatMap(({ what, problem }) => (problem === null ? [] : [`${sdk}: ${what}\n${problem}`])),
  );
  const walked = walks.flatMap(({ sdk, calls }) =>
    calls.flatMap(({ what, problem, excuse }) =>
      problem === null || excuse !== undefined ? [] : [`${sdk}, walk: ${what}\n${problem}`],
    ),
  );
  return [...failed, ...refused, ...walked, ...failuresOfSite(site)];
}
