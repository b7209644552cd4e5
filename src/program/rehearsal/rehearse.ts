/** The steps of a rehearsal: copy, plan, migrate the copy, replay, suggest, replay again. */
import { CompiledZone } from '#firewall';
import { emptyGeoDatabase, type GeoDatabase } from '#edge';
import type { CoreRules } from '#seclang';
import { managedParts, managedRulesets, replaceCoreRules, rulesetIds } from '#managed';
import { Comparison } from './comparison.ts';
import { proveSuggestions } from './proof.ts';
import { RehearsalError } from './rehearsal-error.ts';
import { replay, type ReplayCounts, type Replayer, type ReplayStep } from './replay.ts';
import type { RehearsalReport } from './report/report.ts';
import { ScoreCounts } from './score-levels.ts';
import type { MigrationConfig, ZoneSnapshot } from './snapshot.ts';
import type { Traffic } from './traffic/open-traffic.ts';
import { ZoneCopy } from './zone-copy.ts';

interface RehearsalProgress {
  readonly step: 'copy' | ReplayStep;
  readonly requests: number;
  readonly bytesRead: number;
  readonly bytes: number;
}

export interface RehearseOptions {
  readonly snapshot: ZoneSnapshot;
  readonly traffic: Traffic;
  /** Replaces the proposal of `waf_migration/config`. */
  readonly config?: MigrationConfig | undefined;
  readonly geo?: GeoDatabase;
  /** The OWASP rules of the server, if this process has none. */
  readonly coreRules?: CoreRules | undefined;
  readonly onProgress?: (progress: RehearsalProgress) => void;
}

export async function rehearse(options: RehearseOptions): Promise<RehearsalReport> {
  const { snapshot, traffic, coreRules } = options;
  const { config: planned, losses } = readPlan(snapshot);
  if (coreRules !== undefined) await replaceCoreRules(coreRules);
  options.onProgress?.({ step: 'copy', requests: 0, bytesRead: 0, bytes: traffic.bytes });
  await using copy = await ZoneCopy.create(snapshot);
  const before = new CompiledZone(await copy.readConfiguration(), managedParts);
  const check = await copy.check();
  if (!check.compatible) throw createObstacleError(snapshot, check.messages);
  const isValidating = snapshot.bundle.migration?.migration_state === 'validation';
  const config = options.config ?? (isValidating ? await copy.readEntryPoint() : planned);
  await copy.migrate(config);
  const after = new CompiledZone(await copy.readConfiguration(), managedParts);
  const replayer = createReplayer(options);
  const comparison = new Comparison((id) => copy.findOriginalId(id));
  const scores = ScoreCounts.create(after);
  const first = await replayFirst(replayer, { before, after, scores, comparison, traffic });
  const proof = await proveSuggestions({ replayer, copy, config, before, after, comparison });
  const { id, name, plan } = snapshot.zone;
  return {
    format: 'gatehouse.rehearsal',
    version: 1,
    zone: { id, name, plan: plan.legacy_id },
    madeAt: new Date().toISOString(),
    check,
    losses,
    remarks: listRemarks(snapshot, first),
    config,
    ...first.report,
    ...proof,
  };
}

function readPlan({ zone, bundle, plan }: ZoneSnapshot): NonNullable<ZoneSnapshot['plan']> {
  if (plan !== undefined) return plan;
  const reason =
    zone.plan.legacy_id === 'free'
      ? 'has the Free plan, which never had legacy rules'
      : `has migrated already (state ${bundle.migration?.migration_state})`;
  throw new RehearsalError(`${zone.name} ${reason}: there is nothing to rehearse`);
}

function createObstacleError(
  { zone }: ZoneSnapshot,
  messages: readonly { readonly message: string }[],
): RehearsalError {
  const reasons = messages.map(({ message }) => message).join('; ');
  return new RehearsalError(`${zone.name} cannot migrate yet: ${reasons}`);
}

function createReplayer({ traffic, geo = emptyGeoDatabase, onProgress }: RehearseOptions): Replayer {
  return (step, options) =>
    replay({
      ...options,
      traffic,
      geo,
      onProgress: (requests, bytesRead) => onProgress?.({ step, requests, bytesRead, bytes: traffic.bytes }),
    });
}

