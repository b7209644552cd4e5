/** Counts the changes between two configurations, request by request. Its memory is bounded: see `limits.ts`. */
import type { Judgement } from '#firewall';
import {
  countedPathsMax,
  countedScoresMax,
  examplesMax,
  listedChangesMax,
  shownCharactersMax,
  timeSlicesMax,
} from './limits.ts';
import {
  type ChangeKind,
  changeKinds,
  findChange,
  findDecidingRule,
  type Outcome,
  type OutcomeScore,
  type OutcomeRule,
  toOutcome,
  writeRuleKey,
} from './outcome.ts';
import type {
  ComparedChange,
  ChangeCounts,
  PathChanges,
  RuleChanges,
  ShownRequest,
  TimeSlice,
} from './report/report.ts';
import type { RecordedRequest } from './traffic/recorded-request.ts';

/** The requests that one rule decides, with the data that suggestions need. */
export interface DecidedRequests {
  readonly kind: ChangeKind;
  readonly rule: OutcomeRule;
  count: number;
  readonly paths: Map<string, number>;
  readonly examples: ComparedChange[];
  /** If scores decided: the smallest and the largest of its requests. */
  scores: { readonly min: number; readonly max: number } | undefined;
  /** Rules that added to the scores which stop its requests afterwards, by id. */
  readonly scoredRules: Map<string, { readonly description: string; readonly count: number }>;
  /** The earlier outcomes of its requests. */
  readonly actionsBefore: Set<Outcome['action']>;
}

export class Comparison {
  readonly changes: ComparedChange[] = [];
  readonly verdicts = { before: new Map<string, number>(), after: new Map<string, number>() };
  readonly groups = new Map<string, DecidedRequests>();
  /** Requests that do not change, by the key of the rule that stops them afterwards. */
  readonly stoppedAlike = new Map<string, number>();
  /** The different scores that stop unchanged requests afterwards, by the ids of the rules that added to them. */
  readonly scoresAlike = new Map<string, OutcomeScore>();
  readonly #findOriginalId: (id: string) => string;
  readonly #paths = new Map<string, Record<ChangeKind, number>>();
  readonly #counts: Record<ChangeKind, number> = { newlyStopped: 0, noLongerStopped: 0, otherAction: 0 };
  readonly #minutes = new Map<number, { requests: number; changed: number }>();
  #requests = 0;

  constructor(findOriginalId: (id: string) => string) {
    this.#findOriginalId = findOriginalId;
  }

