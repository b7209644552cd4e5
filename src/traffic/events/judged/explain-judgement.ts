/** Describes how a request was judged: its steps, and for each rule that acted the tree of its expression. */
import { type Filter, type RequestView } from '#expressions';
import { showText } from '#text';
import { StepBudget } from '#work';
import type { CompiledZone, Judgement, StepReport, Triggered } from '#firewall';
import {
  decidersMax,
  explainedRulesMax,
  explanationCpuMsMax,
  explanationStepsMax,
  pathCharactersKept,
} from '../limits.ts';
import type { Judged, JudgedChange, JudgedPart, JudgedStep } from './judged.ts';
import { createWriter, cutPart, pickRuleFields, Writer } from './judged-writer.ts';
import { createReader } from './read-field.ts';

/** The judgement must contain the reports of its steps. */
export function explainJudgement(zone: CompiledZone, view: RequestView, judgement: Judgement): Judged {
  const writer = createWriter(zone, view, createBudget());
  const { triggered } = judgement;
  // The rules that acted come first: other deciders matter less, and can take much longer to find.
  const rules = triggered.map((rule, index) =>
    index < explainedRulesMax || index === triggered.length - 1
      ? writer.writeRule(rule)
      : pickRuleFields(rule),
  );
  const changes = explainChanges(zone, view, judgement);
  const alsoDeciding = findOtherDeciders(zone, view, judgement).map((rule) => writer.writeDecider(rule));
  return {
    version: zone.configuration.version,
    ...writePath(view),
    steps: toSteps(zone, judgement.steps),
    rules,
    ...(changes.length === 0 ? {} : { changes }),
    ...(alsoDeciding.length === 0 ? {} : { alsoDeciding }),
  };
}

/** Rules that rewrite the URL, and those before them, saw the original URL. */
function explainChanges(
  { options }: CompiledZone,
  view: RequestView,
  { changes = [], received }: Judgement,
): JudgedChange[] {
  if (changes.length === 0) return [];
  const writer = new Writer(view, options, createBudget());
  const before = received && new Writer(view.rewriteUri(received), options, createBudget());
  return changes
    .slice(0, explainedRulesMax)
    .map((each) => (isBeforeRewriting(each.phase) ? (before ?? writer) : writer).writeChange(each));
}

function isBeforeRewriting(phase: string): boolean {
  return phase === 'http_request_dynamic_redirect' || phase === 'http_request_transform';
}

/**
 * Why the expression matches the request or not, independent of the zone's rules; not reached if that takes too many
 * steps.
 */
export function explainFilter(zone: CompiledZone, view: RequestView, filter: Filter): JudgedPart {
  const writer = new Writer(view, zone.options, createBudget());
  return writer.writeTree(filter) ?? { text: cutPart(filter.source), result: 'not reached' };
}

function createBudget(): StepBudget {
  return new StepBudget(explanationStepsMax, { cpuMsMax: explanationCpuMsMax });
}

/** Only a stopped request has rules that it did not reach. */
function findOtherDeciders(
  zone: CompiledZone,
  view: RequestView,
  { verdict, clearance, exhausted }: Judgement,
): readonly Triggered[] {
  const isStopped = verdict.kind === 'block' || verdict.kind === 'challenge';
  // The request was stopped by an answer to a question, after all rules had let it pass.
  if (!isStopped || verdict.by.asked !== undefined || exhausted !== undefined) return [];
  const { ruleId, rulesetId } = verdict.by;
  return zone
    .findDeciders({ view, clearance, budget: createBudget() })
    .filter((rule) => rule.ruleId !== ruleId || rule.rulesetId !== rulesetId)
    .slice(0, decidersMax);
}

const pathAsSeen = createReader('http.request.uri.path');
const pathAsSent = createReader('raw.http.request.uri.path');

/** Events contain the path as it was sent. */
function writePath(view: RequestView): Pick<Judged, 'path'> {
  const path = pathAsSeen(view) as string;
  return path === pathAsSent(view) ? {} : { path: showText(path.slice(0, pathCharactersKept)) };
}

/** The steps of the last request of each zone. */
const lastSteps = new WeakMap<CompiledZone, JudgedStep[]>();

/** A step equal to that of the previous request is the same object, so that its text is written only once. */
function toSteps(zone: CompiledZone, reports: readonly StepReport[]): readonly JudgedStep[] {
  let last = lastSteps.get(zone);
  if (last === undefined) lastSteps.set(zone, (last = []));
  return reports.map((report, index) => {
    const before = last[index];
    return before !== undefined && isLike(before, report) ? before : (last[index] = toStep(report));
  });
}

function isLike(step: JudgedStep, report: StepReport): boolean {
  return (
    step.rulesetId === report.rulesetId &&
    step.source === report.source &&
    step.phase === report.phase &&
    step.version === report.version &&
    step.level === report.level &&
    step.reached === report.reached &&
    step.ruleCount === report.ruleCount &&
    step.end === writeEnd(report) &&
    step.matched.length === report.matched.length &&
    step.matched.every((id, index) => id === report.matched[index])
  );
}

function toStep(report: StepReport): JudgedStep {
  const { source, phase, rulesetId, version, level, reached, ruleCount, matched } = report;
  return { source, phase, rulesetId, version, level, reached, ruleCount, matched, end: writeEnd(report) };
}

function writeEnd({ end }: StepReport): string {
  return end.kind === 'complete' ? 'complete' : `${end.kind} by ${end.by}`;
}