interface FirstReplay {
  readonly report: Pick<
    RehearsalReport,
    'traffic' | 'verdicts' | 'scores' | 'changed' | 'byRule' | 'byPath' | 'overTime' | 'changes' | 'replay'
  >;
  /** Why lines were skipped, with the number of each. */
  readonly reasons: ReadonlyMap<string, number>;
}

interface FirstReplayParts {
  readonly before: CompiledZone;
  readonly after: CompiledZone;
  readonly scores: ScoreCounts | undefined;
  readonly comparison: Comparison;
  readonly traffic: Traffic;
}

async function replayFirst(replayer: Replayer, parts: FirstReplayParts): Promise<FirstReplay> {
  const { before, after, scores, comparison, traffic } = parts;
  const reasons = new Map<string, number>();
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, 0];
  const start = process.cpuUsage();
  const counts = await replayer('replay', {
    zones: [before, after, ...(scores === undefined ? [] : [scores.zone])],
    onUnreadable: (reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1),
    onJudged: (request, [judgedBefore, judgedAfter, judgedStrictest]) => {
      fromMs = Math.min(fromMs, request.receivedAtMs);
      toMs = Math.max(toMs, request.receivedAtMs);
      comparison.add(request, judgedBefore!, judgedAfter!);
      if (judgedStrictest !== undefined) scores?.add(judgedStrictest);
    },
  });
  const { user, system } = process.cpuUsage(start);
  if (counts.requests === 0) throw createEmptyError(traffic, counts, before.configuration.zone.name);
  const cpuSeconds = (user + system) / 1e6;
  const { file, format } = traffic;
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const report: FirstReplay['report'] = {
    traffic: { file, format, from, to, ...counts },
    verdicts: {
      before: Object.fromEntries(comparison.verdicts.before),
      after: Object.fromEntries(comparison.verdicts.after),
    },
    scores: scores?.list() ?? null,
    changed: comparison.changed,
    byRule: comparison.listRules(),
    byPath: comparison.listPaths(),
    overTime: comparison.listTimeSlices(),
    changes: comparison.changes,
    replay: { cpuSeconds, requestsPerCpuSecond: Math.round(counts.requests / cpuSeconds) },
  };
  return { report, reasons };
}

function createEmptyError({ file }: Traffic, counts: ReplayCounts, name: string): RehearsalError {
  const { unreadable, otherHosts } = counts;
  const found = `${unreadable} unreadable, ${otherHosts} for other hosts`;
  return new RehearsalError(
    `${file} has no request for ${name} or a name below it (${found}): name the host with --host ${name} if it has another name there`,
  );
}

/** Scores depend on the rules that add to them. */
function listScoreRemarks({ coreRules }: ZoneSnapshot): string[] {
  const content = managedRulesets.get(rulesetIds.owasp)?.content;
  const here = content?.state === 'installed' ? content.version : null;
  if (coreRules === undefined || coreRules === here) return [];
  const name = (version: string | null): string =>
    version === null ? 'no OWASP rules' : `OWASP rules ${version}`;
  return [
    `The server has ${name(coreRules)}, this rehearsal had ${name(here)}: what they decide is not shown as it is. Give the data directory of the server with --data.`,
  ];
}

function listRemarks(snapshot: ZoneSnapshot, { report, reasons }: FirstReplay): string[] {
  const { zone } = snapshot;
  const { unreadable, otherHosts, bodiesMissing, requests } = report.traffic;
  const remarks: string[] = listScoreRemarks(snapshot);
  if (zone.paused) remarks.push('The zone is paused. It was rehearsed as if it were not.');
  if (bodiesMissing > 0)
    remarks.push(
      `${bodiesMissing} of ${requests} requests had a body that was not recorded. Rules about bodies could not match them.`,
    );
  const { answersRecorded, answersMissing } = report.traffic;
  if (answersRecorded + answersMissing > 0)
    remarks.push(
      `Rules that ask others sent no requests: ${answersRecorded} recorded answers counted, and ${answersMissing} times the default, because no answer was recorded.`,
    );
  if (otherHosts > 0) remarks.push(`${otherHosts} requests for hosts outside the zone were left out.`);
  if (unreadable > 0) {
    const why = [...reasons].map(([reason, count]) => `${count}: ${reason}`).join('; ');
    remarks.push(`${unreadable} lines could not be read and were left out (${why}).`);
  }
  remarks.push('Visitors who had solved a challenge are shown as challenged: a replay cannot know them.');
  return remarks;
}