  get changed(): ChangeCounts & { readonly total: number } {
    const total = changeKinds.reduce((sum, kind) => sum + this.#counts[kind], 0);
    return { ...this.#counts, total };
  }

  add(request: RecordedRequest, judgedBefore: Judgement, judgedAfter: Judgement): void {
    this.#requests++;
    const before = toOutcome(judgedBefore, this.#findOriginalId);
    const after = toOutcome(judgedAfter, this.#findOriginalId);
    increase(this.verdicts.before, before.action);
    increase(this.verdicts.after, after.action);
    const kind = findChange(before, after);
    this.#countMinute(request.receivedAtMs, kind !== undefined);
    if (kind === undefined) {
      this.#addAlike(after);
      return;
    }
    this.#counts[kind]++;
    const change: ComparedChange = { kind, request: this.#show(request), before, after };
    if (this.changes.length < listedChangesMax) this.changes.push(change);
    this.#countPath(change.request.path, kind);
    this.#group(change);
  }

  listRules(): RuleChanges[] {
    return [...this.groups.values()]
      .map(({ kind, rule, count, paths, examples }) => ({ kind, rule, count, paths: paths.size, examples }))
      .toSorted((a, b) => b.count - a.count);
  }

  listPaths(): PathChanges[] {
    const sum = (counts: ChangeCounts): number => changeKinds.reduce((all, kind) => all + counts[kind], 0);
    return [...this.#paths]
      .map(([path, counts]) => ({ path, ...counts }))
      .toSorted((a, b) => sum(b) - sum(a) || (a.path < b.path ? -1 : 1));
  }

  /** Slices of equal length, few enough for a chart. */
  listTimeSlices(): TimeSlice[] {
    const minutes = [...this.#minutes.keys()].toSorted((a, b) => a - b);
    const [first = 0] = minutes;
    const length = Math.max(1, Math.ceil(((minutes.at(-1) ?? 0) - first + 1) / timeSlicesMax));
    const slices = new Map<number, { requests: number; changed: number }>();
    for (const minute of minutes) {
      const { requests, changed } = this.#minutes.get(minute)!;
      const index = Math.floor((minute - first) / length);
      const slice = slices.get(index) ?? { requests: 0, changed: 0 };
      slices.set(index, { requests: slice.requests + requests, changed: slice.changed + changed });
    }
    return [...slices].map(([index, slice]) => ({
      start: new Date((first + index * length) * 60_000).toISOString(),
      ...slice,
    }));
  }

  #addAlike({ rule, score }: Outcome): void {
    if (rule !== undefined) increase(this.stoppedAlike, writeRuleKey(rule));
    if (score === undefined || this.scoresAlike.size >= countedScoresMax) return;
    this.scoresAlike.set(score.rules.map(({ id }) => id).join(), score);
  }

  #group(change: ComparedChange): void {
    const { kind, before, after } = change;
    const rule = findDecidingRule(kind, before, after);
    const key = `${kind} ${writeRuleKey(rule)}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      group = createGroup(kind, rule);
      this.groups.set(key, group);
    }
    group.count++;
    const total = (after.score ?? before.score)?.total;
    if (total !== undefined) {
      const { min, max } = group.scores ?? { min: total, max: total };
      group.scores = { min: Math.min(min, total), max: Math.max(max, total) };
    }
    for (const { id, description } of after.score?.rules ?? []) {
      const count = (group.scoredRules.get(id)?.count ?? 0) + 1;
      group.scoredRules.set(id, { description, count });
    }
    group.actionsBefore.add(before.action);
    const { path } = change.request;
    if (group.paths.has(path) || group.paths.size < countedPathsMax) increase(group.paths, path);
    if (group.examples.length < examplesMax) group.examples.push(change);
  }

  #countPath(path: string, kind: ChangeKind): void {
    const isCounted = this.#paths.has(path) || this.#paths.size < countedPathsMax;
    const counted = isCounted ? path : '(other paths)';
    const counts = this.#paths.get(counted) ?? { newlyStopped: 0, noLongerStopped: 0, otherAction: 0 };
    counts[kind]++;
    this.#paths.set(counted, counts);
  }

  #countMinute(ms: number, isChanged: boolean): void {
    const minute = Math.floor(ms / 60_000);
    let counts = this.#minutes.get(minute);
    if (counts === undefined) this.#minutes.set(minute, (counts = { requests: 0, changed: 0 }));
    counts.requests++;
    if (isChanged) counts.changed++;
  }

  #show(request: RecordedRequest): ShownRequest {
    const question = request.target.indexOf('?');
    const path = question < 0 ? request.target : request.target.slice(0, question);
    const query = question < 0 ? '' : request.target.slice(question + 1);
    const [, userAgent = ''] = request.headers.find(([name]) => name.toLowerCase() === 'user-agent') ?? [];
    return {
      number: this.#requests,
      time: new Date(request.receivedAtMs).toISOString(),
      ip: request.ip,
      method: request.method,
      host: request.host,
      path: toShownText(path),
      query: toShownText(query),
      userAgent: toShownText(userAgent),
    };
  }
}

function createGroup(kind: ChangeKind, rule: OutcomeRule): DecidedRequests {
  return {
    kind,
    rule,
    count: 0,
    paths: new Map(),
    examples: [],
    scores: undefined,
    scoredRules: new Map(),
    actionsBefore: new Set(),
  };
}

/** Bytes as text, so that a report is valid UTF-8 whatever the request was. */
function toShownText(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
